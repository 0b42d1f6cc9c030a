//! What waits in several partitions of the ledger is committed together, where it is little.

use std::rc::Rc;
use std::sync::Arc;

use actors::ledger::{self, LedgerFigures, LedgerParts};
use actors::runtime::metrics::ActorMetrics;
use clock::Clock;
use domain::account::{RENEWALS_MAX, TopUp};
use domain::ids::AccountId;
use domain::money::MicroUsd;
use futures_util::future::{join, join_all};
use prometheus::Registry;
use store::faults::Faults;
use uuid::Uuid;

use crate::commit::{connect, create_account};
use crate::no_dispatch::NoDispatch;
use crate::support::databases::on_both_databases;

const PARTITIONS: usize = 4;

#[actix_web::test]
async fn what_waits_in_several_partitions_shares_one_transaction() {
    on_both_databases(|database| async move {
        let (store, clock) = (Arc::new(connect(&database).await), Clock::system());
        let accounts: Vec<AccountId> = (1..=8).map(|number| AccountId(Uuid::from_u128(number))).collect();
        for account_id in &accounts {
            create_account(&store, *account_id).await;
        }
        let figures = LedgerFigures::new(PARTITIONS, &Registry::new()).expect("figures");
        let parts = LedgerParts {
            store,
            clock: clock.clone(),
            faults: Faults::default(),
            partitions: PARTITIONS,
            on_commit: Rc::new(|_, _, _| {}),
            dispatch: Rc::new(NoDispatch),
            on_resumed: Rc::new(|| {}),
            on_exceeded: Rc::new(|_, _| {}),
            renewals_max: RENEWALS_MAX,
            figures: figures.clone(),
        };
        let ledger = ledger::start(&parts, &ActorMetrics::new(clock), accounts.len());
        let top_up = TopUp { payment_ref: "one".into(), amount: MicroUsd::from_micros(5), expires_at: None };
        for decision in join_all(accounts.iter().map(|account_id| ledger.ask(*account_id, top_up.clone()))).await {
            decision.expect("a decision").expect("no rejection");
        }
        assert_eq!(figures.commits(), 2, "the first by itself, and together what came while it was committed");
        // As many are expected again, and this one comes alone, in a partition that has an account to settle.
        let last = TopUp { payment_ref: "two".into(), ..top_up };
        let (decision, settled) = join(ledger.ask(accounts[4], last), ledger.settle_due(accounts[4])).await;
        decision.expect("a decision").expect("no rejection");
        settled.expect("settled");
    })
    .await;
}

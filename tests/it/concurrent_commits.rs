//! Processes that commit to the same accounts at the same moment, on PostgreSQL: SQLite has one writer and one process.
//!
//! Who comes first is not left to chance: somebody else holds the account until both wait for it, so that each has done
//! whatever it does before it locks.

use crate::commit_all::commit_all;
use chrono::Duration;
use domain::account::{Command, Decision, Outcome, TopUp};
use domain::ids::AccountId;
use domain::money::MicroUsd;
use domain::radar::update::UpdateFilter;
use domain::radar_type::RadarType;
use futures_util::future::{join, join_all};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use store::{self, DatabaseSettings, Store, StoreError, Submission};
use uuid::Uuid;

use crate::commit::{connect, create, create_account, now, report};
use crate::support::databases::TestDatabase;
use crate::support::postgres::Server;

/// More than enough for two processes to come as far as the lock.
const WAIT_MAX: std::time::Duration = std::time::Duration::from_secs(20);

const FIRST: AccountId = AccountId(Uuid::from_u128(1));
const SECOND: AccountId = AccountId(Uuid::from_u128(2));

/// Two processes, and somebody beside them.
struct Stage {
    database: TestDatabase,
    stores: [Store; 2],
    beside: DatabaseConnection,
}

impl Stage {
    /// `None` where PostgreSQL is not installed. The accounts have 1000 each, half of which ends in a minute, and a radar
    /// each, which pays 100 a finding.
    async fn set() -> Option<Self> {
        let database = TestDatabase::at(&Server::shared()?.create_database().await);
        let stores = [connect(&database).await, connect(&database).await];
        let beside = Database::connect(database.url()).await.expect("a connection");
        for (no, account_id) in [(1, FIRST), (2, SECOND)] {
            create_account(&stores[0], account_id).await;
            let paid = |payment_ref: &str, expires_at| {
                let amount = MicroUsd::from_micros(500);
                Command::TopUp(TopUp { payment_ref: payment_ref.to_owned(), amount, expires_at })
            };
            let ends_at = now() + Duration::minutes(1);
            let commands = [paid("a", None), paid("b", Some(ends_at)), create(no, RadarType::CompanyReviews)];
            let intents: Vec<Submission> = commands.map(|command| Submission::of(account_id, command)).into();
            commit_all(&stores[0], &intents, now()).await.expect("a commit");
        }
        Some(Self { database, stores, beside })
    }

    /// Holds an account row as a commit does.
    async fn hold(&self, account_id: AccountId) -> DatabaseTransaction {
        let transaction = self.beside.begin().await.expect("a transaction");
        let hold = format!("select 1 from account where account_id = '{account_id}' for no key update");
        transaction.execute_unprepared(&hold).await.expect("a lock");
        transaction
    }

    /// Returns once so many of the others wait for a lock.
    async fn until_waiting(&self, wanted: u64) {
        let count = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        loop {
            let waiting = self.beside.execute_unprepared(count).await.expect("an answer").rows_affected();
            if waiting >= wanted {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Lets both processes commit while the accounts are held, and then releases these one after the other.
    async fn commit_both(&self, held: &[AccountId], intents: [Vec<Submission>; 2], seconds: i64) -> [Vec<Decision>; 2] {
        let at = now() + Duration::seconds(seconds);
        let holds = join_all(held.iter().map(|account_id| self.hold(*account_id))).await;
        let [one, other] = &intents;
        let both = join(commit_all(&self.stores[0], one, at), commit_all(&self.stores[1], other, at));
        let release = async {
            tokio::time::timeout(WAIT_MAX, self.until_waiting(2)).await.expect("both wait for what is held");
            for hold in holds {
                hold.commit().await.expect("a release");
            }
        };
        let ((one, other), ()) = join(both, release).await;
        let stands = |committed: Result<Vec<Decision>, StoreError>| committed.expect("nobody is in the other's way");
        [stands(one), stands(other)]
    }

    /// The rows add up, and both see the same, in order.
    async fn end(self, updates: i64) {
        let place = DatabaseSettings { url: self.database.url().to_owned(), max_connections: 2 };
        let mut discrepancies = Vec::new();
        store::audit_all(&place, None, |audited| discrepancies.extend(audited.discrepancies)).await.expect("an audit");
        assert!(discrepancies.is_empty(), "{discrepancies:#?}");
        for store in &self.stores {
            let (seen, _) = store.updates(FIRST, &UpdateFilter::default(), 100).await.expect("updates");
            let numbers: Vec<i64> = seen.iter().map(|update| update.update_seq).collect();
            assert_eq!(numbers, (1..=updates).collect::<Vec<_>>());
        }
        join_all(self.stores.iter().map(Store::close)).await;
        self.beside.close().await.expect("a clean end");
        Server::shared().expect("a server").drop_database(self.database.url()).await;
    }
}

fn published(decisions: &[Decision]) -> usize {
    let count = |outcome: &Outcome| match outcome {
        Outcome::Reported(report) => report.published.len(),
        _ => 0,
    };
    decisions.iter().flatten().map(count).sum()
}

fn finding(no: u128, record: u128) -> Vec<Submission> {
    let account_id = if no == 1 { FIRST } else { SECOND };
    vec![Submission::of(account_id, report(no, record..record + 1))]
}

#[actix_web::test]
async fn decision_3_4_who_waited_for_an_account_sees_what_the_other_wrote() {
    let Some(stage) = Stage::set().await else { return };
    for round in 0..3 {
        let intents = [finding(1, 10 + 2 * round), finding(1, 11 + 2 * round)];
        let both = stage.commit_both(&[FIRST], intents, 1).await;
        assert_eq!(both.each_ref().map(|decisions| published(decisions)), [1, 1]);
    }
    let again = stage.commit_both(&[FIRST], [finding(1, 20), finding(1, 20)], 2).await;
    assert_eq!(
        again.iter().map(|decisions| published(decisions)).sum::<usize>(),
        1,
        "what both found is published once"
    );
    stage.end(7).await;
}

#[actix_web::test]
async fn decision_4_3_money_expires_once_in_any_order() {
    let Some(stage) = Stage::set().await else { return };
    let both = stage.commit_both(&[FIRST], [finding(1, 10), finding(1, 11)], 60).await;
    assert_eq!(both.each_ref().map(|decisions| published(decisions)), [1, 1]);
    let summary =
        stage.stores[0].account_summary(FIRST, "2027-01", now() + Duration::hours(1)).await.expect("a summary");
    assert_eq!(summary.balance.micros(), 300, "half of it has expired, two findings were paid");
    stage.end(2).await;
}

#[actix_web::test]
async fn accounts_are_locked_in_one_order_whatever_the_order_of_the_commands() {
    let Some(stage) = Stage::set().await else { return };
    for round in 0..3 {
        let there = [finding(1, 10 + 2 * round), finding(2, 10 + 2 * round)].concat();
        let back = [finding(2, 11 + 2 * round), finding(1, 11 + 2 * round)].concat();
        let both = stage.commit_both(&[FIRST, SECOND], [there, back], 1).await;
        assert_eq!(both.each_ref().map(|decisions| published(decisions)), [2, 2]);
    }
    stage.end(6).await;
}

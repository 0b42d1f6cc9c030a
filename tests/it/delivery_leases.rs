//! A claimed delivery stays claimed until the database's clock says that the lease is over (decision 5.5).

use crate::commit_all::commit_all;
use chrono::{DateTime, TimeDelta, Utc};
use domain::account::{Command, FinishSetUp, SetUpOutcome, TopUp};
use domain::delivery::waiting_endpoints::EndpointClaim;
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::radar_type::RadarType;
use store::{ClaimedDelivery, Store, Submission};
use uuid::Uuid;

use crate::commit::{connect, create, create_account, now, report};
use crate::support::databases::on_both_databases;

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

#[actix_web::test]
async fn decision_5_5_a_process_whose_clock_is_ahead_waits_for_the_end_of_a_lease() {
    on_both_databases(|database| async move {
        let store = connect(&database).await;
        create_account(&store, ACCOUNT).await;
        publish_one(&store, now()).await;
        let hour = TimeDelta::hours(1);
        assert_eq!(claim(&store, now(), hour).await, 1);
        assert_eq!(claim(&store, now() + hour * 2, hour).await, 0, "only the clock of the caller is past the lease");
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_5_5_a_delivery_is_due_again_when_its_lease_is_over() {
    on_both_databases(|database| async move {
        let store = connect(&database).await;
        create_account(&store, ACCOUNT).await;
        publish_one(&store, now()).await;
        assert_eq!(claim(&store, now(), TimeDelta::zero()).await, 1);
        assert_eq!(claim(&store, now() + TimeDelta::hours(1), TimeDelta::zero()).await, 1);
        store.close().await;
    })
    .await;
}

/// Publishes an update at `at`.
pub async fn publish_one(store: &Store, at: DateTime<Utc>) {
    let top_up = TopUp { payment_ref: "a".into(), amount: MicroUsd::from_micros(1_000), expires_at: None };
    let set_up = SetUpOutcome::Ready(Vec::new());
    let commands = [
        Command::TopUp(top_up),
        create(1, RadarType::CompanyReviews),
        Command::FinishSetUp(FinishSetUp { radar_id: RadarId(Uuid::from_u128(1)), lease_no: 0, outcome: set_up }),
        report(1, 1..2),
    ];
    let intents = commands.map(|command| Submission::of(ACCOUNT, command));
    let outcomes = commit_all(store, &intents, at).await.expect("a commit");
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

/// How many deliveries are claimed by a process whose clock says `at`.
async fn claim(store: &Store, at: DateTime<Utc>, lease: TimeDelta) -> usize {
    claimed(store, at, lease).await.len()
}

/// What is claimed by a process whose clock says `at`.
pub async fn claimed(store: &Store, at: DateTime<Utc>, lease: TimeDelta) -> Vec<ClaimedDelivery> {
    let waiting = store.all_waiting_endpoints().await.expect("a look");
    let share = |endpoint_id| EndpointClaim { endpoint_id, account_id: ACCOUNT, count: 10, probe_since: None };
    let shares: Vec<EndpointClaim> = waiting.iter().map(|endpoint| share(endpoint.endpoint_id)).collect();
    assert_eq!(shares.len(), 1);
    store.claim_deliveries(&shares, at, at + lease).await.expect("a claim").deliveries
}

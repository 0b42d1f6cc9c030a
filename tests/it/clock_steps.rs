//! A clock that is set forward by two hours and back again: what was leased or put off meanwhile does not wait until it
//! has caught up.
//!
//! On PostgreSQL leases go by the server's clock, which no test can set: what it would have noted is put into the tables.

use crate::commit_all::commit_all;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use clock::Clock;
use domain::delivery::{AttemptReport, Outcome, RetrySchedule};
use domain::ids::AccountId;
use domain::radar::set_up::FailedAttempts;
use domain::radar_type::RadarType;
use sea_orm::{ConnectionTrait, Database};
use store::{DeliveryWaits, EndedAttempt, FeedValidators, PollRecord, Store, Submission};
use uuid::Uuid;

use crate::commit::{connect_by, create, create_account, now, report, top_up};
use crate::delivery_leases::{claimed, publish_one};
use crate::support::databases::{TestDatabase, on_both_databases};

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));
const STEP: TimeDelta = TimeDelta::hours(2);
const LEASE: TimeDelta = TimeDelta::seconds(45);

/// A process whose clock is ahead.
struct Ahead<'a> {
    database: &'a TestDatabase,
    clock: Clock,
    store: Store,
}

impl<'a> Ahead<'a> {
    async fn new(database: &'a TestDatabase) -> Self {
        let clock = Clock::system();
        let store = connect_by(database, clock.clone()).await;
        create_account(&store, ACCOUNT).await;
        clock.step(STEP);
        Self { database, clock, store }
    }

    /// Sets the clock back. `leased` says what the server's clock, had it been ahead as well, would have noted: columns of a
    /// table.
    async fn set_back(&self, leased: &[(&str, &str)]) {
        self.clock.step(-STEP);
        if !self.database.url().starts_with("postgres") {
            return;
        }
        let server = Database::connect(self.database.url()).await.expect("the server");
        for (table, column) in leased {
            let step = STEP.num_microseconds().expect("few");
            let moved = server.execute_unprepared(&format!("update {table} set {column} = {column} + {step}")).await;
            assert_eq!(moved.expect("a statement").rows_affected(), 1, "{table}");
        }
        server.close().await.expect("an end");
    }

    async fn settle(&self) -> u64 {
        let waits = DeliveryWaits { lease: LEASE, retries: RetrySchedule::default().longest_waits() };
        self.store.settle_clock(&waits, self.clock.now()).await.expect("a settlement")
    }

    async fn delivery_due_in(&self) -> TimeDelta {
        let waiting = self.store.all_waiting_endpoints().await.expect("a look");
        assert_eq!(waiting.len(), 1);
        waiting[0].due_at - self.clock.now()
    }
}

#[actix_web::test]
async fn decision_5_5_a_lease_that_is_longer_than_any_ends_after_the_longest() {
    on_both_databases(|database| async move {
        let ahead = Ahead::new(&database).await;
        publish_one(&ahead.store, ahead.clock.now()).await;
        assert_eq!(claimed(&ahead.store, ahead.clock.now(), LEASE).await.len(), 1);
        ahead.set_back(&[("delivery", "lease_until"), ("delivery", "due_at")]).await;
        assert!(ahead.delivery_due_in().await > TimeDelta::hours(1), "the lease lies far ahead");
        assert!(ahead.settle().await > 0);
        assert!(ahead.delivery_due_in().await <= LEASE);
        assert_eq!(ahead.settle().await, 0, "once is enough");
        assert_eq!(claimed(&ahead.store, ahead.clock.now(), LEASE).await.len(), 0, "an attempt may be under way");
        ahead.clock.step(LEASE);
        if database.url().starts_with("sqlite") {
            assert_eq!(claimed(&ahead.store, ahead.clock.now(), LEASE).await.len(), 1);
        }
        ahead.store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_5_3_a_retry_that_was_put_off_while_the_clock_was_ahead_comes_after_its_wait() {
    on_both_databases(|database| async move {
        let ahead = Ahead::new(&database).await;
        publish_one(&ahead.store, ahead.clock.now()).await;
        let claimed = claimed(&ahead.store, ahead.clock.now(), LEASE).await.remove(0);
        let report = failure(ahead.clock.now());
        let ended = [EndedAttempt { claimed, report }];
        let recorded = ahead.store.record_attempts(&ended, &RetrySchedule::default(), ahead.clock.now()).await;
        assert!(recorded.expect("a record")[0].is_some());
        ahead.set_back(&[]).await;
        assert!(ahead.delivery_due_in().await > TimeDelta::hours(1));
        assert!(ahead.settle().await > 0);
        assert!(ahead.delivery_due_in().await <= TimeDelta::seconds(6), "the wait after a first attempt");
        assert_eq!(ahead.settle().await, 0);
        ahead.store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_1_3_a_set_up_that_was_claimed_or_put_off_while_the_clock_was_ahead_is_due_in_time() {
    for is_under_way in [true, false] {
        on_both_databases(|database| async move {
            let ahead = Ahead::new(&database).await;
            let intent = Submission::of(ACCOUNT, create(1, RadarType::CompanyReviews));
            commit_all(&ahead.store, &[intent], ahead.clock.now()).await.expect("a commit");
            let claimed = ahead.store.claim_set_ups(&[(ACCOUNT, 1)]).await.expect("a claim").remove(0);
            let wait = Duration::from_secs(5);
            let mut moved = vec![("set_up", "due_at")];
            if is_under_way {
                moved.push(("set_up", "lease_until"));
            } else {
                let failed = FailedAttempts { failures: 1, ..FailedAttempts::default() };
                ahead.store.postpone_set_up(&claimed, failed, "away", wait).await.expect("a record");
            }
            ahead.set_back(&moved).await;
            let due_in = || async {
                let next = ahead.store.next_set_ups().await.expect("a look");
                next.unsuspected_in.or(next.suspect_in).expect("a set-up")
            };
            assert!(due_in().await > Duration::from_secs(3_600));
            assert!(ahead.settle().await > 0);
            assert!(due_in().await <= if is_under_way { ahead.store.lease_length() } else { wait });
            assert_eq!(ahead.settle().await, 0);
            ahead.store.close().await;
        })
        .await;
    }
}

#[actix_web::test]
async fn decision_7_3_a_feed_that_was_polled_while_the_clock_was_ahead_is_polled_after_its_interval() {
    on_both_databases(|database| async move {
        let ahead = Ahead::new(&database).await;
        let feed_id = ahead.store.ensure_feed("source", "token", ahead.clock.now()).await.expect("a feed");
        let interval = Duration::from_secs(600);
        for is_under_way in [false, true] {
            let claimed = ahead.store.claim_feed(feed_id).await.expect("a claim").expect("a feed");
            let mut moved = vec![("feed", "next_poll_at")];
            if is_under_way {
                moved.push(("feed", "lease_until"));
            } else {
                let (items, looked_at) = (Vec::new(), Vec::new());
                let validators = FeedValidators::default();
                let record = PollRecord::Succeeded { items, looked_at, validators, interval };
                let polled = ahead.store.record_poll(&claimed, record, ahead.clock.now(), interval).await;
                assert!(polled.expect("a record").is_some());
            }
            ahead.set_back(&moved).await;
            let due_in = || async { ahead.store.next_polls().await.expect("a look").unsuspected_in.expect("a feed") };
            assert!(due_in().await > Duration::from_secs(3_600));
            assert!(ahead.settle().await > 0);
            assert!(due_in().await <= if is_under_way { ahead.store.lease_length() } else { interval });
            assert_eq!(ahead.settle().await, 0);
            ahead.clock.step(STEP);
        }
        ahead.store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_3_5_the_time_of_an_account_does_not_go_back_with_the_clock() {
    on_both_databases(|database| async move {
        let store = connect_by(&database, Clock::system()).await;
        create_account(&store, ACCOUNT).await;
        publish_one(&store, now() + STEP).await;
        // The clock is back, and the account is charged again.
        for (number, command) in [report(1, 2..4), top_up("b", 500), report(1, 4..5)].into_iter().enumerate() {
            let intent = Submission::of(ACCOUNT, command);
            let at = now() + TimeDelta::seconds(i64::try_from(number).expect("few"));
            let decided = commit_all(&store, &[intent], at).await.expect("a commit");
            assert!(decided.iter().all(Result::is_ok), "{decided:?}");
        }
        let audited = store.check_account(ACCOUNT, now()).await.expect("an audit").expect("an account");
        assert!(audited.discrepancies.is_empty(), "{:?}", audited.discrepancies);
        store.close().await;
    })
    .await;
}

fn failure(started_at: DateTime<Utc>) -> AttemptReport {
    AttemptReport {
        outcome: Outcome::Http5xx,
        status: Some(500),
        retry_after: None,
        started_at,
        duration: TimeDelta::zero(),
        remote: None,
        response: None,
        response_truncated: false,
    }
}

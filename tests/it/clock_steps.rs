//! A clock that is set forward by two hours and back again: what was leased or put off meanwhile does not wait until it
//! has caught up.
//!
//! On PostgreSQL leases go by the server's clock, which no test can set: what it would have noted is put into the tables.

use crate::commit_all::commit_all;
use crate::retry_schedule::retry_schedule;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use clock::Clock;
use domain::delivery::redelivery::RedeliveryLimits;
use domain::delivery::{AttemptReport, Outcome};
use domain::ids::AccountId;
use domain::radar::daily_bound::RADAR_DAY;
use domain::radar::set_up::FailedAttempts;
use domain::radar_type::RadarType;
use domain::scheduling::polling::Validators;
use domain::scheduling::shards::shard_of;
use sea_orm::{ConnectionTrait, Database};
use store::{DeliveryWaits, DueTable, EndedAttempt, PollRecord, Store, Submission};
use uuid::Uuid;

use crate::commit::{connect_by, create, create_account, now, radar_id, report, top_up};
use crate::daily_bound::{bound_by, find_at};
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
        let waits = DeliveryWaits { lease: LEASE, retries: retry_schedule().longest_waits() };
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
        let recorded = ahead.store.record_attempts(&ended, &retry_schedule(), ahead.clock.now()).await;
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
                let next = ahead.store.next_due(DueTable::SetUps).await.expect("a look");
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
        let feed_id =
            ahead.store.ensure_feed("source", "token", "host.example", ahead.clock.now()).await.expect("a feed");
        let interval = Duration::from_secs(600);
        for is_under_way in [false, true] {
            let claimed = ahead.store.claim_feed(feed_id).await.expect("a claim").expect("a feed");
            let mut moved = vec![("feed", "next_poll_at")];
            if is_under_way {
                moved.push(("feed", "lease_until"));
            } else {
                let (items, looked_at) = (Vec::new(), Vec::new());
                let validators = Validators::default();
                let record = PollRecord::Succeeded { items, looked_at, validators, interval };
                let polled = ahead.store.record_poll(&claimed, record, ahead.clock.now(), interval).await;
                assert!(polled.expect("a record").is_some());
            }
            ahead.set_back(&moved).await;
            let due_in = || async {
                ahead.store.next_due(DueTable::Feeds).await.expect("a look").unsuspected_in.expect("a feed")
            };
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
async fn decision_4_14_a_day_of_a_radar_that_began_while_the_clock_was_ahead_is_over_in_24_hours() {
    on_both_databases(|database| async move {
        let ahead = Ahead::new(&database).await;
        bound_by(&ahead.store, 1, DateTime::UNIX_EPOCH).await;
        let commands = [top_up("a", 500), create(1, RadarType::CompanyReviews)];
        let intents = commands.map(|command| Submission::of(ACCOUNT, command));
        commit_all(&ahead.store, &intents, ahead.clock.now()).await.expect("a commit");
        assert_eq!(find_at(&ahead.store, 1, 3, ahead.clock.now()).await.held, 2);
        ahead.set_back(&[]).await;
        let radar = async || ahead.store.radar(ACCOUNT, radar_id(1)).await.expect("an answer").expect("a radar").0;
        let release_at = radar().await.daily.release_at.expect("an instant");
        assert!(release_at > ahead.clock.now() + RADAR_DAY + STEP / 2, "it lies far ahead");
        assert_eq!(ahead.settle().await, 2, "the day, and the delivery of what was charged");
        assert!(ahead.delivery_due_in().await <= TimeDelta::zero(), "what was never sent waits for nothing");
        let radar = radar().await;
        let release_at = radar.daily.release_at.expect("an instant");
        assert!(release_at <= ahead.clock.now() + RADAR_DAY);
        assert_eq!((radar.daily.day_ends_at(ahead.clock.now()), radar.daily.held), (Some(release_at), 2));
        let wakes = ahead.store.all_wakes(shard_of(ACCOUNT), None, 10).await.expect("a look");
        assert_eq!(wakes.iter().map(|wake| wake.wake_at).collect::<Vec<_>>(), [release_at]);
        assert_eq!(ahead.settle().await, 0);
        ahead.store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_5_8_what_waits_for_its_turn_at_a_host_is_not_taken_for_noted_by_a_clock_that_was_ahead() {
    on_both_databases(|database| async move {
        let clock = Clock::system();
        let store = connect_by(&database, clock.clone()).await;
        create_account(&store, ACCOUNT).await;
        let ahead = Ahead { database: &database, clock, store };
        publish_one(&ahead.store, ahead.clock.now()).await;
        let claimed = claimed(&ahead.store, ahead.clock.now(), LEASE).await.remove(0);
        let update_id = claimed.delivery.update_id;
        let ended = [EndedAttempt { claimed, report: failure(ahead.clock.now()) }];
        let recorded = ahead.store.record_attempts(&ended, &retry_schedule(), ahead.clock.now()).await;
        assert!(recorded.expect("a record")[0].is_some());
        // Thousands are sent again to its host before it; then the clock is ahead in the midst of that.
        let outside = Database::connect(database.url()).await.expect("the database");
        let turn_in = async |wait: TimeDelta| {
            let next_at = (ahead.clock.now() + wait).timestamp_micros();
            let host = format!(
                "insert into redelivery_host (host, next_at) values ('receiver.example', {next_at}) \
                 on conflict (host) do update set next_at = excluded.next_at"
            );
            outside.execute_unprepared(&host).await.expect("a turn");
        };
        turn_in(TimeDelta::seconds(500)).await;
        ahead.store.resend(ACCOUNT, update_id, ahead.clock.now()).await.expect("an answer").expect("a turn");
        let due_in = ahead.delivery_due_in().await;
        assert!(due_in > TimeDelta::seconds(450), "{due_in}");
        assert_eq!(ahead.settle().await, 0, "no clock was ahead");
        turn_in(TimeDelta::hours(2)).await;
        outside.execute_unprepared("update delivery set due_at = due_at + 7200000000").await.expect("an update");
        assert_eq!(ahead.settle().await, 2, "the delivery, and the next turn");
        assert!(ahead.delivery_due_in().await <= RedeliveryLimits::default().longest_wait());
        assert_eq!(ahead.settle().await, 0);
        outside.close().await.expect("an end");
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
    AttemptReport { status: Some(500), ..AttemptReport::unanswered(Outcome::Http5xx, started_at) }
}

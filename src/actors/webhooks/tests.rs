//! The dispatcher against real receivers and a real database, most of it on a simulated clock.

use crate::commit_all::commit_all;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use prometheus::Registry;
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::no_dispatch::NoDispatch;
use crate::retry_schedule::retry_schedule;
use crate::runtime::{ActorMetrics, Kind};
use domain::account::{
    Command, Creation, Finding, FinishSetUp, Origin, RENEWALS_MAX, Report, SetStatus, SetUpOutcome, Settings,
};
use domain::{
    AccountId, AccountStatus, Approval, AttemptReport, DeliveryFilter, DeliveryState, EncryptionKey, EndpointClaim,
    EndpointFilter, EndpointLimiter, Filter, Gate, GracePeriod, JobId, KeyKind, KeyRing, LoggedDelivery, MicroUsd,
    NewRadar, Outcome, OwnLimits, Price, PricingModel, RadarId, RadarType, RecoveryRange, RedeliveryLimits, Scopes,
    Target,
};
use outbound::address_guard::AddressGuard;
use outbound::transport::{HeaderValue, Transport};
use store::{ApiKey, ClaimedDelivery, DatabaseSettings, Dispatch, NewAccount, StoreError, StoreRules, Submission};
use webhooks::secret::WebhookSecret;

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));
const OTHER: AccountId = AccountId(Uuid::from_u128(2));
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60);
const HANGS: u16 = 0;

/// A receiver that answers with a status that the test can change, or hangs, and the requests that it has seen.
#[derive(Clone)]
struct Receiver {
    port: u16,
    status: Arc<AtomicU16>,
    /// In seconds; none when it is 0.
    retry_after: Arc<AtomicU16>,
    seen: Arc<Mutex<Vec<(i64, String)>>>,
}

impl Receiver {
    fn start(status: u16) -> Self {
        let status = Arc::new(AtomicU16::new(status));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let retry_after = Arc::new(AtomicU16::new(0));
        let (answer, pause, log) = (status.clone(), retry_after.clone(), seen.clone());
        let server = HttpServer::new(move || {
            let (answer, pause, log) = (answer.clone(), pause.clone(), log.clone());
            App::new().default_service(web::to(move |request: HttpRequest, body: String| {
                let sequence = request.headers().get("webhook-sequence").unwrap().to_str().unwrap().parse().unwrap();
                log.lock().unwrap().push((sequence, body));
                let (status, pause) = (answer.load(SeqCst), pause.load(SeqCst));
                async move {
                    if status == HANGS {
                        std::future::pending::<()>().await;
                    }
                    let mut response = HttpResponse::build(status.try_into().unwrap());
                    if pause > 0 {
                        response.insert_header(("retry-after", pause.to_string()));
                    }
                    response.finish()
                }
            }))
        });
        let server = server.workers(1).shutdown_timeout(0).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        actix::spawn(server.run());
        Self { port, status, retry_after, seen }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    fn sequences(&self) -> Vec<i64> {
        self.seen.lock().unwrap().iter().map(|(sequence, _)| *sequence).collect()
    }
}

struct World {
    clock: Clock,
    store: Arc<Store>,
    dispatcher: DispatcherHandle,
    actor_metrics: ActorMetrics,
    _folder: TempDir,
}

/// Runs a test on a thread of its own, with a clock that moves only on request.
fn simulated<T: Future<Output = ()>>(test: impl FnOnce(Clock) -> T + 'static) {
    let clock = Clock::simulated(DateTime::from_timestamp(1_700_000_000, 0).unwrap());
    let runtime = clock.runtime().unwrap();
    let system = actix::System::with_tokio_rt(|| runtime);
    system.block_on(async move {
        let driven = clock.clone();
        actix::spawn(async move { driven.drive().await });
        test(clock).await;
    });
}

impl World {
    async fn new(clock: Clock, faults: Faults) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings =
            DatabaseSettings { url: format!("sqlite://{}/radar.db", folder.path().display()), max_connections: 4 };
        let price = Price {
            model: PricingModel::UpdateBased,
            rate: MicroUsd::ZERO,
            grace_period: GracePeriod::None,
            findings_per_day: 200,
        };
        let rules = StoreRules {
            default_prices: Arc::new(BTreeMap::from([(RadarType::IndustryFundingRounds, price)])),
            render: |update| format!(r#"{{"update_id":"{}"}}"#, update.update_id),
            render_alert: |_| String::new(),
            money: Settings::default(),
            redeliveries: RedeliveryLimits::default(),
            secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
        };
        let store = Store::open(&settings, rules, clock.clone()).await.unwrap();
        let store = Arc::new(store.with_faults(faults.clone()));
        for (number, account_id) in (1_u128..).zip([ACCOUNT, OTHER]) {
            create_account(&store, account_id, number).await;
        }
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        let transport = Transport::new(guard, clock.clone());
        let user_agent = HeaderValue::from_static("radar");
        let parts = DispatcherParts {
            store: store.clone(),
            clock: clock.clone(),
            sender: Sender::new(transport, clock.clone(), user_agent, ATTEMPT_TIMEOUT),
            schedule: retry_schedule(),
            concurrency: 20,
            figures: DispatchFigures::new(&Registry::new()).unwrap(),
            faults,
        };
        let actor_metrics = ActorMetrics::new(clock.clone());
        let dispatcher = start(&parts, &actor_metrics);
        Self { clock, store, dispatcher, actor_metrics, _folder: folder }
    }

    /// Publishes `count` updates for `receiver` past the dispatcher, which has to find them in the table.
    async fn publish(&self, receiver: &Receiver, count: usize) {
        self.publish_with(&NoDispatch, ACCOUNT, &receiver.url("hook"), count).await;
        self.dispatcher.kick();
    }

    /// Publishes `count` updates for `receiver` as the ledger does, which hands them over.
    async fn hand_over(&self, receiver: &Receiver, count: usize) {
        self.publish_with(&self.dispatcher, ACCOUNT, &receiver.url("hook"), count).await;
    }

    async fn set_status(&self, status: AccountStatus) {
        let intent = Submission::of(ACCOUNT, Command::SetStatus(SetStatus { status }));
        let decisions = commit_all(&self.store, &[intent], self.clock.now()).await.unwrap();
        assert!(decisions.iter().all(Result::is_ok), "{decisions:?}");
    }

    /// Publishes `count` updates for `url`, as a radar of their own.
    async fn publish_with(&self, dispatch: &dyn Dispatch, account_id: AccountId, url: &str, count: usize) {
        self.commit(self.intents(account_id, url, count), dispatch).await.unwrap();
    }

    async fn commit(
        &self,
        intents: impl IntoIterator<Item = Submission>,
        dispatch: &dyn Dispatch,
    ) -> Result<(), StoreError> {
        let submissions: Vec<Submission> = intents.into_iter().collect();
        let submissions: Vec<&Submission> = submissions.iter().collect();
        let committed = self.store.commit(&submissions, self.clock.now(), RENEWALS_MAX, dispatch).await?;
        assert!(committed.decisions.iter().flatten().all(Result::is_ok), "{committed:?}");
        Ok(())
    }

    fn intents(&self, account_id: AccountId, url: &str, count: usize) -> [Submission; 3] {
        let radar_id = RadarId(Uuid::now_v7());
        let wanted = NewRadar {
            radar_type: RadarType::IndustryFundingRounds,
            target: Target::Industry { keyword: Some(radar_id.to_string()), countries: Vec::new() },
            filter: Filter::Everything,
            webhook_url: Some(url.to_owned()),
            webhook_format: None,
            custom_fields: BTreeMap::new(),
        };
        let findings = (0..count).map(|_| Finding {
            record_id: Uuid::now_v7(),
            content: "{}".to_owned(),
            detected_at: self.clock.now(),
            origin: Origin::Pushed,
            event: None,
            provenance: None,
        });
        let commands = [
            Command::Create(Box::new(Creation { radar_id, wanted, needs_set_up: true })),
            Command::FinishSetUp(FinishSetUp { radar_id, lease_no: 0, outcome: SetUpOutcome::Ready(Vec::new()) }),
            Command::Report(Report { radar_id, findings: findings.collect(), cursor: None }),
        ];
        commands.map(|command| Submission::of(account_id, command))
    }

    async fn advance(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds)).await.unwrap();
    }

    async fn deliveries(&self) -> Vec<LoggedDelivery> {
        self.store.all_deliveries(DeliveryFilter::default(), 1000).await.unwrap()
    }

    /// How many deliveries are in each state.
    async fn states(&self) -> BTreeMap<&'static str, usize> {
        let mut states = BTreeMap::new();
        for delivery in self.deliveries().await {
            *states.entry(delivery.delivery.state.as_str()).or_default() += 1;
        }
        states
    }

    fn outcome_count(&self, outcome: Outcome) -> u64 {
        self.dispatcher.figures().outcomes().find(|(other, _)| *other == outcome).unwrap().1
    }
}

async fn create_account(store: &Store, account_id: AccountId, number: u128) {
    let now = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
    let api_key = ApiKey {
        key_id: Uuid::from_u128(number),
        key_hash: format!("hash {number}"),
        key_hint: "hint".to_owned(),
        kind: KeyKind::Program,
        created_at: now,
        scopes: Scopes::ALL,
        expires_at: None,
        revoked_at: None,
    };
    let account = NewAccount {
        account_id,
        name: format!("Account {number}"),
        approval: Approval::Auto,
        limits: OwnLimits::default(),
        webhook_secret: WebhookSecret::generate([9; 32]).expose(),
        api_key,
    };
    store.create_account(account, now).await.unwrap();
}

#[test]
fn updates_arrive_once_each_with_their_sequence_and_their_frozen_body() {
    for is_handed_over in [false, true] {
        simulated(move |clock| all_arrive(clock, is_handed_over));
    }
}

async fn all_arrive(clock: Clock, is_handed_over: bool) {
    let world = World::new(clock, Faults::default()).await;
    let receiver = Receiver::start(200);
    if is_handed_over {
        world.hand_over(&receiver, 30).await;
    } else {
        world.publish(&receiver, 30).await;
    }
    world.advance(0).await;

    let seen = receiver.seen.lock().unwrap().clone();
    let sequences: BTreeSet<i64> = seen.iter().map(|(sequence, _)| *sequence).collect();
    assert_eq!((seen.len(), sequences), (30, (1..=30).collect()));
    for delivery in world.deliveries().await {
        assert_eq!(delivery.delivery.state, DeliveryState::Delivered);
        assert_eq!((delivery.finished_at, delivery.lease_until), (Some(world.clock.now()), None));
        let update_id = delivery.delivery.update_id;
        assert!(seen.contains(&(delivery.sequence, format!(r#"{{"update_id":"{update_id}"}}"#))));
        let attempts = world.store.attempts(ACCOUNT, update_id).await.unwrap();
        assert_eq!(attempts.iter().map(|one| (one.attempt_no, one.outcome)).collect::<Vec<_>>(), [(1, Outcome::Ok)]);
    }
    assert_eq!((world.outcome_count(Outcome::Ok), world.dispatcher.figures().in_flight()), (30, 0));
}

#[test]
fn what_a_commit_hands_over_needs_no_claim_and_a_commit_that_fails_leaves_its_room() {
    simulated(|clock| async {
        let (claims, fails) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(true)));
        let (counted, failing) = (claims.clone(), fails.clone());
        let faults = Faults::failing(move |point, _| match point {
            "store.written" if failing.load(SeqCst) => Err(store::faults::InjectedFault { point }),
            "dispatcher.before_claim" => {
                counted.fetch_add(1, SeqCst);
                Ok(())
            }
            _ => Ok(()),
        });
        let world = World::new(clock, faults).await;
        let receiver = Receiver::start(200);
        for _ in 0..20 {
            let intents = world.intents(ACCOUNT, &receiver.url("hook"), 8);
            world.commit(intents, &world.dispatcher).await.unwrap_err();
        }
        fails.store(false, SeqCst);
        world.hand_over(&receiver, 8).await;
        world.advance(0).await;
        assert_eq!((world.states().await, claims.load(SeqCst)), (BTreeMap::from([("delivered", 8)]), 0));
        assert_eq!(world.actor_metrics.figures(Kind::WebhookDispatcher).refused, 0);

        // Of a proven endpoint as many fit into memory as it may have there; the rest is claimed in the table.
        world.hand_over(&receiver, 400).await;
        world.advance(0).await;
        assert_eq!(world.states().await, BTreeMap::from([("delivered", 408)]));
        assert!(claims.load(SeqCst) > 0);
        assert_eq!(receiver.sequences().len(), 408);
    });
}

#[test]
fn decision_4_12_what_waits_for_a_stopped_account_is_not_attempted_and_uses_up_no_attempts() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(500);
        world.publish(&receiver, 3).await;
        world.hand_over(&receiver, 3).await;
        world.advance(0).await;
        let attempts = |waiting: &[LoggedDelivery]| waiting.iter().map(|one| one.delivery.attempts).sum::<u32>();
        let before = attempts(&world.deliveries().await);
        assert!(before > 0);

        world.set_status(AccountStatus::Inactive).await;
        receiver.status.store(200, SeqCst);
        world.publish_with(&world.dispatcher, OTHER, &receiver.url("other"), 1).await;
        world.advance(86_400).await;
        assert_eq!(world.states().await, BTreeMap::from([("delivered", 1), ("pending", 6)]));
        assert_eq!(attempts(&world.deliveries().await), before + 1, "only the other account's");

        world.set_status(AccountStatus::Active).await;
        world.dispatcher.kick();
        world.advance(0).await;
        world.advance(3_600).await;
        assert_eq!(world.states().await, BTreeMap::from([("delivered", 7)]));
        assert_eq!(world.outcome_count(Outcome::Ok), 7);
    });
}

#[test]
fn a_receiver_that_keeps_failing_gets_ten_attempts_on_the_schedule() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(500);
        world.publish(&receiver, 1).await;
        world.advance(4 * 86_400).await;

        let delivery = world.deliveries().await.remove(0).delivery;
        assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Exhausted, 10));
        let attempts = world.store.attempts(ACCOUNT, delivery.update_id).await.unwrap();
        let schedule = retry_schedule();
        for (number, pair) in (1..).zip(attempts.windows(2)) {
            let wait = schedule.wait_after(delivery.update_id, number).unwrap();
            assert_eq!(pair[1].started_at - pair[0].started_at, wait, "after attempt {number}");
        }
        assert_eq!((attempts.len(), receiver.sequences().len()), (10, 10));
    });
}

#[test]
fn while_the_breaker_is_open_deliveries_wait_without_using_up_attempts() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(503);
        world.publish(&receiver, 100).await;
        world.advance(0).await;
        let first_wave = receiver.sequences().len();
        assert!((5..=8).contains(&first_wave), "{first_wave} attempts before the breaker stopped them");
        assert!(matches!(world.deliveries().await[0].health.gate(world.clock.now()), Gate::Wait(_)));

        world.advance(3600).await;
        let probes = receiver.sequences().len() - first_wave;
        assert!((5..=8).contains(&probes), "{probes} probes in an hour");
        let used: u32 = world.deliveries().await.iter().map(|one| one.delivery.attempts).sum();
        assert_eq!(used as usize, first_wave + probes);

        receiver.status.store(200, SeqCst);
        world.advance(4000).await;
        assert_eq!(world.states().await, BTreeMap::from([("delivered", 100)]));
    });
}

#[test]
fn gone_holds_everything_until_the_endpoint_is_enabled() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(410);
        world.publish(&receiver, 1).await;
        world.advance(0).await;
        world.publish(&receiver, 5).await;
        world.advance(86_400).await;
        assert_eq!(world.states().await, BTreeMap::from([("held", 6)]));
        assert_eq!(receiver.sequences(), [1]);

        receiver.status.store(204, SeqCst);
        let endpoints = world.store.endpoints(ACCOUNT, EndpointFilter::default(), 10).await.unwrap();
        let endpoint_id = endpoints[0].endpoint_id;
        let stranger = AccountId(Uuid::from_u128(77));
        assert_eq!(world.store.enable_endpoint(stranger, endpoint_id, world.clock.now()).await.unwrap(), None);
        let released = world.store.enable_endpoint(ACCOUNT, endpoint_id, world.clock.now()).await.unwrap();
        world.dispatcher.kick();
        world.advance(0).await;
        assert_eq!((released, world.states().await), (Some(6), BTreeMap::from([("delivered", 6)])));
    });
}

#[test]
fn what_was_given_up_is_resent_under_its_old_name() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(500);
        world.publish(&receiver, 1).await;
        world.advance(4 * 86_400).await;
        receiver.status.store(200, SeqCst);
        let update_id = world.deliveries().await[0].delivery.update_id;
        assert_eq!(world.store.resend(ACCOUNT, update_id, world.clock.now()).await.unwrap(), Ok(()));
        world.dispatcher.kick();
        world.advance(0).await;
        let delivery = world.deliveries().await.remove(0).delivery;
        assert_eq!((delivery.update_id, delivery.state, delivery.attempts), (update_id, DeliveryState::Delivered, 1));
        assert_eq!(world.store.attempts(ACCOUNT, update_id).await.unwrap().last().unwrap().attempt_no, 11);
    });
}

#[test]
fn decision_5_8_what_is_sent_again_takes_turns_at_its_host_and_what_is_new_does_not_wait() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(200);
        world.publish(&receiver, 150).await;
        world.advance(1).await;
        let (recovery_id, until) = (JobId(Uuid::from_u128(7)), world.clock.now());
        let since = until - TimeDelta::days(1);
        let range = RecoveryRange { account_id: Some(ACCOUNT), since, until, radar_type: None, with_delivered: true };
        assert!(world.store.begin_recovery(recovery_id, range, until).await.unwrap().is_some());
        world.dispatcher.kick();
        world.advance(2).await;
        assert_eq!(receiver.sequences().len(), 150 + 21, "ten in a second");
        world.hand_over(&receiver, 5).await;
        world.publish(&receiver, 5).await;
        world.advance(0).await;
        assert_eq!(receiver.sequences().len(), 150 + 21 + 10, "what is new goes at once");
        world.advance(60).await;
        assert_eq!(receiver.sequences().len(), 150 + 150 + 10);
        let recovery = world.store.recovery(ACCOUNT, recovery_id).await.unwrap().unwrap();
        assert_eq!((recovery.done, recovery.finished_at.is_some()), (150, true));
    });
}

#[actix_web::test]
async fn decision_5_1_a_clock_that_is_set_back_delays_no_reading_of_the_table() {
    let world = World::new(Clock::system(), Faults::default()).await;
    let receiver = Receiver::start(200);
    let arrived = async |count: usize| {
        while receiver.sequences().len() < count {
            world.clock.sleep(Duration::from_millis(10)).await;
        }
    };
    world.clock.step(TimeDelta::hours(2));
    world.publish(&receiver, 1).await;
    arrived(1).await;
    world.clock.step(TimeDelta::hours(-2));
    // Nobody tells the dispatcher of this one.
    world.publish_with(&NoDispatch, ACCOUNT, &receiver.url("hook"), 1).await;
    let found = world.clock.real_timeout(Duration::from_secs(60), arrived(2)).await;
    assert!(found.is_some(), "the table is not read until the clock has caught up");
}

#[test]
fn an_attempt_that_crashes_is_repeated_when_its_lease_ends() {
    for point in ["dispatcher.before_send", "dispatcher.before_record"] {
        simulated(move |clock| async move {
            let has_crashed = AtomicBool::new(false);
            let faults = Faults::new(move |passed, _| {
                assert!(passed != point || has_crashed.swap(true, SeqCst), "a fault");
            });
            let world = World::new(clock, faults).await;
            let receiver = Receiver::start(200);
            world.publish(&receiver, 1).await;
            world.advance(0).await;
            assert_eq!(world.states().await, BTreeMap::from([("pending", 1)]));
            assert_eq!(world.dispatcher.figures().in_flight(), 0);
            world.advance(120).await;
            assert_eq!(world.states().await, BTreeMap::from([("delivered", 1)]));
        });
    }
}

#[test]
fn a_dispatcher_that_crashes_is_restarted_and_goes_on() {
    for point in ["dispatcher.before_claim", "dispatcher.after_claim"] {
        simulated(move |clock| async move {
            let has_crashed = AtomicBool::new(false);
            let faults = Faults::new(move |passed, _| {
                assert!(passed != point || has_crashed.swap(true, SeqCst), "a fault");
            });
            let world = World::new(clock, faults).await;
            let receiver = Receiver::start(200);
            world.publish(&receiver, 3).await;
            world.advance(120).await;
            assert_eq!(world.states().await, BTreeMap::from([("delivered", 3)]));
            assert_eq!(world.actor_metrics.figures(Kind::WebhookDispatcher).restarts, 1);
        });
    }
}

#[actix_web::test]
async fn a_receiver_that_hangs_slows_nobody_else_and_a_hasty_stop_gives_its_attempts_back() {
    let world = World::new(Clock::system(), Faults::default()).await;
    let (hanging, healthy) = (Receiver::start(HANGS), Receiver::start(200));
    world.publish(&hanging, 50).await;
    world.publish(&healthy, 200).await;
    while world.outcome_count(Outcome::Ok) < 200 {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        world.outcome_count(Outcome::Timeout),
        0,
        "the healthy receiver has everything before the first time-out"
    );
    assert!((1..=4).contains(&world.dispatcher.figures().in_flight()));

    world.dispatcher.cancel().await;
    assert_eq!(world.dispatcher.figures().in_flight(), 0);
    assert_eq!(world.states().await, BTreeMap::from([("delivered", 200), ("pending", 50)]));
    for delivery in world.deliveries().await.iter().filter(|one| one.delivery.state == DeliveryState::Pending) {
        assert_eq!((delivery.delivery.attempts, delivery.lease_until), (0, None));
        assert!(delivery.delivery.due_at.unwrap() <= world.clock.now());
    }
}

#[actix_web::test]
async fn a_drained_dispatcher_has_recorded_what_it_began_and_begins_nothing_more() {
    let world = World::new(Clock::system(), Faults::default()).await;
    let receiver = Receiver::start(200);
    world.publish(&receiver, 100).await;
    while receiver.sequences().is_empty() {
        tokio::task::yield_now().await;
    }
    world.dispatcher.drain().await;
    let seen = receiver.sequences().len();
    assert_eq!(world.states().await.get("delivered"), Some(&seen));
    world.dispatcher.kick();
    world.dispatcher.drain().await;
    assert_eq!(receiver.sequences().len(), seen);
}

#[test]
fn a_result_under_a_lost_lease_is_refused_and_a_probe_goes_to_one_process_only() {
    simulated(async |clock| claim_and_record(World::new(clock, Faults::default()).await).await);
}

async fn claim_and_record(world: World) {
    world.dispatcher.drain().await;
    let receiver = Receiver::start(200);
    world.publish(&receiver, 3).await;
    let (store, schedule, now) = (&world.store, retry_schedule(), world.clock.now());
    let lease_until = now + TimeDelta::seconds(60);
    let mut waiting = WaitingEndpoints::default();
    waiting.replace(store.all_waiting_endpoints().await.unwrap());
    let plan = waiting.plan(&mut EndpointLimiter::new(20), now, 2);

    let claim = async |now| {
        let claimed = store.claim_deliveries(&plan.claims, now, now + TimeDelta::seconds(60)).await.unwrap();
        (claimed.deliveries, claimed.next[0].1)
    };
    let (lost, next_at) = claim(now).await;
    assert!(lost.len() == 2 && next_at.unwrap() <= now, "no more than the share");
    let (rest, next_at) = claim(now).await;
    assert_eq!((rest.len(), next_at), (1, Some(lease_until)), "nothing twice");
    world.advance(60).await;
    let (again, _) = claim(lease_until).await;
    assert_eq!(again[0].delivery.update_id, lost[0].delivery.update_id);
    assert_eq!((lost[0].lease_no, again[0].lease_no), (1, 2));

    let record = async |outcome, claimed: &[&ClaimedDelivery]| {
        let ended =
            |claimed: &&ClaimedDelivery| EndedAttempt { claimed: (*claimed).clone(), report: report(outcome, now) };
        let ended: Vec<_> = claimed.iter().map(ended).collect();
        let recorded = store.record_attempts(&ended, &schedule, now).await.unwrap();
        recorded.iter().map(Option::is_some).collect::<Vec<_>>()
    };
    let both = [&lost[0], &again[0]];
    assert_eq!(record(Outcome::Http5xx, &both).await, [false, true], "only under the newest claim");
    assert_eq!(record(Outcome::Http5xx, &both).await, [false, false], "a result is recorded once");
    assert_eq!(store.attempts(ACCOUNT, lost[0].delivery.update_id).await.unwrap().len(), 1);
    let both = [&lost[1], &again[1]];
    assert_eq!(record(Outcome::Ok, &both).await, [false, true], "the same for a success");
    let states = world.states().await;
    assert_eq!(states, BTreeMap::from([("delivered", 1), ("pending", 2)]));

    let claim = EndpointClaim { probe_since: Some(now), ..plan.claims[0] };
    let later = lease_until + LEASE_MARGIN;
    let refused = store.claim_deliveries(&[claim], later, later + LEASE_MARGIN).await.unwrap();
    assert!(refused.deliveries.is_empty(), "the breaker of this endpoint was not open until then");
}

fn report(outcome: Outcome, started_at: DateTime<Utc>) -> AttemptReport {
    AttemptReport::unanswered(outcome, started_at)
}

#[actix_web::test]
async fn a_hundred_fresh_endpoints_that_hang_take_no_place_from_another_account() {
    let world = World::new(Clock::system(), Faults::default()).await;
    let (hanging, healthy) = (Receiver::start(HANGS), Receiver::start(200));
    let fresh = (0..100).flat_map(|number| world.intents(ACCOUNT, &hanging.url(&format!("{number}")), 1));
    world.commit(fresh, &world.dispatcher).await.unwrap();
    while hanging.sequences().is_empty() {
        tokio::task::yield_now().await;
    }
    world.publish_with(&world.dispatcher, OTHER, &healthy.url("hook"), 50).await;
    while world.outcome_count(Outcome::Ok) < 50 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.outcome_count(Outcome::Timeout), 0, "everything arrived before the first time-out");
    assert_eq!(hanging.sequences().len(), 2, "what an account gets of the five places of suspect endpoints");
    world.dispatcher.cancel().await;
}

#[test]
fn decision_5_3_ten_attempts_in_75_hours_none_early_and_none_more_than_a_fifth_late() {
    const WAITS_S: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(500);
        world.publish(&receiver, 1).await;
        world.advance(0).await;
        for attempts in 1..10 {
            let delivery = world.deliveries().await.remove(0).delivery;
            assert_eq!(delivery.attempts, attempts);
            let wait = delivery.due_at.unwrap() - world.clock.now();
            world.clock.advance(wait - TimeDelta::microseconds(1)).await.unwrap();
            assert_eq!(receiver.sequences().len(), attempts as usize, "not a microsecond early");
            world.clock.advance(TimeDelta::microseconds(1)).await.unwrap();
        }
        let delivery = world.deliveries().await.remove(0).delivery;
        assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Exhausted, 10));
        let attempts = world.store.attempts(ACCOUNT, delivery.update_id).await.unwrap();
        assert_eq!(attempts.len(), 10);
        for (pair, wait_s) in attempts.windows(2).zip(WAITS_S) {
            let (waited, wait) = (pair[1].started_at - pair[0].started_at, TimeDelta::seconds(wait_s));
            assert!(wait <= waited && waited <= wait + wait / 5, "{waited} instead of {wait}");
        }
        let total = TimeDelta::seconds(WAITS_S.iter().sum());
        let took = attempts[9].started_at - attempts[0].started_at;
        assert!(total <= took && took <= total + total / 5, "{took}");
    });
}

#[test]
fn an_endpoint_lives_through_a_pause_a_breaker_disabling_and_release_in_this_order_to_the_second() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(200);
        world.publish(&receiver, 1).await;
        world.advance(10).await;
        let base = world.clock.now();
        let began_at = async || {
            let mut began = Vec::new();
            for delivery in world.deliveries().await {
                let attempts = world.store.attempts(ACCOUNT, delivery.delivery.update_id).await.unwrap();
                began.extend(attempts.iter().map(|one| (one.started_at - base).num_milliseconds()));
            }
            began.retain(|began_at| *began_at >= 0);
            began.sort_unstable();
            began
        };
        let health =
            async || world.store.endpoints(ACCOUNT, EndpointFilter::default(), 1).await.unwrap().remove(0).health;

        // A requested pause keeps the endpoint's other deliveries waiting as well.
        receiver.status.store(503, SeqCst);
        receiver.retry_after.store(600, SeqCst);
        world.publish(&receiver, 1).await;
        world.advance(1).await;
        receiver.retry_after.store(0, SeqCst);
        world.publish(&receiver, 1).await;
        world.advance(598).await;
        assert_eq!(began_at().await, [0], "599 seconds after the pause was asked for");
        world.advance(1).await;
        assert_eq!(began_at().await, [0, 600_000, 600_000], "both, to the second");

        // The fourth and fifth failure in a row: the breaker opens, and lets one probe through after 30 seconds.
        world.publish(&receiver, 2).await;
        world.advance(20).await;
        assert_eq!(began_at().await, [0, 600_000, 600_000, 600_000, 600_000]);
        assert_eq!(health().await.consecutive_failures, 5);
        let open_until = health().await.breaker_open_until.unwrap();
        assert_eq!(open_until - base, TimeDelta::seconds(630));
        world.publish(&receiver, 1).await;
        world.clock.advance(open_until - world.clock.now() - TimeDelta::milliseconds(1)).await.unwrap();
        assert_eq!(began_at().await.len(), 5, "not a millisecond early");
        world.clock.advance(TimeDelta::milliseconds(1)).await.unwrap();
        assert_eq!(began_at().await[5..], [630_000], "one probe");
        let next_probe = health().await.breaker_open_until.unwrap();
        assert_eq!(next_probe - open_until, TimeDelta::seconds(60), "twice as long");

        // Five days and twenty attempts without success: disabled, and everything is held.
        for number in 0.. {
            assert!(number < 60, "it is never disabled");
            if health().await.disabled.is_some() {
                break;
            }
            world.publish(&receiver, 1).await;
            world.advance(6 * 3_600).await;
        }
        let (reason, disabled_at) = health().await.disabled.unwrap();
        assert_eq!(reason.as_str(), "failing");
        let failing_for = disabled_at - base;
        assert!(failing_for >= TimeDelta::days(5) && failing_for < TimeDelta::hours(5 * 24 + 13), "{failing_for}");
        assert!(began_at().await.len() >= 20);
        world.publish(&receiver, 2).await;
        world.advance(2 * 86_400).await;
        let attempted = began_at().await.len();
        let states = world.states().await;
        assert!(states["held"] >= 3 && !states.contains_key("pending"), "{states:?}");

        // Released at the instant at which it is enabled.
        receiver.status.store(200, SeqCst);
        let endpoint_id = world.store.endpoints(ACCOUNT, EndpointFilter::default(), 1).await.unwrap()[0].endpoint_id;
        let released = world.store.enable_endpoint(ACCOUNT, endpoint_id, world.clock.now()).await.unwrap();
        let enabled_at = (world.clock.now() - base).num_milliseconds();
        world.dispatcher.kick();
        world.advance(0).await;
        let began = began_at().await;
        assert_eq!(began.len() - attempted, released.unwrap() as usize);
        assert!(began[attempted..].iter().all(|began_at| *began_at == enabled_at), "{:?}", &began[attempted..]);
        assert!(!world.states().await.contains_key("held"));
    });
}

#[test]
fn spec_6_4_what_is_over_goes_in_small_steps_account_by_account_with_its_attempts() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(200);
        for (account_id, count) in [(ACCOUNT, 5), (OTHER, 3)] {
            world.publish_with(&world.dispatcher, account_id, &receiver.url("hook"), count).await;
        }
        world.advance(1).await;
        let before = world.clock.now();
        let old = world.deliveries().await;
        world.publish(&receiver, 2).await;
        world.advance(1).await;

        let (mut steps, mut from) = (Vec::new(), None);
        loop {
            let purged = world.store.purge_updates(before, from, 2).await.unwrap();
            steps.push(purged.removed);
            match purged.next {
                Some(next) => from = Some(next),
                None => break,
            }
        }
        assert_eq!((steps.iter().sum::<usize>(), steps.iter().max()), (8, Some(&2)), "{steps:?}");
        assert_eq!(world.states().await, BTreeMap::from([("delivered", 2)]));
        for delivery in old {
            let attempts = world.store.attempts(delivery.account_id, delivery.delivery.update_id).await.unwrap();
            assert!(attempts.is_empty());
        }
        let nothing = world.store.purge_updates(before, None, 2).await.unwrap();
        assert_eq!((nothing.removed, nothing.next), (0, None));
    });
}

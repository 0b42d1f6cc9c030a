//! The dispatcher against real receivers and a real database, most of it on a simulated clock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::SeqCst};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::actors::census::{Census, Kind};
use crate::domain::approval::Approval;
use crate::domain::book::{Command, Creation, Finding, SetUpOutcome, Settings};
use crate::domain::delivery::{AttemptReport, DeliveryState, Outcome};
use crate::domain::delivery_lanes::Share;
use crate::domain::endpoint_health::Gate;
use crate::domain::filter::Filter;
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::money::MicroUsd;
use crate::domain::pricing::Price;
use crate::domain::radar::{GracePeriod, NewRadar, PricingModel};
use crate::domain::radar_type::RadarType;
use crate::domain::sealing::{KeyRing, SealingKey};
use crate::domain::target::Target;
use crate::outbound::address_guard::AddressGuard;
use crate::outbound::transport::{HeaderValue, Transport};
use crate::store::{
    ApiKey, DatabaseSettings, DeliveryFilter, Intent, LoggedDelivery, NewAccount, OwnLimits, Resend, StoreRules,
};
use crate::webhooks::secret::WebhookSecret;

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60);
const HANGS: u16 = 0;

/// A receiver that answers with a status that the test can change, or hangs, and the requests that it has seen.
#[derive(Clone)]
struct Receiver {
    port: u16,
    status: Arc<AtomicU16>,
    seen: Arc<Mutex<Vec<(i64, String)>>>,
}

impl Receiver {
    fn start(status: u16) -> Self {
        let status = Arc::new(AtomicU16::new(status));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (status.clone(), seen.clone());
        let server = HttpServer::new(move || {
            let (answer, log) = (answer.clone(), log.clone());
            App::new().default_service(web::to(move |request: HttpRequest, body: String| {
                let sequence = request.headers().get("webhook-sequence").unwrap().to_str().unwrap().parse().unwrap();
                log.lock().unwrap().push((sequence, body));
                let status = answer.load(SeqCst);
                async move {
                    if status == HANGS {
                        std::future::pending::<()>().await;
                    }
                    HttpResponse::build(status.try_into().unwrap()).finish()
                }
            }))
        });
        let server = server.workers(1).shutdown_timeout(0).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        actix::spawn(server.run());
        Self { port, status, seen }
    }

    fn sequences(&self) -> Vec<i64> {
        self.seen.lock().unwrap().iter().map(|(sequence, _)| *sequence).collect()
    }
}

struct World {
    clock: Clock,
    store: Arc<Store>,
    dispatcher: DispatcherHandle,
    census: Census,
    _folder: TempDir,
}

/// Runs a test on a thread of its own, with a clock that moves only when told to.
fn simulated<T: Future<Output = ()>>(test: impl FnOnce(Clock) -> T + 'static) {
    let clock = Clock::simulated(DateTime::from_timestamp(1_700_000_000, 0).unwrap());
    let parking = clock.clone();
    let system = actix::System::with_tokio_rt(move || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .on_thread_park(move || parking.on_thread_park())
            .build()
            .unwrap()
    });
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
        let price = Price { model: PricingModel::UpdateBased, rate: MicroUsd::ZERO, grace_period: GracePeriod::None };
        let rules = StoreRules {
            default_prices: Arc::new(BTreeMap::from([(RadarType::IndustryFundingRounds, price)])),
            render: |update| format!(r#"{{"update_id":"{}"}}"#, update.update_id),
            render_alert: |_| String::new(),
            money: Settings::default(),
            secret_keys: Arc::new(KeyRing::of_one(SealingKey::from_bytes([7; 32]))),
        };
        let store = Arc::new(Store::open(&settings, rules, clock.clone()).await.unwrap());
        let api_key = ApiKey {
            key_id: Uuid::from_u128(2),
            key_hash: "hash".to_owned(),
            key_hint: "hint".to_owned(),
            created_at: clock.now(),
            revoked_at: None,
        };
        let account = NewAccount {
            account_id: ACCOUNT,
            name: "Acme".to_owned(),
            approval: Approval::Auto,
            limits: OwnLimits::default(),
            webhook_secret: WebhookSecret::generate([9; 32]).expose(),
            api_key,
        };
        store.create_account(account, clock.now()).await.unwrap();
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        let transport = Transport::new(guard, clock.clone());
        let user_agent = HeaderValue::from_static("radar");
        let parts = DispatcherParts {
            store: store.clone(),
            clock: clock.clone(),
            sender: Sender::new(transport, clock.clone(), user_agent, ATTEMPT_TIMEOUT),
            schedule: RetrySchedule::default(),
            concurrency: 20,
            faults,
        };
        let census = Census::new(clock.clone());
        let dispatcher = start(&parts, &census);
        Self { clock, store, dispatcher, census, _folder: folder }
    }

    /// Publishes `count` updates for `receiver`, as a radar of their own.
    async fn publish(&self, receiver: &Receiver, count: usize) {
        let radar_id = RadarId(Uuid::now_v7());
        let wanted = NewRadar {
            radar_type: RadarType::IndustryFundingRounds,
            target: Target::Industry { keyword: Some(radar_id.to_string()), countries: Vec::new() },
            filter: Filter::Everything,
            webhook_url: Some(format!("http://127.0.0.1:{}/hook", receiver.port)),
            custom_fields: BTreeMap::new(),
        };
        let findings = (0..count).map(|_| Finding {
            record_id: Uuid::now_v7(),
            content: "{}".to_owned(),
            detected_at: self.clock.now(),
        });
        let commands = [
            Command::Create(Box::new(Creation { radar_id, wanted, needs_set_up: true })),
            Command::FinishSetUp { radar_id, outcome: SetUpOutcome::Ready(Vec::new()) },
            Command::Report { radar_id, findings: findings.collect(), reading: None },
        ];
        let intents = commands.map(|command| Intent { account_id: ACCOUNT, command });
        let committed = self.store.commit(&intents, self.clock.now()).await.unwrap();
        assert!(committed.outcomes.iter().all(Result::is_ok), "{:?}", committed.outcomes);
        assert!(committed.has_deliveries);
        self.dispatcher.kick();
    }

    async fn advance(&self, seconds: i64) {
        self.clock.advance(TimeDelta::seconds(seconds)).await.unwrap();
    }

    async fn deliveries(&self) -> Vec<LoggedDelivery> {
        self.store.sweep_deliveries(DeliveryFilter::default(), 1000).await.unwrap()
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
        let figures = self.dispatcher.figures();
        figures.outcomes.iter().find(|(other, _)| *other == outcome).unwrap().1
    }
}

#[test]
fn updates_arrive_once_each_with_their_sequence_and_their_frozen_body() {
    simulated(|clock| async {
        let world = World::new(clock, Faults::default()).await;
        let receiver = Receiver::start(200);
        world.publish(&receiver, 30).await;
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
            assert_eq!(
                attempts.iter().map(|one| (one.attempt_no, one.outcome)).collect::<Vec<_>>(),
                [(1, Outcome::Ok)]
            );
        }
        assert_eq!((world.outcome_count(Outcome::Ok), world.dispatcher.figures().in_flight), (30, 0));
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
        let schedule = RetrySchedule::default();
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
        let (endpoint_id, ..) = world.store.endpoints(ACCOUNT).await.unwrap().remove(0);
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
        assert_eq!(world.store.resend(ACCOUNT, Resend::Update(update_id), world.clock.now()).await.unwrap(), 1);
        world.dispatcher.kick();
        world.advance(0).await;
        let delivery = world.deliveries().await.remove(0).delivery;
        assert_eq!((delivery.update_id, delivery.state, delivery.attempts), (update_id, DeliveryState::Delivered, 1));
        assert_eq!(world.store.attempts(ACCOUNT, update_id).await.unwrap().last().unwrap().attempt_no, 11);
    });
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
            assert_eq!(world.dispatcher.figures().in_flight, 0);
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
            assert_eq!(world.census.figures(Kind::WebhookDispatcher).restarts, 1);
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
    assert!((1..=4).contains(&world.dispatcher.figures().in_flight));

    world.dispatcher.cancel().await;
    assert_eq!(world.dispatcher.figures().in_flight, 0);
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

#[actix_web::test]
async fn a_result_under_a_lost_lease_is_refused_and_a_probe_goes_to_one_process_only() {
    let world = World::new(Clock::system(), Faults::default()).await;
    world.dispatcher.drain().await;
    let receiver = Receiver::start(200);
    world.publish(&receiver, 3).await;
    let (store, schedule, now) = (&world.store, RetrySchedule::default(), world.clock.now());
    let lease_until = now + TimeDelta::seconds(60);
    let waiting = store.sweep_waiting_endpoints().await.unwrap();
    let plan = Lanes::new(20).plan(waiting, now, 2);

    let lost = store.sweep_claim_deliveries(&plan.shares, now, lease_until).await.unwrap();
    let rest = store.sweep_claim_deliveries(&plan.shares, now, lease_until).await.unwrap();
    assert_eq!((lost.len(), rest.len()), (2, 1), "no more than the share, and nothing twice");
    let again = store.sweep_claim_deliveries(&plan.shares, lease_until, lease_until + LEASE_MARGIN).await.unwrap();
    assert_eq!(again[0].delivery.update_id, lost[0].delivery.update_id);
    assert_eq!((lost[0].lease_no, again[0].lease_no), (1, 2));

    let report = AttemptReport {
        outcome: Outcome::Http5xx,
        status: Some(500),
        retry_after: None,
        started_at: now,
        duration: TimeDelta::zero(),
        remote: None,
        response: None,
        response_truncated: false,
    };
    let record = async |claimed| store.record_attempt(ACCOUNT, claimed, &report, &schedule, now).await.unwrap();
    assert_eq!(record(&lost[0]).await, None);
    assert!(record(&again[0]).await.is_some());
    assert_eq!(record(&again[0]).await, None, "a result is recorded once");
    assert_eq!(store.attempts(ACCOUNT, lost[0].delivery.update_id).await.unwrap().len(), 1);

    let share = Share { probe_since: Some(now), ..plan.shares[0] };
    let refused =
        store.sweep_claim_deliveries(&[share], lease_until + LEASE_MARGIN, lease_until + LEASE_MARGIN * 2).await;
    assert!(refused.unwrap().is_empty(), "the breaker of this endpoint was not open until then");
}

//! The one transaction on both databases: what is decided is what is stored (Spec 2.5; invariants 1 to 6).

use crate::commit_all::commit_all;
use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use clock::Clock;
use domain::account::{
    AccountCommand, Command, CommandRejection, CreateOnce, CreatedOnce, Creation, Deactivate, Decision, Finding,
    FinishSetUp, KeptAnswer, Origin, Outcome, RenderAnswer, Report, SetUpOutcome, TopUp, ToppedUp,
};
use domain::account_limits::OwnLimits;
use domain::api_key::{KeyKind, Scopes};
use domain::approval::Approval;
use domain::encryption::{EncryptionKey, KeyRing};
use domain::idempotency_key::{IdempotencyKey, KEPT_FOR, KeyedRequest};
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::money::pricing::Price;
use domain::money::statement::SpendByRadar;
use domain::radar::filter::Filter;
use domain::radar::update::UpdateFilter;
use domain::radar::{FailureReason, GracePeriod, NewRadar, PricingModel, SetUp, Status};
use domain::radar_type::RadarType;
use domain::targets::{DomainName, Target};
use store::{ApiKey, DatabaseSettings, NewAccount, Store, StoreRules, Submission};
use uuid::Uuid;

use crate::support::databases::{TestDatabase, on_both_databases};

pub const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

pub async fn open(database: &TestDatabase) -> Store {
    let store = connect(database).await;
    create_account(&store, ACCOUNT).await;
    store
}

/// The store of one process; reviews are charged by the finding.
pub async fn connect(database: &TestDatabase) -> Store {
    connect_by(database, Clock::system()).await
}

/// The same by a clock.
pub async fn connect_by(database: &TestDatabase, clock: Clock) -> Store {
    let price = |model| Price {
        model,
        rate: MicroUsd::from_micros(100),
        grace_period: GracePeriod::None,
        findings_per_day: 200,
    };
    let prices = BTreeMap::from([
        (RadarType::CompanyJobOpenings, price(PricingModel::Subscription)),
        (RadarType::CompanyReviews, price(PricingModel::UpdateBased)),
    ]);
    let rules = StoreRules {
        default_prices: Arc::new(prices),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        money: Default::default(),
        redeliveries: Default::default(),
        secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
    };
    let settings = DatabaseSettings { url: database.url().to_owned(), max_connections: 4 };
    Store::open(&settings, rules, clock).await.expect("a database")
}

/// Makes an account with nothing in it.
pub async fn create_account(store: &Store, account_id: AccountId) {
    let key = ApiKey {
        key_id: account_id.0,
        key_hash: account_id.to_string(),
        key_hint: "hint".into(),
        kind: KeyKind::Program,
        created_at: now(),
        scopes: Scopes::ALL,
        expires_at: None,
        revoked_at: None,
    };
    let account = NewAccount {
        account_id,
        name: "Test".into(),
        approval: Approval::Auto,
        limits: OwnLimits::default(),
        webhook_secret: "whsec_x".into(),
        api_key: key,
    };
    store.create_account(account, now()).await.expect("an account");
}

pub fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("an instant")
}

pub fn radar_id(no: u128) -> RadarId {
    RadarId(Uuid::from_u128(no))
}

pub fn create(no: u128, radar_type: RadarType) -> Command {
    let target = Target::Company { domain: DomainName::from_stored(format!("company{no}.com")) };
    let webhook_url = Some("https://receiver.example/hook".to_owned());
    let wanted = NewRadar {
        radar_type,
        target,
        filter: Filter::Everything,
        webhook_url,
        webhook_format: None,
        custom_fields: BTreeMap::new(),
    };
    Command::Create(Box::new(Creation { radar_id: radar_id(no), wanted, needs_set_up: true }))
}

fn create_once(key: &str, no: u128) -> CreateOnce {
    let key = IdempotencyKey::read([key.as_bytes()]).expect("a key").expect("one");
    let Command::Create(creation) = create(no, RadarType::CompanyReviews) else { unreachable!("a creation") };
    let render =
        RenderAnswer::new(|_, now| Some(KeptAnswer { status: 201, body: format!("\"caf\u{e9}\" at {now}\n") }));
    let request = KeyedRequest::new(&key, "/", no.to_string().as_bytes());
    CreateOnce { request, creations: vec![*creation], render }
}

pub fn top_up(payment_ref: &str, micros: i64) -> Command {
    let amount = MicroUsd::from_micros(micros);
    Command::TopUp(TopUp { payment_ref: payment_ref.into(), amount, expires_at: None })
}

pub fn report(no: u128, records: std::ops::Range<u128>) -> Command {
    let finding = |record| Finding {
        record_id: Uuid::from_u128(record),
        content: "{}".into(),
        detected_at: now(),
        origin: Origin::Pushed,
        event: None,
        provenance: None,
    };
    Command::Report(Report { radar_id: radar_id(no), findings: records.map(finding).collect(), cursor: None })
}

pub async fn commit(
    store: &Store,
    commands: Vec<Command>,
    at: DateTime<Utc>,
) -> Vec<Result<Outcome, CommandRejection>> {
    let intents: Vec<Submission> = commands.into_iter().map(|command| Submission::of(ACCOUNT, command)).collect();
    commit_all(store, &intents, at).await.expect("a commit")
}

async fn ask_once(store: &Store, asked: Vec<CreateOnce>, at: DateTime<Utc>) -> Vec<Decision<CreatedOnce>> {
    let decisions = commit(store, asked.into_iter().map(Command::from).collect(), at).await;
    decisions.into_iter().map(|decision| decision.map(|one| CreateOnce::outcome(one).expect("its own"))).collect()
}

#[actix_web::test]
async fn a_pause_that_ends_and_begins_again_in_one_transaction_is_kept() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        commit(&store, vec![create(3, RadarType::CompanyReviews), report(3, 1..2)], now()).await;
        let later = now() + Duration::seconds(1);
        commit(&store, vec![top_up("a", 200), report(3, 2..4)], later).await;
        let pauses = store.pauses(ACCOUNT).await.expect("pauses");
        assert_eq!(pauses.get(&RadarType::CompanyReviews), Some(&later));
        store.close().await;
    })
    .await;
}

fn spent(spend: &SpendByRadar) -> i64 {
    spend.by_type.iter().map(|of_type| of_type.amount.micros()).sum()
}

#[actix_web::test]
async fn what_is_decided_is_stored() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        let first = vec![
            top_up("a", 450),
            top_up("a", 450),
            create(1, RadarType::CompanyJobOpenings),
            create(2, RadarType::CompanyJobOpenings),
            create(2, RadarType::CompanyJobOpenings),
            create(3, RadarType::CompanyReviews),
        ];
        let outcomes = commit(&store, first, now()).await;
        assert!(matches!(outcomes[1], Ok(Outcome::ToppedUp(ToppedUp { is_new: false, .. }))), "{outcomes:?}");
        assert!(matches!(outcomes[4], Err(CommandRejection::Duplicate { .. })), "items see each other: {outcomes:?}");

        let failed = SetUpOutcome::Failed { reason: FailureReason::MissingPrerequisites, message: "no".into() };
        let second = vec![
            Command::FinishSetUp(FinishSetUp {
                radar_id: radar_id(1),
                lease_no: 0,
                outcome: SetUpOutcome::Ready(vec![]),
            }),
            Command::FinishSetUp(FinishSetUp { radar_id: radar_id(2), lease_no: 0, outcome: failed }),
            report(1, 100..103),
            report(3, 200..206),
            Command::Deactivate(Deactivate { radar_id: radar_id(9) }),
        ];
        let outcomes = commit(&store, second, now() + Duration::seconds(1)).await;
        match (&outcomes[2], &outcomes[3]) {
            (Ok(Outcome::Reported(subscribed)), Ok(Outcome::Reported(per_finding))) => {
                assert_eq!((subscribed.published.len(), per_finding.published.len(), per_finding.held), (3, 3, 3));
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(outcomes[4], Err(CommandRejection::UnknownRadar)));

        let later = now() + Duration::days(31);
        let outcomes = commit(&store, vec![top_up("b", 1_000), report(3, 204..207)], later).await;
        assert!(matches!(outcomes[0], Ok(Outcome::ToppedUp(_))));
        let (ended, _) = store.radar(ACCOUNT, radar_id(1)).await.expect("an answer").expect("a radar");
        assert_eq!(ended.status, Status::Inactive, "its renewal came before the money");

        let summary = store.account_summary(ACCOUNT, "2027-01", later).await.expect("a summary");
        assert_eq!((summary.active_radars, summary.inactive_radars, summary.failed_radars), (1, 1, 1));
        assert_eq!(summary.total_updates_found, 3 + 3 + 3 + 1);
        assert_eq!(summary.balance.micros(), 1_450 - 100 - 700);

        let all = UpdateFilter::default();
        let (updates, has_more) = store.updates(ACCOUNT, &all, 100).await.expect("updates");
        let numbers: Vec<i64> = updates.iter().map(|update| update.update_seq).collect();
        assert_eq!((numbers, has_more), ((1..=12).collect(), false));
        let ledger = store.ledger(ACCOUNT, 0, 100).await.expect("a ledger");
        let sum: i64 = ledger.ledger_txs.iter().map(|tx| tx.amount.micros()).sum();
        assert_eq!(sum, summary.balance.micros());
        let (from, to) = (now() - Duration::days(1), later + Duration::days(1));
        let whole = store.spend(ACCOUNT, from, to, 100, 100).await.expect("a spend");
        assert_eq!((spent(&whole), whole.not_summed), (1_450 - sum, 0));
        let newest = store.spend(ACCOUNT, from, to, 2, 100).await.expect("a spend");
        assert_eq!((spent(&newest), newest.not_summed), (200, ledger.ledger_txs.len() as i64 - 2));
        assert!(store.pauses(ACCOUNT).await.expect("pauses").is_empty());
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn spec_2_5_all_that_fail_in_one_commit_get_their_charges_back() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        let create = |no| create(no, RadarType::CompanyJobOpenings);
        commit(&store, vec![top_up("a", 300), create(1), create(2), create(3)], now()).await;
        let fail = |no| {
            let outcome = SetUpOutcome::Failed { reason: FailureReason::MissingPrerequisites, message: "no".into() };
            Command::FinishSetUp(FinishSetUp { radar_id: radar_id(no), lease_no: 0, outcome })
        };
        // Three keys are looked up as four.
        commit(&store, vec![fail(1), fail(2), fail(3)], now() + Duration::seconds(1)).await;
        let summary = store.account_summary(ACCOUNT, "2027-01", now()).await.expect("a summary");
        assert_eq!((summary.failed_radars, summary.balance.micros()), (3, 300));
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn two_writers_never_lose_an_update_of_the_balance() {
    on_both_databases(|database| async move {
        let store = Arc::new(open(&database).await);
        let writers = (0..8).map(|writer| {
            let store = store.clone();
            async move {
                for payment in 0..10 {
                    commit(&store, vec![top_up(&format!("{writer}-{payment}"), 1)], now()).await;
                }
            }
        });
        futures_util::future::join_all(writers).await;
        let summary = store.account_summary(ACCOUNT, "2027-01", now()).await.expect("a summary");
        assert_eq!(summary.balance.micros(), 80);
        let ledger = store.ledger(ACCOUNT, 0, 100).await.expect("a ledger");
        let numbers: Vec<i64> = ledger.ledger_txs.iter().map(|tx| tx.tx_seq).collect();
        assert_eq!(numbers, (1..=80).collect::<Vec<_>>());
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn spec_4_7_a_radar_is_read_as_another_process_left_it() {
    on_both_databases(|database| async move {
        // A file belongs to one process, which reads what it wrote itself.
        let reader = open(&database).await;
        let other = if database.url().starts_with("postgres") { Some(connect(&database).await) } else { None };
        let writer = other.as_ref().unwrap_or(&reader);
        commit(writer, vec![top_up("a", 250), create(2, RadarType::CompanyReviews)], now()).await;
        let ready = Command::FinishSetUp(FinishSetUp {
            radar_id: radar_id(2),
            lease_no: 0,
            outcome: SetUpOutcome::Ready(vec![]),
        });
        let read = async || reader.radar(ACCOUNT, radar_id(2)).await.expect("an answer").expect("a radar");
        assert_eq!(read().await.0.set_up, SetUp::Pending);
        commit(writer, vec![ready], now()).await;
        for _ in 0..2 {
            let (radar, paused_since) = read().await;
            assert_eq!((radar.set_up, radar.status, paused_since), (SetUp::Ready, Status::Active, None));
        }
        commit(writer, vec![report(2, 1..6)], now()).await;
        assert!(read().await.1.is_some(), "the money is used up");
        commit(writer, vec![top_up("b", 10_000)], now()).await;
        assert!(read().await.1.is_none(), "the pause is over");
        commit(writer, vec![create(3, RadarType::CompanyReviews)], now()).await;
        let read = async || reader.radar(ACCOUNT, radar_id(3)).await.expect("an answer");
        assert!(read().await.is_some());
        commit(writer, vec![Command::Deactivate(Deactivate { radar_id: radar_id(3) })], now()).await;
        for _ in 0..2 {
            assert_eq!(read().await.map(|(radar, _)| radar.status), Some(Status::Inactive));
        }
        assert_eq!(writer.purge_radars(now() + Duration::days(1), 100).await.expect("a purge"), 1);
        assert!(read().await.is_none(), "it is gone");
        if let Some(other) = other {
            other.close().await;
        }
        reader.close().await;
    })
    .await;
}

#[actix_web::test]
async fn decision_2_9_answers_are_kept_for_a_day_and_swept_afterwards() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        let ask = async |key, no, at| ask_once(&store, vec![create_once(key, no)], at).await.remove(0);
        let sweep = async |at: DateTime<Utc>| store.forget_answers(at - KEPT_FOR, 10).await.expect("a sweep");
        let hour = Duration::hours(1);
        let tick = Duration::microseconds(1);

        let first = match ask("a", 1, now()).await {
            Ok(CreatedOnce::New { answer: Some(answer), .. }) => answer,
            other => panic!("{other:?}"),
        };
        let again = |decision: &Decision<CreatedOnce>| match decision {
            Ok(CreatedOnce::AnsweredBefore(answer)) => Some(answer.clone()),
            _ => None,
        };
        assert!(matches!(ask("b", 2, now() + hour).await, Ok(CreatedOnce::New { answer: Some(_), .. })));
        assert_eq!(sweep(now() + KEPT_FOR - tick).await, 0);
        assert_eq!(again(&ask("a", 1, now() + KEPT_FOR - tick).await), Some(first), "byte for byte");

        assert_eq!(sweep(now() + KEPT_FOR).await, 1, "the other key is younger");
        let fresh = ask("a", 1, now() + KEPT_FOR).await;
        match &fresh {
            Ok(CreatedOnce::New { decisions, answer: None }) => {
                assert!(matches!(decisions[..], [Err(CommandRejection::Duplicate { .. })]), "{decisions:?}");
            }
            other => panic!("{other:?}"),
        }
        assert!(again(&ask("b", 2, now() + KEPT_FOR).await).is_some());

        let later = now() + hour + KEPT_FOR;
        let anew = ask("b", 3, later).await;
        assert!(matches!(anew, Ok(CreatedOnce::New { answer: Some(_), .. })), "unswept is forgotten too: {anew:?}");
        assert_eq!(sweep(later).await, 0, "the row was replaced");
        assert!(again(&ask("b", 3, later + hour).await).is_some());
        assert_eq!(sweep(later + KEPT_FOR).await, 1);

        let at_once = ask_once(&store, vec![create_once("c", 4), create_once("c", 4)], later).await;
        let [Ok(CreatedOnce::New { answer: Some(fresh), .. }), second] = &at_once[..] else { panic!("{at_once:?}") };
        assert_eq!(again(second).as_ref(), Some(fresh), "in one transaction as well");
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn processes_that_start_at_once_take_turns_at_the_schema() {
    let Some(server) = crate::support::postgres::Server::shared() else { return };
    let url = server.create_database().await;
    let settings = DatabaseSettings { url: url.clone(), max_connections: 2 };
    let rules = || StoreRules {
        default_prices: Arc::default(),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        money: Default::default(),
        redeliveries: Default::default(),
        secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
    };
    let opened = (0..4).map(|_| Store::open(&settings, rules(), Clock::system()));
    for store in futures_util::future::join_all(opened).await {
        store.expect("a database").close().await;
    }
    server.drop_database(&url).await;
}

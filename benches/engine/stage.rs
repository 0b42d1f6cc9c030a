//! Accounts with money and radars, made past the API.

use crate::commit_all::commit_all;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use clock::Clock;
use domain::account::{Command, Creation, Finding, FinishSetUp, Origin, Report, SetUpOutcome, TopUp};
use domain::account_limits::OwnLimits;
use domain::api_key::{KeyKind, Scopes};
use domain::approval::Approval;
use domain::encryption::{EncryptionKey, KeyRing};
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::money::pricing::Price;
use domain::radar::filter::Filter;
use domain::radar::{GracePeriod, NewRadar, PricingModel};
use domain::radar_type::RadarType;
use domain::targets::{DomainName, Target};
use store::{ApiKey, DatabaseSettings, NewAccount, Store, StoreRules, Submission};
use uuid::Uuid;
use webhooks::secret::WebhookSecret;

use crate::support::postgres::Server;
use crate::support::test_database::TestDatabase;

/// Runs `body` on an empty SQLite database, and after it on an empty PostgreSQL database where there is a server: what is
/// measured has the machine to itself.
pub async fn on_each_database<F: Future<Output = ()>>(body: impl Fn(TestDatabase) -> F) {
    body(TestDatabase::sqlite()).await;
    if let Some(server) = Server::shared() {
        let url = server.create_database().await;
        body(TestDatabase::at(&url)).await;
        server.drop_database(&url).await;
    }
}

/// More requests than a benchmark makes.
const LIMIT: u32 = 1_000_000;

/// What secrets in the databases of benchmarks are encrypted with; a service on one of them needs the same key.
pub fn encryption_key() -> EncryptionKey {
    EncryptionKey::from_bytes([7; 32])
}

/// An account and its radar, which pays per finding.
#[derive(Clone, Copy, Debug)]
pub struct Watcher {
    pub account_id: AccountId,
    pub radar_id: RadarId,
}

/// A store in which a finding of a review, or a period of mentions, costs a micro-dollar.
pub async fn open(url: &str, clock: Clock) -> Store {
    let price = |model| Price {
        model,
        rate: MicroUsd::from_micros(1),
        grace_period: GracePeriod::None,
        findings_per_day: u32::MAX,
    };
    let prices = BTreeMap::from([
        (RadarType::CompanyReviews, price(PricingModel::UpdateBased)),
        (RadarType::CompanyMentions, price(PricingModel::Subscription)),
    ]);
    let rules = StoreRules {
        default_prices: Arc::new(prices),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        money: Default::default(),
        redeliveries: Default::default(),
        secret_keys: Arc::new(KeyRing::of_one(encryption_key())),
    };
    let settings = DatabaseSettings { url: url.to_owned(), max_connections: 8 };
    Store::open(&settings, rules, clock).await.expect("a database")
}

/// What the database is called in print.
pub fn database_name(database: &TestDatabase) -> &'static str {
    if database.url().starts_with("sqlite") { "SQLite" } else { "PostgreSQL" }
}

/// Accounts with plenty of money and a radar each.
pub async fn accounts_with_radars(store: &Store, clock: &Clock, count: u128) -> Vec<Watcher> {
    let mut watchers = Vec::new();
    for number in 1..=count {
        let watcher = Watcher { account_id: account(store, clock, number).await, radar_id: RadarId(Uuid::now_v7()) };
        let commands = radar_commands(watcher.radar_id, RadarType::CompanyReviews, number);
        commit(store, clock, watcher.account_id, commands.to_vec()).await;
        watchers.push(watcher);
    }
    watchers
}

/// The key of the account of that number.
pub fn key(number: u128) -> domain::api_key::ApiKey {
    let mut random = [0; 32];
    random[..16].copy_from_slice(&number.to_be_bytes());
    domain::api_key::ApiKey::from_random(random)
}

/// An account with a million dollars that is not rate limited.
pub async fn account(store: &Store, clock: &Clock, number: u128) -> AccountId {
    let account_id = AccountId(Uuid::from_u128(number));
    let now = clock.now();
    let key = key(number);
    let api_key = ApiKey {
        key_id: Uuid::now_v7(),
        key_hash: key.hash(),
        key_hint: key.hint().to_owned(),
        kind: KeyKind::Program,
        created_at: now,
        scopes: Scopes::ALL,
        expires_at: None,
        revoked_at: None,
    };
    let account = NewAccount {
        account_id,
        name: format!("Bench {number}"),
        approval: Approval::Auto,
        limits: OwnLimits {
            write_per_minute: Some(LIMIT),
            read_per_minute: Some(LIMIT),
            per_second: Some(LIMIT),
            radars: Some(LIMIT),
        },
        webhook_secret: WebhookSecret::generate([7; 32]).expose(),
        api_key,
    };
    store.create_account(account, now).await.expect("an account");
    let amount = MicroUsd::from_micros(1_000_000_000_000);
    let top_up = TopUp { payment_ref: "bench".into(), amount, expires_at: None };
    commit(store, clock, account_id, vec![Command::TopUp(top_up)]).await;
    account_id
}

/// A radar for each of `numbers`, in turn of the first `accounts` accounts, whose findings go to an endpoint of its own.
pub async fn radars_with_receivers(
    store: &Store,
    clock: &Clock,
    accounts: u128,
    numbers: Range<u128>,
    port: u16,
) -> Vec<Watcher> {
    let mut watchers = Vec::new();
    for number in numbers {
        let account_id = AccountId(Uuid::from_u128(1 + number % accounts));
        let watcher = Watcher { account_id, radar_id: RadarId(Uuid::now_v7()) };
        let webhook_url = Some(format!("http://127.0.0.1:{port}/hooks/{number}"));
        let commands = commands_of(watcher.radar_id, RadarType::CompanyReviews, number, webhook_url);
        commit(store, clock, account_id, commands.to_vec()).await;
        watchers.push(watcher);
    }
    watchers
}

/// What makes a radar that is set up and has no feed.
pub fn radar_commands(radar_id: RadarId, radar_type: RadarType, number: u128) -> [Command; 2] {
    commands_of(radar_id, radar_type, number, None)
}

fn commands_of(radar_id: RadarId, radar_type: RadarType, number: u128, webhook_url: Option<String>) -> [Command; 2] {
    let target = Target::Company { domain: DomainName::from_stored(format!("company{number}.com")) };
    let wanted = NewRadar {
        radar_type,
        target,
        filter: Filter::Everything,
        webhook_url,
        webhook_format: None,
        custom_fields: BTreeMap::new(),
    };
    [
        Command::Create(Box::new(Creation { radar_id, wanted, needs_set_up: true })),
        Command::FinishSetUp(FinishSetUp { radar_id, lease_no: 0, outcome: SetUpOutcome::Ready(vec![]) }),
    ]
}

/// Commits and insists on it.
pub async fn commit(store: &Store, clock: &Clock, account_id: AccountId, commands: Vec<Command>) {
    let intents: Vec<Submission> = commands.into_iter().map(|command| Submission::of(account_id, command)).collect();
    for outcome in commit_all(store, &intents, clock.now()).await.expect("a commit") {
        outcome.expect("no rejection");
    }
}

/// A finding that nobody has seen, for one radar after the other.
pub fn finding(watchers: &[Watcher], number: u128, now: DateTime<Utc>) -> (AccountId, Command) {
    let watcher = watchers[usize::try_from(number).expect("small") % watchers.len()];
    let content = r#"{"review_content":"Good.","review_url":"https://reviews.example/1","review_source":"Example"}"#;
    let finding = Finding {
        record_id: Uuid::from_u128(number),
        content: content.into(),
        detected_at: now,
        origin: Origin::Web,
        event: None,
        provenance: None,
    };
    let command = Command::Report(Report { radar_id: watcher.radar_id, findings: vec![finding], cursor: None });
    (watcher.account_id, command)
}

//! Secrets at rest: private files, a key that is not in the database, and its rotation.

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use chrono::DateTime;
use clock::Clock;
use config::Config;
use domain::encryption::{EncryptionKey, KeyRing};
use domain::ids::AccountId;
use radar::app::SecretKeys;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use store::{DatabaseSettings, DecryptedSecrets, KeyRotation, KeySource, Rotation, Store, StoreError, StoreRules};
use uuid::Uuid;

use crate::commit;
use crate::support::customer::Customer;
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Receiver, verify};

/// Settings under which the service makes its keys for itself.
const OWN_KEYS: [(&str, &str); 2] = [("SECRETS__KEY", ""), ("OPERATOR__KEY", "")];

fn key(byte: u8) -> EncryptionKey {
    EncryptionKey::from_bytes([byte; 32])
}

fn keys(bytes: &[u8]) -> KeyRing {
    KeyRing::of(bytes.iter().map(|byte| key(*byte))).expect("a key")
}

fn settings(url: &str) -> DatabaseSettings {
    DatabaseSettings { url: url.to_owned(), max_connections: 4 }
}

async fn open(url: &str, secret_keys: impl KeySource + 'static) -> Result<Store, StoreError> {
    let rules = StoreRules {
        default_prices: Arc::default(),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        money: Default::default(),
        redeliveries: Default::default(),
        secret_keys: Arc::new(secret_keys),
    };
    Store::open(&settings(url), rules, Clock::system()).await
}

/// The database past the service.
async fn connect(url: &str) -> DatabaseConnection {
    let url = if url.starts_with("sqlite") { format!("{url}?mode=rwc") } else { url.to_owned() };
    Database::connect(ConnectOptions::new(url).max_connections(1).to_owned()).await.expect("connected")
}

async fn secrets(store: &Store, account_id: AccountId) -> Result<DecryptedSecrets, StoreError> {
    store.decrypt_secrets(&store.webhook_secrets(account_id).await?.expect("secrets"))
}

fn mode(path: &Path) -> u32 {
    let metadata = fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    metadata.permissions().mode() & 0o777
}

#[track_caller]
fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.success(), said.trim_end().lines().count()), (false, 1), "{said}");
    said
}

/// The program beside the service, on ports of its own.
fn serve_beside(service: &Service, more: &[(&str, &str)]) -> Output {
    let listen = [("RADAR_HTTP__LISTEN", "127.0.0.1:0"), ("RADAR_OPERATOR__LISTEN", "127.0.0.1:0")];
    let quiet = [("RADAR_LOG__FILTER", "off")];
    let mut command = service.command(&["serve"]);
    command.envs(listen).envs(quiet).envs(more.iter().copied()).output().expect("the program")
}

#[actix_web::test]
async fn files_are_for_the_service_alone_and_older_ones_are_narrowed() {
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("database");
    let url = format!("sqlite://{}", folder.join("radar.db").display());
    let mut service = Service::start(&url, &OWN_KEYS);
    let data = service.folder().join("data");
    let database = ["radar.db", "radar.db-wal", "radar.db-shm", "radar.db.lock"].map(|name| folder.join(name));
    let own = ["operator.key", "secrets.key"].map(|name| data.join(name));
    let files: Vec<&PathBuf> = database.iter().chain(&own).collect();
    for (path, expected) in files.iter().map(|file| (*file, 0o600)).chain([(&folder, 0o700), (&data, 0o700)]) {
        assert_eq!(mode(path), expected, "{}", path.display());
    }

    service.kill();
    for file in &files {
        fs::set_permissions(file, Permissions::from_mode(0o644)).expect("widened");
    }
    fs::set_permissions(&data, Permissions::from_mode(0o755)).expect("widened");
    service.restart();
    for (path, expected) in files.iter().map(|file| (*file, 0o600)).chain([(&data, 0o700)]) {
        assert_eq!(mode(path), expected, "{}", path.display());
    }
}

#[actix_web::test]
async fn a_database_without_its_key_says_so_and_is_not_touched() {
    on_both_databases(async |database| {
        let mut service = Service::start(database.url(), &[("SECRETS__KEY", "")]);
        Customer::create(&service).await;
        service.terminate();
        let file = service.folder().join("data/secrets.key");
        let text = fs::read_to_string(&file).expect("a key file");
        fs::remove_file(&file).expect("lost");

        let line = said(&serve_beside(&service, &[]));
        assert!(line.contains("secrets.key: the secrets in this database are encrypted with the key"), "{line}");
        assert!(!file.exists(), "another key was made in the place of the lost one");
        fs::write(&file, &text).expect("found again");
        service.restart();
    })
    .await;
}

#[actix_web::test]
async fn a_second_process_with_another_key_is_refused() {
    let Some(server) = crate::support::postgres::Server::shared() else { return };
    let url = server.create_database().await;
    let service = Service::start(&url, &[]);
    let other = key(1).expose();
    let line = said(&serve_beside(&service, &[("RADAR_SECRETS__KEY", &other)]));
    assert!(line.contains("secrets.key: ") && !line.contains(&other), "{line}");
    drop(service);
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn processes_that_start_at_once_share_the_one_key_that_is_made() {
    let Some(server) = crate::support::postgres::Server::shared() else { return };
    let url = server.create_database().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = Config::built_in().expect("settings");
    config.operator.data_dir = folder.path().join("data");
    let opened = (0..4).map(|_| open(&url, SecretKeys::of(&config)));
    let stores = futures_util::future::join_all(opened).await;
    let stores: Vec<Store> = stores.into_iter().map(|store| store.expect("the shared key")).collect();
    commit::create_account(&stores[0], AccountId(Uuid::from_u128(1))).await;
    for store in &stores {
        assert_eq!(secrets(store, AccountId(Uuid::from_u128(1))).await.expect("open").current, "whsec_x");
        store.close().await;
    }
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn decision_5_2_every_replaced_secret_signs_until_its_own_end_and_no_more_than_five_at_once() {
    on_both_databases(async |database| {
        let store = open(database.url(), keys(&[1])).await.expect("opened");
        let account_id = AccountId(Uuid::from_u128(1));
        let day = |days: i64| DateTime::from_timestamp(days * 86_400, 0).expect("an instant");
        let rotate = async |new: &str, now, until| {
            store.rotate_webhook_secret(account_id, new, now, until).await.expect("asked")
        };
        assert_eq!(rotate("whsec_y", day(0), day(1)).await, Rotation::NoAccount);
        commit::create_account(&store, account_id).await;
        let known = async || {
            let open = secrets(&store, account_id).await.expect("open");
            (open.current, open.previous)
        };
        let previous = |secrets: &[(&str, i64)]| -> Vec<_> {
            secrets.iter().map(|(secret, days)| ((*secret).to_owned(), day(*days))).collect()
        };
        assert_eq!(rotate("whsec_b", day(0), day(1)).await, Rotation::Done);
        assert_eq!(rotate("whsec_c", day(0), day(2)).await, Rotation::Done);
        assert_eq!(known().await, ("whsec_c".to_owned(), previous(&[("whsec_b", 2), ("whsec_x", 1)])));
        assert_eq!(rotate("whsec_d", day(0), day(3)).await, Rotation::Done);
        assert_eq!(rotate("whsec_e", day(0), day(4)).await, Rotation::Done);
        assert_eq!(rotate("whsec_f", day(0), day(5)).await, Rotation::TooMany);
        let four = [("whsec_d", 4), ("whsec_c", 3), ("whsec_b", 2), ("whsec_x", 1)];
        assert_eq!(known().await, ("whsec_e".to_owned(), previous(&four)));
        assert_eq!(rotate("whsec_f", day(1), day(5)).await, Rotation::Done, "the oldest has ended");
        assert_eq!(known().await.1.len(), 4);
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_secret_that_is_copied_into_another_row_does_not_open() {
    on_both_databases(async |database| {
        let store = open(database.url(), keys(&[1])).await.expect("opened");
        let accounts = [1, 2].map(|number| AccountId(Uuid::from_u128(number)));
        for account_id in accounts {
            commit::create_account(&store, account_id).await;
        }
        let connection = connect(database.url()).await;
        let copy = "update webhook_secret set secret = (select secret from webhook_secret where account_id = $1)
            where account_id = $2";
        let values = [accounts[0].0.into(), accounts[1].0.into()];
        let copy = Statement::from_sql_and_values(connection.get_database_backend(), copy, values);
        connection.execute_raw(copy).await.expect("copied");
        connection.close().await.expect("closed");
        assert_eq!(secrets(&store, accounts[0]).await.expect("open").current, "whsec_x");
        let error = secrets(&store, accounts[1]).await.expect_err("another row").to_string();
        assert_eq!(error, "corrupt row in webhook_secret: a secret does not open with its key");
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_rotation_that_was_cut_off_goes_on() {
    on_both_databases(async |database| {
        let store = open(database.url(), keys(&[1])).await.expect("opened");
        let accounts: Vec<AccountId> = (1..=5).map(|number| AccountId(Uuid::from_u128(number))).collect();
        for account_id in &accounts {
            commit::create_account(&store, *account_id).await;
        }
        store.close().await;
        drop(store);

        // The database names the new key, its rows the old one.
        let rotate = async |ring: KeyRing| {
            let rotation = KeyRotation::open(&settings(database.url())).await.expect("opened");
            let named = rotation.named().to_vec();
            (named, rotation.run(&ring, &ring).await.expect("rotated"))
        };
        let connection = connect(database.url()).await;
        let name = format!("update setting set value = '{}' where name = 'secrets.key_in_use'", key(2).id());
        connection.execute_unprepared(&name).await.expect("named");
        connection.close().await.expect("closed");
        for known in [[1], [2]] {
            let error = open(database.url(), keys(&known)).await.err().expect("one key is missing").to_string();
            assert!(
                error.starts_with("secrets.key: the secrets in this database are encrypted with the key"),
                "{error}"
            );
        }
        open(database.url(), keys(&[1, 2])).await.expect("both keys are known").close().await;

        assert_eq!(rotate(keys(&[2, 1])).await, (vec![key(2).id().clone(), key(1).id().clone()], 5));
        assert_eq!(rotate(keys(&[2, 1])).await, (vec![key(2).id().clone()], 0));
        let store = open(database.url(), keys(&[2])).await.expect("the old key is not needed any more");
        for account_id in accounts {
            assert_eq!(secrets(&store, account_id).await.expect("open").current, "whsec_x");
        }
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_rotation_under_load_loses_no_secret_and_the_service_goes_on_signing() {
    let database = TestDatabase::sqlite();
    let mut receiver = Receiver::start();
    let provider = PushSource::of(&["company_reviews"]);
    let sources = provider.dir();
    let mut service = Service::start(database.url(), &[("SECRETS__KEY", ""), ("SOURCES__DIR", &sources)]);
    let mut customers = Vec::new();
    for _ in 0..20 {
        customers.push(Customer::create(&service).await);
    }
    let first = &customers[0];
    first.top_up(&service, "first", "10").await;
    let radar =
        first.create_reviews_radar(&service, "example.com", Some(&receiver.url("/hook"))).await.expect_status(201);

    for _ in 0..3 {
        let mut rotate = service.command(&["secrets", "rotate"]);
        let rotation = std::thread::spawn(move || rotate.output().expect("the program"));
        while !rotation.is_finished() {
            customers.push(Customer::create(&service).await);
        }
        let output = rotation.join().expect("ended");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(provider.review(&service, radar.text("/data/radar_id"), "good").await, "published");
    verify(&receiver.next().await, &customers[0].webhook_secret);

    service.terminate();
    let text = fs::read_to_string(service.folder().join("data/secrets.key")).expect("a key file");
    let ring = KeyRing::of(text.lines().map(|line| EncryptionKey::parse(line).expect("a key"))).expect("keys");
    assert_eq!(ring.iter().count(), 4, "one at the first start and one for each rotation");
    let store = open(database.url(), KeyRing::of_one(ring.first().clone())).await.expect("the newest key opens all");
    let made: HashMap<&str, &str> =
        customers.iter().map(|one| (one.account_id.as_str(), one.webhook_secret.as_str())).collect();
    for (account_id, secret) in made {
        let account_id = AccountId(account_id.parse().expect("an identifier"));
        assert_eq!(secrets(&store, account_id).await.expect("open").current, secret);
    }
    store.close().await;
}

//! A database with the schema and some accounts in it, made once and copied for each run.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use chrono::DateTime;
use clock::Clock;
use domain::account_limits::OwnLimits;
use domain::api_key::{KeyKind, Scopes};
use domain::approval::Approval;
use domain::encryption::{EncryptionKey, KeyRing};
use domain::ids::AccountId;
use store::{ApiKey, DatabaseSettings, NewAccount, Store, StoreRules};
use tempfile::TempDir;
use uuid::Uuid;
use webhooks::secret::WebhookSecret;

/// The accounts. The last two share a shard.
pub const ACCOUNTS: [AccountId; 3] =
    [AccountId(Uuid::from_u128(0xa001)), AccountId(Uuid::from_u128(0xa002)), AccountId(Uuid::from_u128(0xa102))];

struct Template {
    _folder: TempDir,
    database: PathBuf,
}

static TEMPLATE: LazyLock<Template> = LazyLock::new(|| {
    let folder = folder();
    let database = folder.path().join("template.db");
    let url = url(&database);
    apart(async move || fill(&url).await);
    Template { _folder: folder, database }
});

/// A copy of its own for a run; gone with the folder.
pub fn copy() -> (TempDir, String) {
    let folder = folder();
    let database = folder.path().join("radar.db");
    std::fs::copy(&TEMPLATE.database, &database).expect("a database");
    let url = url(&database);
    (folder, url)
}

fn url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

/// A temporary folder, in memory where there is such a place: what is synced there costs nothing.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

/// Does `work` on a thread and a runtime of its own: another one may be running on this thread.
pub fn apart<T: Send + 'static>(work: impl AsyncFnOnce() -> T + Send + 'static) -> T {
    let on_its_own = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(work())
    };
    std::thread::spawn(on_its_own).join().expect("done")
}

/// Makes the schema and the accounts in an empty database.
pub async fn fill(url: &str) {
    let now = DateTime::from_timestamp(1_700_000_000, 0).expect("an instant");
    let place = DatabaseSettings { url: url.to_owned(), max_connections: 1 };
    let rules = StoreRules {
        default_prices: Default::default(),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        money: Default::default(),
        redeliveries: Default::default(),
        secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
    };
    let store = Store::open(&place, rules, Clock::simulated(now)).await.expect("a database");
    for account_id in ACCOUNTS {
        let api_key = ApiKey {
            key_id: account_id.0,
            key_hash: account_id.to_string(),
            key_hint: String::new(),
            kind: KeyKind::Program,
            created_at: now,
            scopes: Scopes::ALL,
            expires_at: None,
            revoked_at: None,
        };
        let account = NewAccount {
            account_id,
            name: "Simulated".to_owned(),
            approval: Approval::Auto,
            limits: OwnLimits::default(),
            webhook_secret: WebhookSecret::generate([7; 32]).expose(),
            api_key,
        };
        store.create_account(account, now).await.expect("an account");
    }
    store.close().await;
}

//! Work of command-line tools on the database.
//!
//! Duty: to bring the schema up to date, and to audit the ledger while a service may be running. The audit only reads and
//! does not take the lock of an SQLite file.

use std::path::Path;

use sea_orm::DatabaseConnection;
use uuid::Uuid;

use super::audit::{AuditedAccount, audit};
use super::database::connection;
use super::database::sqlite::{check, log_damage, log_marker};
use super::database::statement::Run;
use super::running::snapshot;
use super::{DatabaseSettings, StoreError};
use crate::Result;
use domain::AccountId;

/// Accounts that are read at once.
const PAGE: u64 = 1_000;

/// Brings the schema up to date and closes the database again.
///
/// # Errors
/// [`StoreError::Open`] with one sentence on what is wrong, also when a service is using an SQLite file.
pub async fn migrate(settings: &DatabaseSettings) -> Result<()> {
    let opened = connection::open(settings).await?;
    opened.write.close().await;
    opened.read.close().await?;
    drop(opened.backend);
    Ok(())
}

/// What is known of the files of a database without looking at what their rows mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileState {
    /// A sentence on the log that an SQLite file needs and that is not beside it.
    pub missing_log: Option<String>,
    /// A sentence on damage to an SQLite file or its log.
    pub damage: Option<String>,
}

/// Looks at every page of an SQLite file and at its log. Of PostgreSQL nothing is known: the server looks after its files.
///
/// # Errors
/// The database cannot be opened or did not answer.
pub async fn examine(settings: &DatabaseSettings) -> Result<FileState> {
    let Some(path) = sqlite_path(settings) else { return Ok(FileState::default()) };
    let unreadable = |error| StoreError::open(format_args!("{}: {error}", path.display()));
    // Not opened then: SQLite would write the index of the log anew, which is what tells of the damage.
    if let Some(damage) = log_damage::find(path).map_err(unreadable)? {
        return Ok(FileState { missing_log: None, damage: Some(damage) });
    }
    let (connection, missing_log) = open_to_read(settings, path).await?;
    let damage = check::damage(&connection).await?;
    let damage = damage.map(|damage| format!("{} is damaged: {damage}", path.display()));
    connection.close().await?;
    Ok(FileState { missing_log, damage })
}

/// A connection to an SQLite database that a service may be using, and a sentence on its log, where that is missing.
pub(super) async fn open_to_read(
    settings: &DatabaseSettings,
    path: &Path,
) -> Result<(DatabaseConnection, Option<String>)> {
    let unreadable = |error| StoreError::open(format_args!("{}: {error}", path.display()));
    let had_log = log_damage::has_commit(path).map_err(unreadable)?;
    let connection = connection::open_beside(settings, "ro", |_| {}).await?;
    let missing = if had_log { None } else { log_marker::missing(&connection, path).await? };
    // A service that has begun to write meanwhile has made its log by now.
    let is_missing = missing.is_some() && !log_damage::has_commit(path).map_err(unreadable)?;
    Ok((connection, missing.filter(|_| is_missing)))
}

/// Lets the next start go on with what there is of an SQLite database whose log is missing or damaged, and answers a
/// sentence on that; `None` when nothing is missing.
///
/// # Errors
/// [`StoreError::Open`] with one sentence on what is wrong, also when a service is using the file.
pub async fn accept_loss(settings: &DatabaseSettings) -> Result<Option<String>> {
    match sqlite_path(settings) {
        Some(path) => connection::accept_loss(path).await,
        None => Ok(None),
    }
}

pub(super) fn sqlite_path(settings: &DatabaseSettings) -> Option<&Path> {
    settings.url.strip_prefix("sqlite://").map(Path::new)
}

/// Goes through the accounts of a database, or through one of them, in one state of the database each, and hands over
/// what was found of each.
///
/// # Errors
/// The database cannot be opened, did not answer, or has no such account.
pub async fn audit_all(
    settings: &DatabaseSettings,
    only: Option<AccountId>,
    mut found: impl FnMut(AuditedAccount),
) -> Result<()> {
    let connection = connection::open_beside(settings, "ro", |_| {}).await?;
    if let Some(account_id) = only {
        let audited = audit_one(account_id, &connection).await?;
        found(audited.ok_or_else(|| StoreError::Open(format!("account {account_id} does not exist")))?);
        return Ok(connection.close().await?);
    }
    let mut after = Uuid::nil();
    loop {
        let next = "select account_id from account where account_id > ? order by account_id limit ?";
        let accounts: Vec<Uuid> = connection.all(next, (after, PAGE)).await?;
        let Some(last) = accounts.last() else { return Ok(connection.close().await?) };
        after = *last;
        for account_id in accounts {
            // An account may be gone meanwhile.
            audit_one(AccountId(account_id), &connection).await?.into_iter().for_each(&mut found);
        }
    }
}

async fn audit_one(account_id: AccountId, connection: &DatabaseConnection) -> Result<Option<AuditedAccount>> {
    let snapshot = snapshot(connection).await?;
    let audited = audit(account_id, None, &snapshot).await?;
    snapshot.commit().await?;
    Ok(audited)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::{DateTime, Utc};
    use sea_orm::ConnectionTrait;
    use uuid::Uuid;

    use super::super::{ApiKey, DatabaseSettings, NewAccount, Store, StoreError, StoreRules, Submission};
    use super::{AuditedAccount, audit_all, migrate};
    use crate::commit_all::commit_all;
    use clock::Clock;
    use domain::account::{Settings, TopUp};
    use domain::{AccountId, Approval, EncryptionKey, KeyKind, KeyRing, MicroUsd, OwnLimits, RedeliveryLimits, Scopes};

    fn settings(folder: &tempfile::TempDir) -> DatabaseSettings {
        DatabaseSettings { url: format!("sqlite://{}", folder.path().join("radar.db").display()), max_connections: 4 }
    }

    async fn audited(settings: &DatabaseSettings) -> Vec<AuditedAccount> {
        let mut all = Vec::new();
        audit_all(settings, None, |audited| all.push(audited)).await.expect("audited");
        all
    }

    async fn store_with_one_account(settings: &DatabaseSettings, now: DateTime<Utc>) -> (Store, AccountId) {
        let rules = StoreRules {
            default_prices: domain::money::pricing::DefaultPrices::default(),
            render: |_| String::new(),
            render_alert: |_| String::new(),
            money: Settings::default(),
            redeliveries: RedeliveryLimits::default(),
            secret_keys: Arc::new(KeyRing::of_one(EncryptionKey::from_bytes([7; 32]))),
        };
        let store = Store::open(settings, rules, Clock::simulated(now)).await.expect("opened");
        let account_id = AccountId(Uuid::from_u128(7));
        let api_key = ApiKey {
            key_id: Uuid::from_u128(8),
            key_hash: "hash".to_owned(),
            key_hint: "hint".to_owned(),
            kind: KeyKind::Program,
            created_at: now,
            scopes: Scopes::ALL,
            expires_at: None,
            revoked_at: None,
        };
        let new = NewAccount {
            account_id,
            name: "Acme".to_owned(),
            approval: Approval::Auto,
            limits: OwnLimits::default(),
            webhook_secret: "whsec_".to_owned(),
            api_key,
        };
        store.create_account(new, now).await.expect("made");
        (store, account_id)
    }

    #[actix_rt::test]
    async fn the_ledger_is_audited_beside_a_running_service_and_damage_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(&folder);
        let now = DateTime::UNIX_EPOCH;
        let (store, account_id) = store_with_one_account(&settings, now).await;
        let top_up = TopUp { payment_ref: "p1".to_owned(), amount: MicroUsd::from_micros(5), expires_at: None };
        commit_all(&store, &[Submission::of(account_id, top_up)], now).await.expect("committed");

        let audited = audited(&settings).await;
        let [only] = audited.as_slice() else { panic!("one account: {audited:?}") };
        assert_eq!((only.account_id, only.ledger_txs, only.balance.micros()), (account_id, 1, 5));
        assert!(only.discrepancies.is_empty(), "{:?}", only.discrepancies);

        store.write.execute_unprepared("update lot set remaining_micros = 4").await.expect("damaged");
        let discrepancies: Vec<String> =
            super::tests::audited(&settings).await[0].discrepancies.iter().map(ToString::to_string).collect();
        assert_eq!(
            discrepancies,
            ["lot 1 holds 4, its ledger transactions leave 5", "the account has a balance of 5, its lots hold 4"]
        );
        let unknown = audit_all(&settings, Some(AccountId(Uuid::nil())), |_| ()).await.expect_err("unknown");
        assert_eq!(unknown.to_string(), "account 00000000-0000-0000-0000-000000000000 does not exist");
        store.close().await;
    }

    #[actix_rt::test]
    async fn a_migration_makes_an_empty_database_and_keeps_away_from_one_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(&folder);
        migrate(&settings).await.expect("migrated");
        assert_eq!(audited(&settings).await, []);
        let (store, _) = store_with_one_account(&settings, DateTime::UNIX_EPOCH).await;
        assert!(matches!(migrate(&settings).await, Err(StoreError::Open(_))));
        store.close().await;
    }
}

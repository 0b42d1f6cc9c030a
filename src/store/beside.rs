//! What tools do with the database without being the service.
//!
//! Duty: bring the schema up to date, and go through the ledger beside a running service, reading only. The lock of an
//! SQLite file is not asked for by the reader.

use entity::{account, ledger_entry, ledger_tx, lot};
use sea_orm::{
    AccessMode, ColumnTrait, ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbBackend, EntityTrait,
    IsolationLevel, QueryFilter, QueryOrder, QuerySelect, TransactionTrait,
};
use uuid::Uuid;

use super::{DatabaseSettings, StoreError, connection};
use crate::domain::audit::{Audit, Claims, Written};
use crate::domain::ids::AccountId;
use crate::domain::money::MicroUsd;

/// Accounts, and movements, that are read at once.
const PAGE: u64 = 1_000;

/// What the audit of one account found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedAccount {
    /// The account.
    pub account_id: AccountId,
    /// Movements of its ledger.
    pub movements: i64,
    /// The balance on its row.
    pub balance: MicroUsd,
    /// What does not add up, in sentences; empty for sound books.
    pub faults: Vec<String>,
}

/// Brings the schema up to date and closes the database again.
///
/// # Errors
/// [`StoreError::Open`] with one sentence on what is wrong, also when a service is using an SQLite file.
pub async fn migrate(settings: &DatabaseSettings) -> Result<(), StoreError> {
    let opened = connection::open(settings).await?;
    opened.read.close().await?;
    opened.write.close().await?;
    drop(opened.lock);
    Ok(())
}

/// Audits the ledger of every account, each in one state of the database.
///
/// # Errors
/// The database cannot be opened or did not answer.
pub async fn sweep_audit(settings: &DatabaseSettings) -> Result<Vec<AuditedAccount>, StoreError> {
    let connection = open_reading(settings).await?;
    let mut audited = Vec::new();
    let mut after = Uuid::nil();
    loop {
        let page = account::Entity::find()
            .select_only()
            .column(account::Column::AccountId)
            .filter(account::Column::AccountId.gt(after))
            .order_by_asc(account::Column::AccountId)
            .limit(PAGE);
        let accounts: Vec<Uuid> = page.into_tuple().all(&connection).await?;
        let Some(last) = accounts.last() else { break };
        after = *last;
        for account_id in accounts {
            audited.extend(audit(AccountId(account_id), &connection).await?);
        }
    }
    connection.close().await?;
    Ok(audited)
}

/// `None` when the account is gone meanwhile.
async fn audit(account_id: AccountId, connection: &DatabaseConnection) -> Result<Option<AuditedAccount>, StoreError> {
    let is_postgres = connection.get_database_backend() == DbBackend::Postgres;
    let isolation = is_postgres.then_some(IsolationLevel::RepeatableRead);
    let snapshot = connection.begin_with_config(isolation, is_postgres.then_some(AccessMode::ReadOnly)).await?;
    let Some(row) = account::Entity::find_by_id(account_id.0).one(&snapshot).await? else { return Ok(None) };
    let lots = lot::Entity::find().filter(lot::Column::AccountId.eq(account_id.0)).all(&snapshot).await?;
    let mut audit = Audit::new(Claims {
        balance_micros: row.balance_micros,
        tx_seq: row.tx_seq,
        lots: lots.into_iter().map(|lot| (lot.lot_no, lot.remaining_micros)).collect(),
    });
    let mut after_seq = 0;
    loop {
        let movements = movements(account_id, after_seq, &snapshot).await?;
        let Some(last) = movements.last() else { break };
        after_seq = last.tx_seq;
        movements.iter().for_each(|written| audit.take(written));
    }
    snapshot.commit().await?;
    Ok(Some(AuditedAccount {
        account_id,
        movements: row.tx_seq,
        balance: MicroUsd::from_micros(row.balance_micros),
        faults: audit.finish(),
    }))
}

async fn movements(
    account_id: AccountId,
    after_seq: i64,
    snapshot: &DatabaseTransaction,
) -> Result<Vec<Written>, StoreError> {
    let found = ledger_tx::Entity::find()
        .filter(ledger_tx::Column::AccountId.eq(account_id.0))
        .filter(ledger_tx::Column::TxSeq.gt(after_seq))
        .order_by_asc(ledger_tx::Column::TxSeq)
        .limit(PAGE)
        .all(snapshot)
        .await?;
    let Some(last_seq) = found.last().map(|last| last.tx_seq) else { return Ok(Vec::new()) };
    let legs = ledger_entry::Entity::find()
        .filter(ledger_entry::Column::AccountId.eq(account_id.0))
        .filter(ledger_entry::Column::TxSeq.gt(after_seq))
        .filter(ledger_entry::Column::TxSeq.lte(last_seq))
        .order_by_asc(ledger_entry::Column::TxSeq)
        .all(snapshot)
        .await?;
    let mut legs = legs.into_iter().peekable();
    let written = |row: ledger_tx::Model| {
        let own = std::iter::from_fn(|| legs.next_if(|leg| leg.tx_seq <= row.tx_seq));
        Written {
            tx_seq: row.tx_seq,
            amount_micros: row.amount_micros,
            balance_after_micros: row.balance_after_micros,
            legs: own.map(|leg| (leg.lot_no, leg.amount_micros)).collect(),
        }
    };
    Ok(found.into_iter().map(written).collect())
}

async fn open_reading(settings: &DatabaseSettings) -> Result<DatabaseConnection, StoreError> {
    let url = match settings.url.strip_prefix("sqlite://") {
        Some(path) => format!("sqlite://{path}?mode=ro"),
        None => settings.url.clone(),
    };
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options)
        .await
        .map_err(|error| StoreError::Open(format!("database.url: the database cannot be opened: {error}")))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use sea_orm::ConnectionTrait;
    use uuid::Uuid;

    use super::super::{ApiKey, DatabaseSettings, Intent, NewAccount, OwnLimits, Store, StoreError, StoreRules};
    use super::{migrate, sweep_audit};
    use crate::clock::Clock;
    use crate::domain::approval::Approval;
    use crate::domain::book::{Command, Settings, TopUp};
    use crate::domain::ids::AccountId;
    use crate::domain::money::MicroUsd;

    fn settings(folder: &tempfile::TempDir) -> DatabaseSettings {
        DatabaseSettings { url: format!("sqlite://{}", folder.path().join("radar.db").display()), max_connections: 4 }
    }

    async fn store_with_one_account(settings: &DatabaseSettings, now: DateTime<Utc>) -> (Store, AccountId) {
        let rules = StoreRules {
            default_prices: crate::domain::pricing::DefaultPrices::default(),
            render: |_| String::new(),
            render_alert: |_| String::new(),
            money: Settings::default(),
        };
        let store = Store::open(settings, rules, Clock::simulated(now)).await.expect("opened");
        let account_id = AccountId(Uuid::from_u128(7));
        let api_key = ApiKey {
            key_id: Uuid::from_u128(8),
            key_hash: "hash".to_owned(),
            key_hint: "hint".to_owned(),
            created_at: now,
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
        store.commit(&[Intent { account_id, command: Command::TopUp(top_up) }], now).await.expect("committed");

        let audited = sweep_audit(&settings).await.expect("audited");
        let [only] = audited.as_slice() else { panic!("one account: {audited:?}") };
        assert_eq!((only.account_id, only.movements, only.balance.micros()), (account_id, 1, 5));
        assert!(only.faults.is_empty(), "{:?}", only.faults);

        store.write.execute_unprepared("update lot set remaining_micros = 4").await.expect("damaged");
        let audited = sweep_audit(&settings).await.expect("audited");
        assert_eq!(audited[0].faults, ["the balance is 5, its lots hold 4", "lot 1 holds 4, its movements sum to 5"]);
        store.close().await;
    }

    #[actix_rt::test]
    async fn a_migration_makes_an_empty_database_and_keeps_away_from_one_in_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(&folder);
        migrate(&settings).await.expect("migrated");
        assert_eq!(sweep_audit(&settings).await.expect("audited"), []);
        let (store, _) = store_with_one_account(&settings, DateTime::UNIX_EPOCH).await;
        assert!(matches!(migrate(&settings).await, Err(StoreError::Open(_))));
        store.close().await;
    }
}

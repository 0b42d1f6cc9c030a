//! Which keys the secrets in the database are encrypted with, and that this process knows them.
//!
//! The database names the key that new secrets are encrypted with, and every row names its own. A process that does not
//! know all of them is refused at its start, before it changes anything: so several processes share one key, and a
//! database is never half readable. Never here: where keys come from; that is the duty of a [`KeySource`].

use std::sync::Arc;

use parking_lot::RwLock;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, TransactionTrait};

use crate::database::writer::write_options;
use crate::database::{Run, Statements};
use crate::{Result, StoreError};
use domain::{EncryptionKey, KeyId, KeyRing};

/// The setting that names the key for new secrets.
pub(super) const KEY_IN_USE: &str = "secrets.key_in_use";
/// Held by the process that looks whether it knows the keys; the number is ours and means nothing.
const UNLOCKING_TURN: &str = "select pg_advisory_xact_lock(5176320420)";

/// Where the keys come from that secrets are encrypted with.
pub trait KeySource: Send + Sync {
    /// The keys that are known by now, the preferred one first; `None` when there is none.
    ///
    /// # Errors
    /// One sentence on what cannot be read.
    fn known(&self) -> Result<Option<KeyRing>, KeySourceError>;

    /// The keys for a database that has none yet. A key that is made for it is on the disk before this returns.
    ///
    /// # Errors
    /// One sentence on what cannot be made.
    fn make(&self) -> Result<KeyRing, KeySourceError>;

    /// What an operator can do who has the right key, such as "put it into FILE".
    fn remedy(&self) -> String;
}

/// Why a source has no keys to give: one sentence that names the key of the settings and nothing of a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeySourceError(pub String);

/// Keys that are given once and stay.
impl KeySource for KeyRing {
    fn known(&self) -> Result<Option<KeyRing>, KeySourceError> {
        Ok(Some(self.clone()))
    }

    fn make(&self) -> Result<KeyRing, KeySourceError> {
        Ok(self.clone())
    }

    fn remedy(&self) -> String {
        "give it beside the others".to_owned()
    }
}

/// The keys that this process knows.
pub(crate) struct Vault {
    source: Arc<dyn KeySource>,
    ring: RwLock<KeyRing>,
}

impl Vault {
    /// The key of that name. One that is new since the last look is looked for where the keys come from: a rotation
    /// puts its key there before the first row names it.
    pub(crate) fn key(&self, id: &KeyId) -> Result<EncryptionKey> {
        if let Some(key) = self.ring.read().find(id) {
            return Ok(key.clone());
        }
        let unknown = || StoreError::UnknownKey(id.clone());
        let newer = self.source.known().ok().flatten().ok_or_else(unknown)?;
        let mut ring = self.ring.write();
        let both: Vec<EncryptionKey> = newer.iter().chain(ring.iter()).cloned().collect();
        if let Some(both) = KeyRing::of(both) {
            *ring = both;
        }
        ring.find(id).cloned().ok_or_else(unknown)
    }

    /// The key for secrets that are written in `transaction`. A rotation waits until that has ended, and then finds them.
    pub(super) async fn key_in_use(&self, transaction: &impl ConnectionTrait) -> Result<EncryptionKey> {
        let mut sql = transaction.sql_with("select value from setting where name = ?", KEY_IN_USE);
        let in_use = sql.lock_shared().first(transaction).await?;
        let in_use = in_use.ok_or_else(|| StoreError::corrupt("setting", "no key is named for new secrets"))?;
        self.key(&in_use)
    }
}

/// Makes sure that this process knows every key that the database names, and gives a new database its first one. Processes
/// that start at the same time take turns.
pub(crate) async fn unlock(write: &DatabaseConnection, source: Arc<dyn KeySource>) -> Result<Vault> {
    let turn = write.begin_with_options(write_options(write)).await?;
    if turn.get_database_backend() == DbBackend::Postgres {
        turn.execute_unprepared(UNLOCKING_TURN).await?;
    }
    let named = named_keys(&turn).await?;
    let known = source.known().map_err(refused)?;
    let ring = match known {
        None if named.is_empty() => source.make().map_err(refused)?,
        known => known_keys(known, &named, source.as_ref())?,
    };
    let key = match in_use(&turn).await? {
        Some(id) => ring.find(&id).ok_or(StoreError::UnknownKey(id))?,
        None => {
            let first = (KEY_IN_USE, ring.first().id().as_str());
            turn.run("insert into setting (name, value) values (?, ?)", first).await?;
            ring.first()
        }
    };
    turn.commit().await?;
    if ring.first().id() != key.id() {
        tracing::warn!(in_use = %key.id(), "secrets.key is not in use yet: run `radar secrets rotate`");
    }
    Ok(Vault { source, ring: RwLock::new(ring) })
}

/// Every key that the database names: that for new secrets, and those of its rows.
pub(crate) async fn named_keys(connection: &impl ConnectionTrait) -> Result<Vec<KeyId>> {
    let mut named: Vec<KeyId> = in_use(connection).await?.into_iter().collect();
    for id in connection.all("select distinct key_id from webhook_secret", ()).await? {
        if !named.contains(&id) {
            named.push(id);
        }
    }
    Ok(named)
}

/// The key that new secrets are encrypted with.
pub(super) async fn in_use(connection: &impl ConnectionTrait) -> Result<Option<KeyId>> {
    connection.first("select value from setting where name = ?", KEY_IN_USE).await
}

/// Insists that `known` holds every key in `named`.
pub(super) fn known_keys(known: Option<KeyRing>, named: &[KeyId], source: &dyn KeySource) -> Result<KeyRing> {
    let is_known = |id: &KeyId| known.as_ref().is_some_and(|ring| ring.find(id).is_some());
    let missing = named.iter().find(|id| !is_known(id));
    match (known, missing) {
        (Some(ring), None) => Ok(ring),
        (_, missing) => {
            let id = missing.map(KeyId::as_str).unwrap_or_default();
            Err(StoreError::Open(format!(
                "secrets.key: the secrets in this database are encrypted with the key {id}, which this process does not \
                 have; {}",
                source.remedy()
            )))
        }
    }
}

fn refused(error: KeySourceError) -> StoreError {
    StoreError::Open(error.to_string())
}

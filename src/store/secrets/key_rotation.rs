//! From one encryption key to the next, while a service may be running.
//!
//! Row by row, each in its own statement, so that no one waits and a stop at any moment leaves rows that name their key.
//! The database names the new key first: what the service writes from then on is encrypted with it. The lock of an SQLite
//! file is not taken.

use std::time::Duration;

use entity::webhook_secret;
use sea_orm::DatabaseConnection;

use super::encryption_keys::{KEY_IN_USE, KeySource, in_use, known_keys, named_keys};
use super::webhook_secrets::reencrypt;
use crate::database::{Run, Statements, connection};
use crate::{DatabaseSettings, Result, StoreError};
use domain::{KeyId, KeyRing};

/// Rows that are read at once.
const PAGE: u64 = 200;
/// How long a row waits for the service to let it write to an SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// A database whose secrets are to be encrypted with another key.
pub struct KeyRotation {
    connection: DatabaseConnection,
    named: Vec<KeyId>,
}

impl KeyRotation {
    /// Opens the database while a service may be using it.
    ///
    /// # Errors
    /// It cannot be opened, or its schema is older than encrypted secrets.
    pub async fn open(settings: &DatabaseSettings) -> Result<Self> {
        // What was encrypted with the old key is overwritten, not just let go of.
        let connection = connection::open_beside(settings, "rw", |options| {
            options.map_sqlx_sqlite_opts(|sqlite| sqlite.busy_timeout(BUSY_TIMEOUT).pragma("secure_delete", "on"));
        });
        let connection = connection.await?;
        if in_use(&connection).await?.is_none() {
            let problem = "database.url: no secret of this database was ever encrypted; start the service on it first";
            return Err(StoreError::Open(problem.to_owned()));
        }
        let named = named_keys(&connection).await?;
        Ok(Self { connection, named })
    }

    /// The keys that the database names, that for new secrets first. More than one: a rotation did not come to its end.
    pub fn named(&self) -> &[KeyId] {
        &self.named
    }

    /// Encrypts with the first key of `ring` whatever is encrypted with another one; how many secrets that were.
    ///
    /// # Errors
    /// A key that the database names is not in `ring`, or the database did not answer: then what is done is done, and
    /// the rest can be done by the same call again.
    pub async fn run(self, ring: &KeyRing, source: &dyn KeySource) -> Result<u64> {
        known_keys(Some(ring.clone()), &self.named, source)?;
        let to = ring.first();
        self.connection.run("update setting set value = ? where name = ?", (to.id().as_str(), KEY_IN_USE)).await?;
        let mut reencrypted = 0;
        loop {
            let mut sql = self.connection.rows_of::<webhook_secret::Entity>();
            sql.add("key_id <> ? order by account_id limit ?", (to.id().as_str(), PAGE));
            let rows: Vec<webhook_secret::Model> = sql.models(&self.connection).await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let from = KeyId::from_stored(row.key_id.clone());
                let from = ring.find(&from).ok_or(StoreError::UnknownKey(from))?;
                reencrypted += reencrypt(&row, from, to, &self.connection).await?;
            }
        }
        self.connection.close().await?;
        Ok(reencrypted)
    }
}

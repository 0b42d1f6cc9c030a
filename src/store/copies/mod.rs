//! Whole copies of an SQLite database, and the way back.
//!
//! A copy is made beside a running service, and put in the place of a database that nobody uses. Never here: PostgreSQL, which
//! has programs of its own for both.

mod backup;
mod draft;
mod restore;
mod seal;
mod soundness;

use std::fs;
use std::path::{Path, PathBuf};

use super::database::sqlite::{log_damage, own_files};
use super::offline::{open_to_read, sqlite_path};
use super::{DatabaseSettings, StoreError};
use crate::Result;
use domain::KeyId;

/// A copy that was made or put in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its length.
    pub bytes: u64,
    /// The keys that the secrets in it are encrypted with; they are not in it.
    pub secret_keys: Vec<KeyId>,
    /// What the database is called now that the copy took the place of, or its log where that was there alone; `None` when
    /// there was neither.
    pub kept_aside: Option<PathBuf>,
}

/// Copies an SQLite database, also beside a running service.
///
/// # Errors
/// [`StoreError::Open`] with one sentence on what is wrong; then there is no new file at `to`.
pub async fn back_up(settings: &DatabaseSettings, to: &Path) -> Result<Copied> {
    let path = copied_path(settings)?;
    let unreadable = |error| StoreError::open(format_args!("{}: {error}", path.display()));
    if let Some(damage) = log_damage::find(path).map_err(unreadable)? {
        return Err(StoreError::Open(damage));
    }
    if fs::canonicalize(to).is_ok_and(|to| fs::canonicalize(path).is_ok_and(|path| to == path)) {
        return Err(StoreError::Open(format!("{} is the database itself", to.display())));
    }
    let (connection, missing) = open_to_read(settings, path).await?;
    if let Some(missing) = missing {
        return Err(StoreError::Open(missing));
    }
    let copied = backup::back_up(&connection, to).await;
    connection.close().await?;
    copied
}

/// Puts a backup in the place of an SQLite database that nobody uses.
///
/// # Errors
/// [`StoreError::Open`] with one sentence on what is wrong; then the database is what it was.
pub async fn restore(settings: &DatabaseSettings, from: &Path, may_replace: bool) -> Result<Copied> {
    let path = copied_path(settings)?;
    let _lock = own_files::lock_file(path)?;
    restore::restore(from, path, may_replace).await
}

/// The file that backups are made of.
fn copied_path(settings: &DatabaseSettings) -> Result<&Path> {
    let on_a_server = "this command copies SQLite files; on PostgreSQL use pg_dump to make a backup and \
                       pg_restore to put it back (docs/operations.md)";
    sqlite_path(settings).ok_or_else(|| StoreError::open(on_a_server))
}

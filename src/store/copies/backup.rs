//! Whole copies of a database in use.

use std::fs::File;
use std::io;
use std::path::Path;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use super::draft::Draft;
use super::{Copied, seal, soundness};
use crate::database::sqlite::log_marker;
use crate::secrets::encryption_keys;
use crate::{Result, StoreError};

/// What a copy says of itself in the header of SQLite files ("RdrB").
pub(super) const APPLICATION_ID: i32 = 0x5264_7242;

/// Copies what `source` has at one moment, also while others write. `to` is there only when the copy is whole, checked and
/// on the disk; an earlier backup of that name stays until then.
///
/// # Errors
/// [`StoreError::Open`] with a sentence: there is something else at `to`, the copy cannot be written, or it is not sound.
pub(super) async fn back_up(source: &DatabaseConnection, to: &Path) -> Result<Copied> {
    let shown = to.display();
    let cannot = |error: io::Error| StoreError::Open(format!("{shown} cannot be written: {error}"));
    if !may_replace(to).map_err(cannot)? {
        return Err(StoreError::Open(format!("{shown} is not a backup and is left alone")));
    }
    let mut draft = Draft::begin(to).map_err(cannot)?;
    let name = draft.path().to_str().ok_or_else(|| cannot(io::Error::other("the name is not UTF-8")))?;
    // In full: a name that begins with "file:" would have a meaning of its own.
    let name = std::path::absolute(name).map_err(cannot)?.display().to_string();
    let copy = Statement::from_sql_and_values(DbBackend::Sqlite, "vacuum into $1", [name.into()]);
    source.execute_raw(copy).await.map_err(|error| StoreError::Open(format!("{shown} cannot be written: {error}")))?;

    let copy = soundness::open(draft.path(), false).await?;
    copy.execute_unprepared(&format!("pragma application_id = {APPLICATION_ID}")).await?;
    copy.execute_unprepared(&log_marker::closing()).await?;
    let unsound = soundness::unsound(&copy).await?;
    let secret_keys = encryption_keys::named_keys(&copy).await?;
    copy.close().await?;
    if let Some(problem) = unsound {
        return Err(StoreError::Open(format!("the database is not sound, and {shown} was not made: {problem}")));
    }
    seal::seal(draft.file()).map_err(cannot)?;
    let bytes = draft.file().metadata().map_err(cannot)?.len();
    draft.publish(to).map_err(cannot)?;
    Ok(Copied { bytes, secret_keys, kept_aside: None })
}

/// Nothing is there, or an earlier backup.
fn may_replace(to: &Path) -> io::Result<bool> {
    match std::fs::metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        metadata => Ok(metadata?.is_file() && seal::has_seal(&mut File::open(to)?)?),
    }
}

//! The files of an SQLite database belong to one process and to its user.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::files;
use crate::private_files;
use crate::{Result, StoreError};

/// One process owns the file: actors of two processes would each believe that they are the only ones.
pub(crate) fn lock_file(path: &Path) -> Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        private_files::make_folder(folder)
            .map_err(|error| StoreError::open(format!("the folder {} cannot be made: {error}", folder.display())))?;
    }
    let lock_path = files::beside(path, ".lock");
    let file = private_files::make_file(&lock_path)
        .and_then(|()| OpenOptions::new().write(true).open(&lock_path))
        .map_err(|error| StoreError::open(format!("{} cannot be written: {error}", lock_path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::open(format!("another process is using {}", path.display()))),
        Err(TryLockError::Error(error)) => {
            Err(StoreError::open(format!("{} cannot be locked: {error}", lock_path.display())))
        }
    }
}

/// SQLite gives its log the rights of the file. None of them is for others, however old it is.
pub(crate) fn make_private(path: &Path) -> Result<()> {
    let cannot = |error| StoreError::open(format!("{} cannot be written: {error}", path.display()));
    private_files::make_file(path).map_err(cannot)?;
    for ending in ["", "-wal", "-shm", ".lock"] {
        let file = files::beside(path, ending);
        match private_files::narrow_file(&file) {
            Ok(true) => tracing::warn!(file = %file.display(), "a file of the database was open to others"),
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(file = %file.display(), %error, "a file of the database may be open to others")
            }
        }
    }
    Ok(())
}

//! A file in the making, under a name of its own beside the one that it will have.
//!
//! Whole and on the disk before it gets its name: a copy that is cut off in between leaves at most the draft, which nothing
//! reads and the next attempt begins anew.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::database::sqlite::files::beside;
use crate::private_files;

/// What a draft's name has more than that of its target.
const ENDING: &str = ".partial";

/// The draft; gone when it is dropped, unless it was published.
pub(super) struct Draft {
    path: PathBuf,
    /// Locked for as long as this process works on it.
    file: File,
    is_published: bool,
}

impl Draft {
    /// An empty draft of `target`, readable by its owner alone.
    ///
    /// # Errors
    /// What the system says, also when another process works on it.
    pub(super) fn begin(target: &Path) -> io::Result<Self> {
        let path = beside(target, ENDING);
        private_files::make_file(&path)?;
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::Error::other(format!("{} is not a file", path.display())));
        }
        private_files::narrow_file(&path)?;
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other(format!("another process is writing {}", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        Ok(Self { path, file, is_published: false })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Waits until everything is on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the draft the name of its target, in the place of what has it.
    pub(super) fn publish(mut self, target: &Path) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.path, target)?;
        self.is_published = true;
        private_files::sync_folder_of(target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_published
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(file = %self.path.display(), %error, "an unfinished file could not be removed");
        }
    }
}

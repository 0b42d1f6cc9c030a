//! Whether the files of an SQLite database are still where their names say.
//!
//! SQLite goes on writing into files that were renamed or removed, and no restart would find what it wrote. Never here:
//! opening one of these files, because closing it again would end the locks that SQLite holds on it.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

/// The files of an open database.
pub(crate) struct DatabaseFiles {
    database: PathBuf,
    log: PathBuf,
    /// The main file and the log as they were opened; `None` before that.
    opened: Mutex<Option<(FileId, FileId)>>,
}

/// Where the files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilesState {
    /// Their names lead to the open files.
    Kept,
    /// The main file is in place, but the log's name leads elsewhere or nowhere.
    LogTakenAway,
    /// The main file's name leads elsewhere or nowhere.
    DatabaseTakenAway,
}

/// A file, whatever it is called: its device and its number there.
type FileId = (u64, u64);

impl DatabaseFiles {
    /// The files of the database at `path`, which may not exist yet.
    pub(crate) fn new(path: &Path) -> Self {
        // SQLite follows symbolic links and keeps its log beside the file that it arrives at.
        let resolved = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Self { database: path.to_owned(), log: beside(&resolved, "-wal"), opened: Mutex::new(None) }
    }

    /// Takes note of the files that are open now.
    pub(crate) fn note_opened(&self) -> io::Result<()> {
        let seen = (file_id(&self.database)?, file_id(&self.log)?);
        *self.opened.lock() = Some(seen);
        Ok(())
    }

    /// Where the files are that were noted last.
    pub(crate) fn state(&self) -> FilesState {
        let Some((database, log)) = *self.opened.lock() else {
            return FilesState::Kept;
        };
        let is_still = |path: &Path, opened| file_id(path).is_ok_and(|seen| seen == opened);
        match (is_still(&self.database, database), is_still(&self.log, log)) {
            (true, true) => FilesState::Kept,
            (true, false) => FilesState::LogTakenAway,
            (false, _) => FilesState::DatabaseTakenAway,
        }
    }

    /// The length of the log.
    pub(crate) fn log_bytes(&self) -> u64 {
        fs::metadata(&self.log).map_or(0, |log| log.len())
    }

    /// The name of the main file, for people.
    pub(crate) fn shown(&self) -> String {
        self.database.display().to_string()
    }
}

/// Whether there is something in a file.
pub(crate) fn has_content(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.len() > 0)
}

/// A name for keeping the database at `path`, or its log, aside: neither is there under it yet.
pub(crate) fn name_aside(path: &Path) -> PathBuf {
    let mut names = (1_u64..).map(|number| beside(path, &format!(".replaced-{number}")));
    let is_free = |name: &PathBuf| ["", "-wal"].iter().all(|end| beside(name, end).symlink_metadata().is_err());
    names.find(is_free).unwrap_or_default()
}

/// The file beside the database at `path` whose name has `ending` more than its own.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn file_id(path: &Path) -> io::Result<FileId> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use super::{DatabaseFiles, FilesState};
    use std::fs;

    #[test]
    fn decision_4_13_files_that_were_taken_away_are_missed_and_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [database, log, aside] = ["radar.db", "radar.db-wal", "aside"].map(|name| folder.path().join(name));
        let files = DatabaseFiles::new(&database);
        assert!(files.note_opened().is_err());
        assert_eq!(files.state(), FilesState::Kept, "nothing is open yet");
        fs::write(&database, "database").expect("written");
        fs::write(&log, "log").expect("written");
        files.note_opened().expect("both are there");
        assert_eq!(files.state(), FilesState::Kept);

        fs::rename(&log, &aside).expect("renamed");
        assert_eq!(files.state(), FilesState::LogTakenAway);
        fs::write(&log, "log").expect("written");
        assert_eq!(files.state(), FilesState::LogTakenAway, "another file of that name is not the log");
        fs::rename(&aside, &log).expect("renamed");
        assert_eq!(files.state(), FilesState::Kept);

        fs::rename(&database, &aside).expect("renamed");
        assert_eq!(files.state(), FilesState::DatabaseTakenAway);
        fs::copy(&aside, &database).expect("copied");
        assert_eq!(files.state(), FilesState::DatabaseTakenAway, "a copy is another file");
        fs::rename(&aside, &database).expect("renamed");
        assert_eq!(files.state(), FilesState::Kept);
    }

    #[test]
    fn the_log_of_a_linked_database_is_beside_the_file_that_the_link_leads_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let [database, link] = ["radar.db", "link.db"].map(|name| folder.path().join(name));
        fs::write(&database, "database").expect("written");
        fs::write(folder.path().join("radar.db-wal"), "log").expect("written");
        std::os::unix::fs::symlink(&database, &link).expect("linked");
        DatabaseFiles::new(&link).note_opened().expect("both are there");
    }
}

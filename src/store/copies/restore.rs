//! A backup in the place of a database.
//!
//! Everything is looked at in a copy of our own, so that nobody changes it in between, and before anything of it is used: a
//! file that was made to harm has no triggers, views or tables of foreign kinds that could run when it is served.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::backup::APPLICATION_ID;
use super::draft::Draft;
use super::seal::{self, Seal};
use super::{Copied, soundness};
use crate::database::Statements;
use crate::database::sqlite::files::{beside, has_content, name_aside};
use crate::database::sqlite::log_marker;
use crate::private_files;
use crate::secrets::encryption_keys;
use crate::{Result, StoreError};

/// Where the header of an SQLite file says whether a log belongs to it, and what it says if not.
const FORMAT: std::ops::Range<usize> = 18..20;
const WITHOUT_LOG: [u8; 2] = [1, 1];

/// Puts the backup `from` in the place of the database at `path`, which nobody uses: the caller holds its lock. A database
/// that is there is replaced only if `may_replace`, and kept under another name.
///
/// # Errors
/// [`StoreError::Open`] with a sentence; then the database that was there is what it was.
pub(super) async fn restore(from: &Path, path: &Path, may_replace: bool) -> Result<Copied> {
    let locked = path;
    // What a link leads to is replaced, as the service would write there.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let shown = path.display();
    let cannot = |error: io::Error| StoreError::Open(format!("{shown} cannot be written: {error}"));
    let is_there = [path.to_owned(), beside(path, "-wal")].iter().any(|file| has_content(file));
    if is_there && !may_replace {
        return Err(StoreError::Open(format!(
            "{shown} exists; --replace puts the backup in its place and keeps it aside"
        )));
    }
    let mut draft = Draft::begin(path).map_err(cannot)?;
    copy(from, draft.file())?;
    let copied = examine(from, draft.path()).await?;
    draft.sync().map_err(cannot)?;
    let kept_aside = keep_aside(path).map_err(cannot)?;
    // A log of the old database would be taken for one of the new.
    for ending in ["-wal", "-shm"] {
        remove(&beside(path, ending)).map_err(cannot)?;
    }
    log_marker::forget_log(locked).map_err(cannot)?;
    private_files::sync_folder_of(path).map_err(cannot)?;
    draft.publish(path).map_err(cannot)?;
    Ok(Copied { kept_aside, ..copied })
}

/// Copies what is in the backup without its seal.
fn copy(from: &Path, to: &mut File) -> Result<()> {
    let refused = |why: &str| StoreError::Open(format!("{} {why}", from.display()));
    let unreadable = |error: io::Error| refused(&format!("cannot be copied: {error}"));
    if !fs::metadata(from).map_err(unreadable)?.is_file() {
        return Err(refused("is not a file"));
    }
    match seal::copy_sealed(&mut File::open(from).map_err(unreadable)?, to).map_err(unreadable)? {
        Seal::Intact => Ok(()),
        Seal::Broken => Err(refused("is damaged: it is not what `radar backup` wrote")),
        Seal::Missing => Err(refused("is not a backup that `radar backup` made, or its end is missing")),
    }
}

/// Insists that the copy at `draft` is a sound database of ours.
async fn examine(from: &Path, draft: &Path) -> Result<Copied> {
    let refused = |why: String| StoreError::Open(format!("{} is refused: {why}", from.display()));
    let cannot = |error: io::Error| refused(error.to_string());
    let bytes = fs::metadata(draft).map_err(cannot)?.len();
    if format_of(draft).map_err(cannot)? != Some(WITHOUT_LOG) {
        return Err(refused("it is not a whole SQLite file".to_owned()));
    }
    let examined = async {
        let copy = soundness::open(draft, true).await?;
        let application_id: Option<i32> = copy.sql("pragma application_id").first(&copy).await?;
        let problem = match application_id {
            Some(APPLICATION_ID) => soundness::unsound(&copy).await?,
            _ => Some("it is a database of another program".to_owned()),
        };
        let problem = match problem {
            None if log_marker::is_in_use(&copy).await? => Some("it says of itself that it is not whole".to_owned()),
            problem => problem,
        };
        let secret_keys = match problem {
            None => encryption_keys::named_keys(&copy).await?,
            Some(_) => Vec::new(),
        };
        copy.close().await?;
        Ok::<_, StoreError>((problem, secret_keys))
    };
    match examined.await {
        Ok((None, secret_keys)) => Ok(Copied { bytes, secret_keys, kept_aside: None }),
        Ok((Some(problem), _)) => Err(refused(problem)),
        Err(error) => Err(refused(error.to_string())),
    }
}

fn format_of(file: &Path) -> io::Result<Option<[u8; 2]>> {
    let mut header = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(File::open(file)?, FORMAT.end as u64), &mut header)?;
    Ok(header.get(FORMAT).and_then(|format| format.try_into().ok()))
}

/// Gives a database that is there, and its log, a second name each, which outlives the first; answers that of the database,
/// or of a log that is there alone.
fn keep_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    let aside = name_aside(path);
    let mut kept = None;
    // The log first: a database that is there under its new name has everything.
    for ending in ["-wal", ""] {
        let file = beside(path, ending);
        let name = beside(&aside, ending);
        if has_content(&file) {
            fs::hard_link(file, &name)?;
            kept = Some(name);
        }
    }
    private_files::sync_folder_of(path)?;
    Ok(kept)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::keep_aside;

    #[test]
    fn whatever_has_content_is_kept_under_another_name_also_a_log_alone() {
        for (database, log, kept) in [
            (None, None, [None, None]),
            (Some(""), Some(""), [None, None]),
            (Some("database"), None, [Some("database"), None]),
            (Some("database"), Some("log"), [Some("database"), Some("log")]),
            (None, Some("log"), [None, Some("log")]),
            (Some(""), Some("log"), [None, Some("log")]),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = |name: &str| folder.path().join(name);
            fs::write(path("radar.db.replaced-1-wal"), "earlier").expect("written");
            for (name, content) in [("radar.db", database), ("radar.db-wal", log)] {
                if let Some(content) = content {
                    fs::write(path(name), content).expect("written");
                }
            }
            let names = ["radar.db.replaced-2", "radar.db.replaced-2-wal"];
            let told = keep_aside(&path("radar.db")).expect("kept");
            let first = names.iter().zip(kept).find_map(|(name, kept)| kept.map(|_| path(name)));
            assert_eq!(told, first, "{database:?} {log:?}");
            let there = names.map(|name| fs::read_to_string(path(name)).ok());
            assert_eq!(there, kept.map(|content| content.map(str::to_owned)), "{database:?} {log:?}");
            assert_eq!(fs::read_to_string(path("radar.db.replaced-1-wal")).expect("read"), "earlier");
        }
    }
}

//! Files that are for the service alone: folders 0700, files 0600, whatever the umask.
//!
//! Duty: making such files, durably where what is in them must not be lost, and narrowing the rights of older ones. What
//! is in them is none of its business.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
/// The rights of everybody but the owner.
const OTHERS: u32 = 0o077;
/// Marks a folder in which everybody may make files, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// Makes `folder` and what is missing above it; one that exists stays as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)
}

/// Takes the rights of others from a folder that is the service's own. The working folder, what is above it and shared
/// folders such as `/tmp` are left alone. Whether anything had to be changed.
pub fn narrow_folder(folder: &Path) -> io::Result<bool> {
    let folder = folder.canonicalize()?;
    let is_ours = !std::env::current_dir()?.canonicalize()?.starts_with(&folder);
    let mode = fs::metadata(&folder)?.permissions().mode();
    let is_wide = mode & OTHERS != 0 && mode & STICKY == 0;
    if is_ours && is_wide {
        fs::set_permissions(&folder, Permissions::from_mode(FOLDER_MODE))?;
    }
    Ok(is_ours && is_wide)
}

/// Makes an empty file if there is none.
pub fn make_file(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map(drop),
    }
}

/// Takes the rights of others from a file, if there is one. Whether anything had to be changed.
///
/// # Errors
/// What the system says, also when the file belongs to somebody else.
pub fn narrow_file(path: &Path) -> io::Result<bool> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        metadata => metadata?,
    };
    let is_wide = metadata.permissions().mode() & OTHERS != 0;
    if is_wide {
        fs::set_permissions(path, Permissions::from_mode(FILE_MODE))?;
    }
    Ok(is_wide)
}

/// Makes a file that holds `text`, whole and on the disk before this returns, unless there is one already: of processes
/// that do so at once, one makes it. Whether it was this one.
pub fn make_durably(path: &Path, text: &str) -> io::Result<bool> {
    match written_beside(path, text)?.persist_noclobber(path) {
        Ok(_) => sync_folder_of(path).map(|()| true),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => sync_folder_of(path).map(|()| false),
        Err(error) => Err(error.error),
    }
}

/// Puts a file that holds `text` in the place of `path`, at once and on the disk before this returns.
///
/// # Errors
/// What the system says; then the file is what it was.
pub fn replace_durably(path: &Path, text: &str) -> io::Result<()> {
    written_beside(path, text)?.persist(path).map_err(|error| error.error)?;
    sync_folder_of(path)
}

/// Waits until the name of `path` is on the disk.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    File::open(folder_of(path))?.sync_all()
}

/// A file without a lasting name in the folder of `path`, readable by its owner alone, that holds `text` on the disk.
fn written_beside(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("metadata").permissions().mode() & 0o7777
    }

    #[test]
    fn what_is_made_is_private_and_what_is_there_is_narrowed() {
        let above = tempfile::tempdir().expect("a folder");
        let folder = above.path().join("a/b");
        make_folder(&folder).expect("made");
        assert_eq!((mode(&folder), mode(&above.path().join("a"))), (0o700, 0o700));
        let file = folder.join("file");
        assert!(!narrow_file(&file).expect("nothing there"));
        make_file(&file).expect("made");
        assert_eq!(mode(&file), 0o600);

        for (path, wide, narrow) in [(&folder, 0o755, 0o700), (&file, 0o644, 0o600)] {
            fs::set_permissions(path, Permissions::from_mode(wide)).expect("widened");
            let is_changed = || if path.is_dir() { narrow_folder(path) } else { narrow_file(path) };
            assert_eq!((is_changed().expect("narrowed"), mode(path)), (true, narrow));
            assert!(!is_changed().expect("left alone"));
        }
        fs::write(&file, "text").expect("written");
        make_file(&file).expect("left alone");
        assert_eq!(fs::read_to_string(&file).expect("text"), "text");
    }

    #[test]
    fn shared_folders_and_those_we_stand_in_are_left_alone() {
        let shared = tempfile::tempdir().expect("a folder");
        fs::set_permissions(shared.path(), Permissions::from_mode(0o1777)).expect("shared");
        assert!(!narrow_folder(shared.path()).expect("looked at"));
        assert_eq!(mode(shared.path()), 0o1777);
        for above in ["/", "."] {
            assert!(!narrow_folder(Path::new(above)).expect("looked at"), "{above}");
        }
    }

    #[test]
    fn of_many_that_make_a_file_at_once_one_does_and_all_read_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        let made: Vec<(bool, String)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|number| {
                    let path = &path;
                    scope.spawn(move || {
                        let is_ours = make_durably(path, &format!("text {number}")).expect("made");
                        (is_ours, fs::read_to_string(path).expect("whole"))
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("ended")).collect()
        });
        assert_eq!(made.iter().filter(|(is_ours, _)| *is_ours).count(), 1);
        assert!(made.iter().all(|(_, text)| *text == made[0].1 && text.starts_with("text ")), "{made:?}");
        assert_eq!(mode(&path), 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "something was left over");

        replace_durably(&path, "another").expect("replaced");
        assert_eq!((fs::read_to_string(&path).expect("text").as_str(), mode(&path)), ("another", 0o600));
    }
}

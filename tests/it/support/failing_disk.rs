//! A disk that fails on demand: a small library, compiled here and loaded into the program under test, fails
//! what that program writes below one folder. It needs no rights, and each failure comes when the test wants it.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const LIBRARY: &str = include_str!("failing_disk.c");

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No file can grow.
    Full,
    /// No write succeeds.
    Write,
    /// Writes succeed, but nothing can be made durable.
    Sync,
    /// The file system was mounted read-only.
    Frozen,
}

impl Failure {
    pub const ALL: [Self; 4] = [Self::Full, Self::Write, Self::Sync, Self::Frozen];

    fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Frozen => "frozen",
        }
    }
}

/// The disk.
pub struct FailingDisk {
    folder: TempDir,
}

impl FailingDisk {
    /// A disk in good order; `None`, which is said loudly, where no C compiler is installed or nothing can be loaded
    /// into another program.
    pub fn new() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        // A database server runs as another user.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("opened");
        let source = folder.path().join("failing_disk.c");
        fs::write(&source, LIBRARY).expect("written");
        fs::create_dir(folder.path().join("disk")).expect("made");
        let disk = Self { folder };
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(disk.library()).arg(&source).arg("-ldl");
        if cfg!(target_os = "linux") && compiler.status().is_ok_and(|status| status.success()) {
            return Some(disk);
        }
        let mut terminal = std::io::stderr();
        writeln!(terminal, "\n*** No C compiler, or not Linux: TESTS OF A FAILING DISK DO NOT RUN. ***\n")
            .expect("the control file");
        None
    }

    /// A folder on the disk.
    pub fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a path").join("disk")
    }

    /// The variables under which a program writes to this disk when it writes below `folder`.
    pub fn environment(&self, folder: &Path) -> [(String, String); 3] {
        [
            ("LD_PRELOAD", self.library()),
            ("FAILING_DISK_FOLDER", folder.to_owned()),
            ("FAILING_DISK_ORDER", self.order()),
        ]
        .map(|(name, value)| (name.to_owned(), value.display().to_string()))
    }

    /// Fails from now on.
    pub fn fail(&self, how: Failure) {
        // In one step: the library may read it at any time.
        let draft = self.folder.path().join("draft");
        fs::write(&draft, how.word()).expect("written");
        fs::rename(draft, self.order()).expect("ordered");
    }

    /// Works from now on.
    pub fn heal(&self) {
        fs::remove_file(self.order()).expect("it failed");
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("failing_disk.so")
    }

    fn order(&self) -> PathBuf {
        self.folder.path().join("order")
    }
}

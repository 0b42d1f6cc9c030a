//! What a writer does about the files of an SQLite database.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, Row, Sqlite};
use sea_orm::{DatabaseConnection, DbErr, RuntimeErr};
use tokio::sync::Mutex;

use super::files::{DatabaseFiles, FilesState};
use super::log_marker;
use crate::error::unavailable;
use clock::Clock;

/// How long the log may be while little is written. A longer one is moved into the main file beside what goes on.
const LOG_AT_REST_MAX: u64 = 8 * MIB;
/// How long it may be while much is written: pages that change in every commit are then moved once for many commits.
const LOG_MAX: u64 = 64 * MIB;
/// Little is written while the log grows by less than this between two looks.
const LITTLE: u64 = MIB;
const MIB: u64 = 1024 * 1024;
/// The pause between two looks at a long log.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// An open SQLite database, as its files are concerned.
pub(crate) struct SqliteFile {
    path: PathBuf,
    files: DatabaseFiles,
    writer: DatabaseConnection,
    readers: DatabaseConnection,
    readers_max: u32,
    /// Whether the writing connection is replaced before it is used again.
    is_distrusted: Arc<AtomicBool>,
    /// Whether the main file says that a log belongs to it.
    is_marked: AtomicBool,
    /// Whether somebody is about to move a long log into the main file.
    is_tended: AtomicBool,
    /// Held while the files are changed.
    turn: Mutex<()>,
}

impl SqliteFile {
    /// The database at `path`, which is open; `is_distrusted` is what its pool looks at before it gives away a
    /// connection that writes.
    pub(crate) fn new(
        path: &Path,
        writer: DatabaseConnection,
        readers: DatabaseConnection,
        readers_max: u32,
        is_distrusted: Arc<AtomicBool>,
    ) -> std::io::Result<Self> {
        let files = DatabaseFiles::new(path);
        files.note_opened()?;
        let (is_marked, is_tended) = Default::default();
        let path = path.to_owned();
        Ok(Self {
            path,
            files,
            writer,
            readers,
            readers_max,
            is_distrusted,
            is_marked,
            is_tended,
            turn: Mutex::default(),
        })
    }

    /// Has the writing connection replaced before its next use: it may be in a state that it does not know, or have been
    /// opened while the file could only be read.
    pub(in crate::database) fn distrust_connection(&self) {
        self.is_distrusted.store(true, SeqCst);
    }

    /// Makes sure before a write that its files are in place and that the main file says what belongs to it.
    pub(in crate::database) async fn prepare(&self) -> Result<(), DbErr> {
        if self.is_marked.load(SeqCst) && self.files.state() == FilesState::Kept {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        match self.files.state() {
            FilesState::Kept => {}
            FilesState::LogTakenAway => self.replace_log().await?,
            FilesState::DatabaseTakenAway => return Err(self.taken_away()),
        }
        if !self.is_marked.load(SeqCst) {
            let is_sure = log_marker::mark_in_use(&self.writer, &self.path).await?;
            self.is_marked.store(is_sure, SeqCst);
        }
        Ok(())
    }

    /// Whether the files are where a restart looks for them.
    pub(in crate::database) fn confirm(&self) -> Result<(), DbErr> {
        match self.files.state() {
            FilesState::Kept => Ok(()),
            FilesState::LogTakenAway => Err(unavailable(format!("the log of {} was taken away", self.files.shown()))),
            FilesState::DatabaseTakenAway => Err(self.taken_away()),
        }
    }

    /// Whether the log is so long that it is to be tended, and nobody does yet. Who is told so does it.
    pub(in crate::database) fn wants_tending(&self) -> bool {
        self.files.log_bytes() > LOG_AT_REST_MAX && !self.is_tended.swap(true, SeqCst)
    }

    /// Moves a long log into the main file as soon as little is written or it is too long, until it is short or closed.
    pub(in crate::database) async fn tend_log(&self) {
        let mut bytes = self.files.log_bytes();
        while bytes > LOG_AT_REST_MAX {
            Clock::system().real_timer(LOOK_EVERY).await;
            let before = std::mem::replace(&mut bytes, self.files.log_bytes());
            if bytes < LOG_MAX && bytes.saturating_sub(before) >= LITTLE {
                continue;
            }
            match self.move_log().await {
                Ok(true) => bytes = self.files.log_bytes(),
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, "a long log could not be moved into the database");
                    break;
                }
            }
        }
        self.is_tended.store(false, SeqCst);
    }

    /// Moves the log into the main file and begins it anew, as far as nobody reads an old state; `false` when the database
    /// is closed. Commits wait only for what is written while most of the log is moved.
    async fn move_log(&self) -> Result<bool, DbErr> {
        let _turn = self.turn.lock().await;
        if !self.is_marked.load(SeqCst) || self.files.state() != FilesState::Kept {
            return Ok(false);
        }
        log_marker::checkpoint_without_waiting(&self.readers).await?;
        log_marker::mark_in_use(&self.writer, &self.path).await?;
        Ok(true)
    }

    /// Moves everything into the main file and closes the readers; the writer is left.
    pub(crate) async fn close(&self) {
        let _turn = self.turn.lock().await;
        let closed = async {
            self.readers.close_by_ref().await?;
            if self.files.state() == FilesState::DatabaseTakenAway {
                return Err(self.taken_away());
            }
            log_marker::mark_closed(&self.writer).await
        };
        if let Err(error) = closed.await {
            tracing::warn!(%error, "the log could not be moved into the database and belongs beside it");
        }
        self.is_marked.store(false, SeqCst);
    }

    /// The log was removed, but the connections still hold it: everything in it is moved into the main file, and all
    /// connections are replaced, so that they share a new log.
    async fn replace_log(&self) -> Result<(), DbErr> {
        // A new connection would not hold the log that was removed.
        self.is_distrusted.store(false, SeqCst);
        let mut held = vec![acquire(&self.writer).await?];
        let readers = self.readers.get_sqlite_connection_pool();
        held.extend(std::iter::from_fn(|| readers.try_acquire()));
        empty_log(&mut held, "pragma wal_checkpoint(full)").await?;
        // Those that are opened only now find everything in the main file.
        while held.len() <= self.readers_max as usize {
            held.push(acquire(&self.readers).await?);
        }
        empty_log(&mut held, "pragma wal_checkpoint(truncate)").await?;
        for connection in held {
            connection.close().await.map_err(sql_error)?;
        }
        // The first read of a new connection makes the new log.
        log_marker::is_in_use(&self.writer).await?;
        self.files.note_opened().map_err(|error| unavailable(format!("{}: {error}", self.files.shown())))?;
        self.is_marked.store(false, SeqCst);
        tracing::warn!(
            database = self.files.shown(),
            "the log was taken away; what was in it is kept, and it is replaced"
        );
        Ok(())
    }

    fn taken_away(&self) -> DbErr {
        unavailable(format!("{} was taken away, or another file is in its place", self.files.shown()))
    }
}

/// Moves the log into the main file through whichever of the connections holds it.
async fn empty_log(connections: &mut [PoolConnection<Sqlite>], how: &'static str) -> Result<(), DbErr> {
    let mut last = unavailable("no connection");
    for connection in connections {
        let asked = sqlx::query(how).fetch_one(&mut **connection).await;
        match asked.and_then(|row| row.try_get::<i64, _>(0)) {
            Ok(0) => return Ok(()),
            Ok(_) => last = unavailable("another program holds an old state of the database"),
            Err(error) => last = sql_error(error),
        }
    }
    Err(last)
}

async fn acquire(pool: &DatabaseConnection) -> Result<PoolConnection<Sqlite>, DbErr> {
    pool.get_sqlite_connection_pool().acquire().await.map_err(sql_error)
}

fn sql_error(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}

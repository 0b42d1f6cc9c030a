//! What a writer does about the files of an SQLite database.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use sea_orm::sqlx::pool::PoolConnection;
use sea_orm::sqlx::{self, Row, Sqlite};
use sea_orm::{DatabaseConnection, DbErr, RuntimeErr};
use tokio::sync::Mutex;

use super::files::{DatabaseFiles, Place};
use super::log_marker;
use crate::store::error::unavailable;

/// An open SQLite database, as its files are concerned.
pub(in crate::store) struct SqliteFile {
    files: DatabaseFiles,
    readers: DatabaseConnection,
    readers_max: u32,
    /// Whether the writing connection is replaced before it is used again.
    is_distrusted: Arc<AtomicBool>,
    /// Whether the main file says that a log belongs to it.
    is_marked: AtomicBool,
    /// Held while the files are changed.
    turn: Mutex<()>,
}

impl SqliteFile {
    /// The database at `path`, which is open; `is_distrusted` is what its pool looks at before it gives away a
    /// connection that writes.
    pub(in crate::store) fn new(
        path: &Path,
        readers: DatabaseConnection,
        readers_max: u32,
        is_distrusted: Arc<AtomicBool>,
    ) -> std::io::Result<Self> {
        let files = DatabaseFiles::new(path);
        files.note_opened()?;
        let is_marked = AtomicBool::new(false);
        Ok(Self { files, readers, readers_max, is_distrusted, is_marked, turn: Mutex::default() })
    }

    /// Has the writing connection replaced before its next use: it may be in a state that it does not know, or have been
    /// opened while the file could only be read.
    pub(in crate::store::database) fn distrust_connection(&self) {
        self.is_distrusted.store(true, SeqCst);
    }

    /// Makes sure before a write that its files are in place and that the main file says what belongs to it.
    pub(in crate::store::database) async fn prepare(&self, writer: &DatabaseConnection) -> Result<(), DbErr> {
        if self.is_marked.load(SeqCst) && self.files.place() == Place::Kept {
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        match self.files.place() {
            Place::Kept => {}
            Place::LogTakenAway => self.replace_log(writer).await?,
            Place::DatabaseTakenAway => return Err(self.taken_away()),
        }
        if !self.is_marked.load(SeqCst) {
            let is_sure = log_marker::mark_in_use(writer).await?;
            self.is_marked.store(is_sure, SeqCst);
        }
        Ok(())
    }

    /// Whether the files are where a restart looks for them.
    pub(in crate::store::database) fn confirm(&self) -> Result<(), DbErr> {
        match self.files.place() {
            Place::Kept => Ok(()),
            Place::LogTakenAway => Err(unavailable(format!("the log of {} was taken away", self.files.shown()))),
            Place::DatabaseTakenAway => Err(self.taken_away()),
        }
    }

    /// Moves everything into the main file and closes the readers; the writer is left.
    pub(in crate::store) async fn close(&self, writer: &DatabaseConnection) {
        let _turn = self.turn.lock().await;
        let closed = async {
            self.readers.close_by_ref().await?;
            if self.files.place() == Place::DatabaseTakenAway {
                return Err(self.taken_away());
            }
            log_marker::mark_closed(writer).await
        };
        if let Err(error) = closed.await {
            tracing::warn!(%error, "the log could not be moved into the database and belongs beside it");
        }
        self.is_marked.store(false, SeqCst);
    }

    /// The log was removed, but the connections still hold it: everything in it is moved into the main file, and all
    /// connections are replaced, so that they share a new log.
    async fn replace_log(&self, writer: &DatabaseConnection) -> Result<(), DbErr> {
        // A new connection would not hold the log that was removed.
        self.is_distrusted.store(false, SeqCst);
        let mut held = vec![acquire(writer).await?];
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
        log_marker::is_in_use(writer).await?;
        self.files.note_opened().map_err(|error| unavailable(format!("{}: {error}", self.files.shown())))?;
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

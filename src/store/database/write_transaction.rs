//! A transaction that may write, and what is known of how writes end.

use std::sync::Arc;
use std::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Relaxed, SeqCst},
};

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};

use super::sqlite::file::SqliteFile;
use crate::error;

/// A transaction of the [`Writer`](super::writer::Writer). Dropped, it changes nothing.
///
/// Once one of its statements has failed it cannot be committed: SQLite may have ended it by itself and would keep each
/// statement that follows, and PostgreSQL answers the commit of a broken transaction as if all were well.
pub(crate) struct WriteTransaction {
    inner: DatabaseTransaction,
    has_failed: AtomicBool,
    state: Arc<WriteState>,
}

/// What is known of the writes so far.
pub(super) struct WriteState {
    /// `None` on a server, which looks after its files itself.
    file: Option<SqliteFile>,
    is_failing: AtomicBool,
    failures: AtomicU64,
}

impl WriteTransaction {
    pub(super) fn new(inner: DatabaseTransaction, state: Arc<WriteState>) -> Self {
        Self { inner, has_failed: AtomicBool::new(false), state }
    }

    /// Makes everything durable, or nothing.
    ///
    /// # Errors
    /// Nothing was kept, or (when the connection broke at the very end, or a file was taken away meanwhile) it is unknown.
    pub(crate) async fn commit(self) -> Result<(), DbErr> {
        if self.has_failed.load(Relaxed) {
            return Err(DbErr::Query(RuntimeErr::Internal("a statement of this transaction has failed".to_owned())));
        }
        let Self { inner, state, .. } = self;
        state.note(inner.commit().await)?;
        state.confirm()?;
        if state.file().is_some_and(SqliteFile::wants_tending) {
            tokio::spawn(async move { state.tend_log().await });
        }
        Ok(())
    }

    /// Undoes everything.
    ///
    /// # Errors
    /// The database did not answer; nothing was kept all the same.
    pub(crate) async fn rollback(self) -> Result<(), DbErr> {
        self.inner.rollback().await
    }

    fn note<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        if result.is_err() {
            self.has_failed.store(true, Relaxed);
        }
        self.state.note_failure(result)
    }
}

#[async_trait]
impl ConnectionTrait for WriteTransaction {
    fn get_database_backend(&self) -> DbBackend {
        self.inner.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.note(self.inner.execute_raw(statement).await)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.note(self.inner.execute_unprepared(sql).await)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.note(self.inner.query_one_raw(statement).await)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.note(self.inner.query_all_raw(statement).await)
    }
}

impl WriteState {
    pub(super) fn new(file: Option<SqliteFile>) -> Self {
        Self { file, is_failing: AtomicBool::new(false), failures: AtomicU64::new(0) }
    }

    /// The file of an SQLite database.
    pub(super) fn file(&self) -> Option<&SqliteFile> {
        self.file.as_ref()
    }

    async fn tend_log(&self) {
        if let Some(file) = &self.file {
            file.tend_log().await;
        }
    }

    /// How many writes have failed because the database could not be written.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(SeqCst)
    }

    /// Takes note of how a write ended.
    pub(super) fn note<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        if result.is_ok() && self.is_failing.load(SeqCst) && self.is_failing.swap(false, SeqCst) {
            tracing::warn!(failures = self.failures.load(SeqCst), "the database can be written again");
        }
        self.note_failure(result)
    }

    /// Takes note of a step that failed because the database cannot be written; only the first of many is logged here.
    pub(super) fn note_failure<T>(&self, result: Result<T, DbErr>) -> Result<T, DbErr> {
        if let Err(error) = &result
            && error::is_outage(error)
        {
            self.failures.fetch_add(1, SeqCst);
            if let Some(file) = &self.file {
                file.distrust_connection();
            }
            if !self.is_failing.swap(true, SeqCst) {
                tracing::error!(%error, "the database is unavailable for writing");
            }
        }
        result
    }

    /// Whether what was just committed is in files that a restart finds.
    pub(super) fn confirm(&self) -> Result<(), DbErr> {
        self.note_failure(self.file.as_ref().map_or(Ok(()), SqliteFile::confirm))
    }
}

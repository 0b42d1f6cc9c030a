//! The way of every write into the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement, TransactionTrait,
};

use super::sqlite_file::SqliteFile;
use super::write_transaction::WriteTransaction;
use crate::store::{error, write_options};

/// What all writes of the store go through (decision 4.13).
pub(in crate::store) struct Writer {
    pool: DatabaseConnection,
    state: Arc<WriteState>,
}

/// What is known of the writes so far.
pub(super) struct WriteState {
    /// `None` on a server, which looks after its files itself.
    file: Option<SqliteFile>,
    is_failing: AtomicBool,
    failures: AtomicU64,
}

impl Writer {
    pub(in crate::store) fn new(pool: DatabaseConnection, file: Option<SqliteFile>) -> Self {
        let state = WriteState { file, is_failing: AtomicBool::new(false), failures: AtomicU64::new(0) };
        Self { pool, state: Arc::new(state) }
    }

    /// Begins a transaction. On SQLite it is the only one at a time from its very beginning.
    ///
    /// # Errors
    /// The database did not answer, or its files are not where they should be.
    pub(in crate::store) async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.state.note_failure(self.begin_checked().await)
    }

    /// How many writes have failed because the database could not be written.
    pub(in crate::store) fn failures(&self) -> u64 {
        self.state.failures.load(SeqCst)
    }

    /// The connections themselves, for what is done before anything is answered: nothing is checked on them.
    pub(in crate::store) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    /// Which database it is.
    pub(in crate::store) fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    /// Moves everything into the main file of an SQLite database and closes the connections, those of its readers first.
    pub(in crate::store) async fn close(&self) {
        if let Some(file) = &self.state.file {
            file.close(&self.pool).await;
        }
        if let Err(error) = self.pool.close_by_ref().await {
            tracing::warn!(%error, "the database did not close cleanly");
        }
    }

    async fn begin_checked(&self) -> Result<WriteTransaction, DbErr> {
        if let Some(file) = &self.state.file {
            file.prepare(&self.pool).await?;
        }
        let transaction = self.pool.begin_with_options(write_options(&self.pool)).await?;
        Ok(WriteTransaction::new(transaction, self.state.clone()))
    }

    /// A transaction for a single statement, where that says more than the statement alone: SQLite begins none inside
    /// of another, so what it calls committed is.
    async fn begin_for_one(&self) -> Result<Option<WriteTransaction>, DbErr> {
        match self.state.file {
            Some(_) => self.begin().await.map(Some),
            None => Ok(None),
        }
    }
}

#[async_trait]
impl ConnectionTrait for Writer {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let Some(transaction) = self.begin_for_one().await? else {
            return self.state.note(self.pool.execute_raw(statement).await);
        };
        let done = transaction.execute_raw(statement).await?;
        transaction.commit().await?;
        Ok(done)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let Some(transaction) = self.begin_for_one().await? else {
            return self.state.note(self.pool.execute_unprepared(sql).await);
        };
        let done = transaction.execute_unprepared(sql).await?;
        transaction.commit().await?;
        Ok(done)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let Some(transaction) = self.begin_for_one().await? else {
            return self.state.note(self.pool.query_one_raw(statement).await);
        };
        let found = transaction.query_one_raw(statement).await?;
        transaction.commit().await?;
        Ok(found)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let Some(transaction) = self.begin_for_one().await? else {
            return self.state.note(self.pool.query_all_raw(statement).await);
        };
        let found = transaction.query_all_raw(statement).await?;
        transaction.commit().await?;
        Ok(found)
    }
}

impl WriteState {
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

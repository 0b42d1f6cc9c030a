//! The way of every write into the database.

use std::sync::Arc;

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, SqliteTransactionMode, Statement,
    TransactionOptions, TransactionTrait,
};

use super::sqlite::file::SqliteFile;
use super::write_transaction::{WriteState, WriteTransaction};

/// What all writes of the store go through (decision 4.13).
pub(crate) struct Writer {
    pool: DatabaseConnection,
    state: Arc<WriteState>,
}

impl Writer {
    pub(crate) fn new(pool: DatabaseConnection, file: Option<SqliteFile>) -> Self {
        Self { pool, state: Arc::new(WriteState::new(file)) }
    }

    /// Begins a transaction. On SQLite it is the only one at a time from its very beginning.
    ///
    /// # Errors
    /// The database did not answer, or its files are not where they should be.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction, DbErr> {
        self.state.note_failure(self.begin_checked().await)
    }

    /// The connections themselves, for what the start does before anything else is written and no transaction can hold.
    pub(crate) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    /// How many writes have failed because the database could not be written.
    pub(crate) fn failures(&self) -> u64 {
        self.state.failures()
    }

    /// Moves everything into the main file of an SQLite database and closes the connections, those of its readers first.
    pub(crate) async fn close(&self) {
        if let Some(file) = self.state.file() {
            file.close().await;
        }
        if let Err(error) = self.pool.close_by_ref().await {
            tracing::warn!(%error, "the database did not close cleanly");
        }
    }

    async fn begin_checked(&self) -> Result<WriteTransaction, DbErr> {
        if let Some(file) = self.state.file() {
            file.prepare().await?;
        }
        let transaction = self.pool.begin_with_options(write_options(&self.pool)).await?;
        Ok(WriteTransaction::new(transaction, self.state.clone()))
    }

    /// A transaction for a single statement, where that says more than the statement alone: SQLite begins none inside
    /// of another, so what it calls committed is.
    async fn begin_for_one(&self) -> Result<Option<WriteTransaction>, DbErr> {
        match self.state.file() {
            Some(_) => self.begin().await.map(Some),
            None => Ok(None),
        }
    }
}

/// A transaction on `connection` that may write.
pub(crate) fn write_options(connection: &DatabaseConnection) -> TransactionOptions {
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    TransactionOptions {
        isolation_level: None,
        access_mode: None,
        sqlite_transaction_mode: is_sqlite.then_some(SqliteTransactionMode::Immediate),
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
        self.execute_raw(Statement::from_string(self.get_database_backend(), sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        Ok(self.query_all_raw(statement).await?.into_iter().next())
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

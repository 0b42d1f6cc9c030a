//! How the store runs statements: one alone, several in a transaction, or a look at one state of the database.
//!
//! Duty: the connection and the time that each of these gets. Never here: what is asked.

use sea_orm::{
    AccessMode, DatabaseConnection, DatabaseTransaction, DbBackend, TransactionOptions, TransactionTrait, sqlx,
};

use crate::database::columns::FromRow;
use crate::database::{Backend, Parameters, Run, Sql, Statements, WriteTransaction};
use crate::{Result, Store};

impl Store {
    /// A statement that begins with `words`.
    pub(crate) fn sql(&self, words: &str) -> Sql {
        self.write.sql(words)
    }

    /// A statement that begins with `words`, and with `parameters` in the places of their question marks.
    pub(crate) fn sql_with(&self, words: &str, parameters: impl Parameters) -> Sql {
        self.write.sql_with(words, parameters)
    }

    /// The rows that a statement answers that only reads.
    pub(crate) async fn all<T: FromRow>(&self, words: &str, parameters: impl Parameters) -> Result<Vec<T>> {
        self.deadline.io(self.read.all(words, parameters)).await
    }

    /// The first row that a statement answers that only reads, if there is one.
    pub(crate) async fn first<T: FromRow>(&self, words: &str, parameters: impl Parameters) -> Result<Option<T>> {
        self.deadline.io(self.read.first(words, parameters)).await
    }

    /// How many rows a statement has changed.
    pub(crate) async fn run(&self, words: &str, parameters: impl Parameters) -> Result<u64> {
        self.deadline.io(self.write.run(words, parameters)).await
    }

    /// A transaction that may write.
    pub(crate) async fn begin(&self) -> Result<WriteTransaction> {
        Ok(self.write.begin().await?)
    }

    /// Does `work` in a transaction of its own, all of it or (where it fails) nothing.
    pub(crate) async fn in_transaction<T>(&self, work: impl AsyncFnOnce(&WriteTransaction) -> Result<T>) -> Result<T> {
        self.deadline
            .io(async {
                let transaction = self.begin().await?;
                let done = work(&transaction).await?;
                transaction.commit().await?;
                Ok(done)
            })
            .await
    }

    /// Reads with a statement that stands alone and is made again and again: on a server on a connection that is kept for such.
    pub(crate) async fn look<T: FromRow>(&self, mut sql: Sql) -> Result<Vec<T>> {
        let reading = async {
            let rows = match (&self.backend, sql.bare()) {
                (Backend::Postgres(kept), Some(words)) => {
                    kept.query_all(|| sqlx::query(sqlx::AssertSqlSafe(words.to_owned()))).await?
                }
                _ => sql.rows(&self.read).await?,
            };
            rows.iter().map(|row| T::from_row(row, &mut 0)).collect()
        };
        self.deadline.io(reading).await
    }

    /// Reads in a transaction that sees one state of the database, whatever is committed meanwhile.
    pub(crate) async fn in_snapshot<T>(&self, read: impl AsyncFnOnce(&DatabaseTransaction) -> Result<T>) -> Result<T> {
        self.deadline
            .io(async {
                let snapshot = snapshot(&self.read).await?;
                let found = read(&snapshot).await?;
                snapshot.commit().await?;
                Ok(found)
            })
            .await
    }
}

/// A transaction on `connection` that sees one state of the database.
pub(crate) async fn snapshot(connection: &DatabaseConnection) -> Result<DatabaseTransaction> {
    let is_postgres = connection.get_database_backend() == DbBackend::Postgres;
    let options = TransactionOptions {
        isolation_level: is_postgres.then_some(sea_orm::IsolationLevel::RepeatableRead),
        access_mode: is_postgres.then_some(AccessMode::ReadOnly),
        sqlite_transaction_mode: None,
    };
    Ok(connection.begin_with_options(options).await?)
}

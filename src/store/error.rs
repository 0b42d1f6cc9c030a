//! What can go wrong in the store.

use sea_orm::{DbErr, RuntimeErr, SqlErr};

use crate::faults::PlannedFault;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be opened. The text is one sentence for the operator.
    #[error("{0}")]
    Open(String),
    /// The database is away or did not answer in time: worth another try.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] DbErr),
    /// A key that must be unique exists.
    #[error("a key exists already: {0}")]
    Conflict(#[source] DbErr),
    /// A statement failed.
    #[error("the database refused a statement: {0}")]
    Database(#[source] DbErr),
    /// A row holds what no code of this service writes.
    #[error("corrupt row in {table}: {what}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// What is wrong.
        what: String,
    },
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(_)) = error.sql_err() {
            return Self::Conflict(error);
        }
        if is_unavailable(&error) { Self::Unavailable(error) } else { Self::Database(error) }
    }
}

impl From<PlannedFault> for StoreError {
    fn from(fault: PlannedFault) -> Self {
        Self::Unavailable(DbErr::Conn(RuntimeErr::Internal(fault.to_string())))
    }
}

impl StoreError {
    pub(super) fn corrupt(table: &'static str, what: impl Into<String>) -> Self {
        Self::Corrupt { table, what: what.into() }
    }
}

/// Connections that are gone or not to be had, locks and statements that timed out, a server that shuts down, a disk
/// that is full: states that pass, after which the same work can be done again.
fn is_unavailable(error: &DbErr) -> bool {
    use sea_orm::RuntimeErr::SqlxError;
    use sea_orm::sqlx;
    let (DbErr::Conn(SqlxError(source)) | DbErr::Exec(SqlxError(source)) | DbErr::Query(SqlxError(source))) = error
    else {
        return matches!(error, DbErr::ConnectionAcquire(_) | DbErr::Conn(_));
    };
    match &**source {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(database) => database.code().is_some_and(|code| {
            // PostgreSQL classes 08, 40, 53, 55, 57 and SQLite BUSY, LOCKED, FULL.
            ["08", "40", "53", "55", "57"].iter().any(|class| code.len() == 5 && code.starts_with(class))
                || ["5", "6", "13"].contains(&code.as_ref())
        }),
        _ => false,
    }
}

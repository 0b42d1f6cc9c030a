//! What can go wrong in the store.

use sea_orm::{DbErr, RuntimeErr, SqlErr};

use crate::domain::sealing::KeyId;
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
    /// A secret is sealed with a key that this process does not know.
    #[error("a secret is sealed with the key {0}, which this process does not have")]
    UnknownKey(KeyId),
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
    /// Whether no connection was to be had for as long as anybody waits for one: whoever stands behind this caller would
    /// wait as long again.
    pub fn waited_in_vain(&self) -> bool {
        matches!(self, Self::Unavailable(DbErr::ConnectionAcquire(_)))
    }

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
        sqlx::Error::Database(database) => database.code().is_some_and(|code| is_passing(&code)),
        _ => false,
    }
}

/// PostgreSQL tells five letters, of which two are the class: connection, rollback, resources, object state, operator
/// intervention, system. Of the class of transactions it is those that stood still for too long, as they do in a process
/// that was frozen. SQLite tells a number whose lowest byte is the class: BUSY, LOCKED, IOERR, FULL.
fn is_passing(code: &str) -> bool {
    const POSTGRES: [&str; 8] = ["08", "25P03", "25P04", "40", "53", "55", "57", "58"];
    const SQLITE: [u32; 4] = [5, 6, 10, 13];
    match code.len() {
        5 => POSTGRES.iter().any(|class| code.starts_with(class)),
        _ => code.parse::<u32>().is_ok_and(|code| SQLITE.contains(&(code & 0xff))),
    }
}

#[cfg(test)]
mod tests {
    use super::{DbErr, StoreError, is_passing};
    use sea_orm::{ConnAcquireErr, RuntimeErr, sqlx};

    #[test]
    fn spec_7_what_passes_by_itself_is_unavailability() {
        for passing in [
            "57P01", "57P03", "57014", "08006", "08003", "25P03", "25P04", "53300", "40001", "55P03", "58030", "5",
            "517", "13",
        ] {
            assert!(is_passing(passing), "{passing}");
        }
        for lasting in ["23505", "25P02", "42P01", "22P02", "XX000", "1", "19", "2067", "11", ""] {
            assert!(!is_passing(lasting), "{lasting}");
        }
        let io = || RuntimeErr::SqlxError(sqlx::Error::Io(std::io::ErrorKind::ConnectionReset.into()).into());
        for away in [DbErr::Conn(io()), DbErr::Exec(io()), DbErr::Query(io())] {
            assert!(matches!(StoreError::from(away), StoreError::Unavailable(_)));
        }
        let in_vain = StoreError::from(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        assert!(matches!(in_vain, StoreError::Unavailable(_)) && in_vain.waited_in_vain());
        assert!(!StoreError::from(DbErr::Conn(io())).waited_in_vain());
        assert!(matches!(StoreError::from(DbErr::RecordNotUpdated), StoreError::Database(_)));
    }
}

//! What can go wrong in the store.

use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

use crate::faults::InjectedFault;
use domain::KeyId;

/// What comes of asking the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of the store.
///
/// Every function that asks the database fails with one of these when the database does not answer; its own documentation
/// names only what else can go wrong, and what stands afterwards.
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
    /// A secret is encrypted with a key that this process does not know.
    #[error("a secret is encrypted with the key {0}, which this process does not have")]
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

impl From<InjectedFault> for StoreError {
    fn from(fault: InjectedFault) -> Self {
        Self::Unavailable(unavailable(fault.to_string()))
    }
}

impl StoreError {
    /// Whether no connection became free within the longest wait. Callers queued behind this one would wait as long again.
    pub fn waited_in_vain(&self) -> bool {
        matches!(self, Self::Unavailable(DbErr::ConnectionAcquire(_)))
    }

    /// The database that the settings name cannot be used.
    pub(super) fn open(what: impl std::fmt::Display) -> Self {
        Self::Open(format!("database.url: {what}"))
    }

    pub(super) fn corrupt(table: &'static str, what: impl Into<String>) -> Self {
        Self::Corrupt { table, what: what.into() }
    }
}

/// What the database is taken to answer where this service knows that it is away.
pub(super) fn unavailable(what: impl Into<String>) -> DbErr {
    DbErr::Conn(RuntimeErr::Internal(what.into()))
}

/// Connections that are gone or not to be had, locks and statements that timed out, a server that shuts down, a disk
/// that is full, broken or read-only, files that are gone or damaged: states that pass by themselves or are mended from
/// outside, after which the same work can be done again.
fn is_unavailable(error: &DbErr) -> bool {
    match source(error) {
        Some(
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed
            | sqlx::Error::InvalidSavePointStatement,
        ) => true,
        Some(sqlx::Error::Database(database)) => {
            database.code().is_some_and(|code| is_passing(&code)) || matches!(error, DbErr::Conn(_))
        }
        _ => matches!(error, DbErr::ConnectionAcquire(_) | DbErr::Conn(_)),
    }
}

/// Whether the database is unavailable for another reason than that somebody else has what is wanted: a lock, or all of
/// the connections.
pub(super) fn is_outage(error: &DbErr) -> bool {
    let is_contention = match source(error) {
        Some(sqlx::Error::Database(database)) => database.code().is_some_and(|code| is_contention(&code)),
        _ => matches!(error, DbErr::ConnectionAcquire(_)),
    };
    is_unavailable(error) && !is_contention
}

fn source(error: &DbErr) -> Option<&sqlx::Error> {
    use sea_orm::RuntimeErr::SqlxError;
    match error {
        DbErr::Conn(SqlxError(source)) | DbErr::Exec(SqlxError(source)) | DbErr::Query(SqlxError(source)) => {
            Some(source)
        }
        _ => None,
    }
}

/// A code of PostgreSQL has five letters; the first two are its class: connection, rollback, resources, object state,
/// operator intervention, system. Of three further classes only single codes count: transactions that idled too long (as in
/// a frozen process) or that met a read-only server, a missing privilege (also reported for a read-only disk), and damaged
/// data. The code of SQLite is a number whose lowest byte is the class: BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL,
/// CANTOPEN, PROTOCOL, NOTADB.
fn is_passing(code: &str) -> bool {
    const POSTGRES: [&str; 12] =
        ["08", "25006", "25P03", "25P04", "40", "42501", "53", "55", "57", "58", "XX001", "XX002"];
    const SQLITE: [u32; 10] = [5, 6, 7, 8, 10, 11, 13, 14, 15, 26];
    is_one_of(code, &POSTGRES, &SQLITE)
}

/// Somebody else holds a lock, or was served first: BUSY and LOCKED, and their like.
fn is_contention(code: &str) -> bool {
    is_one_of(code, &["25P03", "25P04", "40", "55", "57014"], &[5, 6])
}

fn is_one_of(code: &str, postgres: &[&str], sqlite: &[u32]) -> bool {
    match code.len() {
        5 => postgres.iter().any(|class| code.starts_with(class)),
        _ => code.parse::<u32>().is_ok_and(|code| sqlite.contains(&(code & 0xff))),
    }
}

#[cfg(test)]
mod tests {
    use super::{DbErr, StoreError, is_contention, is_outage, is_passing};
    use sea_orm::{ConnAcquireErr, RuntimeErr, sqlx};

    #[test]
    fn spec_7_what_passes_by_itself_is_unavailability() {
        for passing in [
            "57P01", "57P03", "57014", "08006", "08003", "25P03", "25P04", "53300", "40001", "55P03", "58030", "5",
            "517", "13", "7", "8", "1032", "10", "1034", "4874", "11", "14", "15", "26", "25006", "42501", "53100",
            "XX001",
        ] {
            assert!(is_passing(passing), "{passing}");
        }
        for lasting in ["23505", "25P02", "42P01", "22P02", "XX000", "1", "19", "2067", "12", "20", ""] {
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

    #[test]
    fn decision_4_13_what_somebody_else_holds_is_no_outage() {
        for code in ["5", "6", "517", "40001", "55P03", "57014"] {
            assert!(is_passing(code) && is_contention(code), "{code}");
        }
        for code in ["13", "10", "778", "8", "14", "53100", "57P01", "58030"] {
            assert!(is_passing(code) && !is_contention(code), "{code}");
        }
        assert!(!is_outage(&DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)));
        assert!(is_outage(&DbErr::Conn(RuntimeErr::Internal("taken away".to_owned()))));
        assert!(!is_outage(&DbErr::RecordNotUpdated));
    }
}

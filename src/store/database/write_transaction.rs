//! A transaction that may write.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, Statement};

use super::writer::WriteState;

/// A transaction of the [`Writer`](super::writer::Writer). Dropped, it changes nothing.
///
/// Once one of its statements has failed it cannot be committed: SQLite may have ended it by itself and would keep each
/// statement that follows, and PostgreSQL answers the commit of a broken transaction as if all were well.
pub(in crate::store) struct WriteTransaction {
    inner: DatabaseTransaction,
    has_failed: AtomicBool,
    state: Arc<WriteState>,
}

impl WriteTransaction {
    pub(super) fn new(inner: DatabaseTransaction, state: Arc<WriteState>) -> Self {
        Self { inner, has_failed: AtomicBool::new(false), state }
    }

    /// Makes everything durable, or nothing.
    ///
    /// # Errors
    /// Nothing was kept, or (when the connection broke at the very end, or a file was taken away meanwhile) it is unknown.
    pub(in crate::store) async fn commit(self) -> Result<(), DbErr> {
        if self.has_failed.load(Relaxed) {
            return Err(DbErr::Query(RuntimeErr::Internal("a statement of this transaction has failed".to_owned())));
        }
        let Self { inner, state, .. } = self;
        state.note(inner.commit().await)?;
        state.confirm()
    }

    /// Undoes everything.
    ///
    /// # Errors
    /// The database did not answer; nothing was kept all the same.
    pub(in crate::store) async fn rollback(self) -> Result<(), DbErr> {
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

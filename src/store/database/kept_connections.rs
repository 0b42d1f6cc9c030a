//! Connections to PostgreSQL that are kept for single statements.
//!
//! The pool asks the server before and after each use whether a connection is fit for use. A statement that stands alone
//! and changes nothing needs neither: it finds no transaction and leaves none, and may be repeated. Never here: anything
//! that writes or begins a transaction.

use parking_lot::Mutex;
use sea_orm::sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow, Postgres};
use sea_orm::sqlx::query::Query;
use sea_orm::{ConnAcquireErr, DbErr, QueryResult, RuntimeErr, sqlx};

/// To plan a statement that reads a few rows by their keys takes the server longer than to execute it.
const ONE_PLAN: &str = "set plan_cache_mode = force_generic_plan";

/// As many connections as there were statements at the same time; their callers bound it.
pub(crate) struct KeptConnections {
    pool: PgPool,
    idle: Mutex<Vec<PgConnection>>,
}

impl KeptConnections {
    /// Connects when it is first used. These connections come on top of those of the pool.
    pub(crate) const fn new(pool: PgPool) -> Self {
        Self { pool, idle: Mutex::new(Vec::new()) }
    }

    /// The rows of a statement. It is made twice where the connection broke while nobody used it.
    ///
    /// # Errors
    /// What the server answered on a fresh connection.
    pub(crate) async fn query_all<'q>(
        &self,
        statement: impl Fn() -> Query<'q, Postgres, PgArguments>,
    ) -> Result<Vec<QueryResult>, DbErr> {
        let kept = self.idle.lock().pop();
        if let Some(mut connection) = kept
            && let Ok(rows) = statement().fetch_all(&mut connection).await
        {
            return Ok(self.keep(connection, rows));
        }
        let mut connection = self.pool.acquire().await.map_err(no_connection)?.detach();
        sqlx::query(ONE_PLAN).execute(&mut connection).await.map_err(failed)?;
        let rows = statement().fetch_all(&mut connection).await.map_err(failed)?;
        Ok(self.keep(connection, rows))
    }

    /// Only a connection that has just answered is kept: one whose caller gave up may still owe an answer.
    fn keep(&self, connection: PgConnection, rows: Vec<PgRow>) -> Vec<QueryResult> {
        self.idle.lock().push(connection);
        rows.into_iter().map(QueryResult::from).collect()
    }
}

fn no_connection(error: sqlx::Error) -> DbErr {
    match error {
        sqlx::Error::PoolTimedOut => DbErr::ConnectionAcquire(ConnAcquireErr::Timeout),
        sqlx::Error::PoolClosed => DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed),
        error => DbErr::Conn(RuntimeErr::SqlxError(error.into())),
    }
}

fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(error.into()))
}

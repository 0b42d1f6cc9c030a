//! Whose clock leases are compared with.
//!
//! A lease gives one process the exclusive right to a piece of work until an instant. The clocks of two processes may
//! disagree about that instant, so on a server the statement that claims or renews uses the server's clock. A database file
//! belongs to one process, whose clock is used; where time is simulated, so is that of the server.
//!
//! Duty: the present instant of leases as a part of a statement. Never here: what is leased.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use super::rows;
use super::statement::{Parameter, Run, Sql};
use crate::{Result, StoreError};
use clock::Clock;

/// How long a lease lasts on a server. A process renews its leases three times in that time; when it stops, others take
/// over its work.
const SERVER_LEASE: Duration = Duration::from_secs(10);
/// How long a lease lasts in a database file. No other process can take over there: opening the file ends all leases.
const FILE_LEASE: Duration = Duration::from_secs(60);
/// The server's clock in microseconds; it stands still within one statement.
const SERVER_NOW: &str = "(extract(epoch from statement_timestamp()) * 1000000)::bigint";

/// Which clock the leases of a database are compared with.
pub(crate) struct Leases {
    clock: Clock,
    is_server: bool,
}

/// The present instant of leases, in one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeaseNow {
    /// The server's clock, when the statement begins.
    OfServer,
    /// An instant that all processes are told, in microseconds.
    Micros(i64),
}

impl Leases {
    pub(crate) fn new(clock: Clock, is_server: bool) -> Self {
        Self { clock, is_server }
    }

    /// Whether other processes may work on the same database: a file, or one with a simulated clock, mostly belongs to one.
    pub(crate) fn are_shared(&self) -> bool {
        self.is_server && self.clock.is_shared()
    }

    /// The present instant; take it anew for each statement.
    pub(crate) fn now(&self) -> LeaseNow {
        if self.is_server && !self.clock.is_simulated() {
            return LeaseNow::OfServer;
        }
        LeaseNow::Micros(self.clock.common_now().timestamp_micros())
    }

    /// The present instant as a value, for rows that a transaction writes.
    pub(crate) async fn instant(&self, connection: &impl ConnectionTrait) -> Result<DateTime<Utc>> {
        let micros = match self.now() {
            LeaseNow::Micros(micros) => micros,
            LeaseNow::OfServer => {
                let found = connection.first("select ?", LeaseNow::OfServer).await?;
                found.ok_or_else(|| StoreError::corrupt("lease", "the server returned no time"))?
            }
        };
        rows::instant("lease", micros)
    }

    /// How long a lease lasts without renewal.
    pub(crate) fn length(&self) -> Duration {
        if self.is_server { SERVER_LEASE } else { FILE_LEASE }
    }
}

impl Parameter for LeaseNow {
    fn append_to(self, sql: &mut Sql) {
        sql.now(self);
    }
}

impl Sql {
    /// Appends the present instant of leases.
    pub(crate) fn now(&mut self, now: LeaseNow) -> &mut Self {
        match now {
            LeaseNow::OfServer => self.push(SERVER_NOW),
            LeaseNow::Micros(micros) => self.bind(micros),
        }
    }

    /// Appends the instant `wait` after the present one.
    pub(crate) fn now_after(&mut self, now: LeaseNow, wait: Duration) -> &mut Self {
        match now {
            LeaseNow::OfServer => self.push("(").push(SERVER_NOW).push(" + ").bind(micros(wait)).push(")"),
            LeaseNow::Micros(now) => self.bind(now.saturating_add(micros(wait))),
        }
    }
}

/// A duration as it is stored.
pub(crate) fn micros(wait: Duration) -> i64 {
    i64::try_from(wait.as_micros()).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sea_orm::DbBackend;

    use super::{LeaseNow, Leases, SERVER_NOW};
    use crate::database::statement::Sql;
    use clock::Clock;

    #[test]
    fn only_a_server_with_the_machines_clock_uses_its_own() {
        let start_at = "2026-11-21T00:00:00Z".parse().unwrap();
        let simulated = || Clock::simulated(start_at);
        let given = LeaseNow::Micros(start_at.timestamp_micros());
        assert_eq!(Leases::new(Clock::system(), true).now(), LeaseNow::OfServer);
        assert_eq!(Leases::new(simulated(), true).now(), given);
        let machine = simulated().of_machine(chrono::TimeDelta::seconds(5));
        assert_eq!(Leases::new(machine.clone(), true).now(), given);
        assert!(Leases::new(machine, true).are_shared() && !Leases::new(simulated(), true).are_shared());
        assert_eq!(Leases::new(simulated(), false).now(), given);
        assert!(matches!(Leases::new(Clock::system(), false).now(), LeaseNow::Micros(_)));
    }

    #[test]
    fn a_statement_holds_the_instant_or_asks_the_server_for_it() {
        let text = |now: LeaseNow| {
            let mut sql = Sql::new(DbBackend::Postgres, "update a set b = ");
            sql.now_after(now, Duration::from_secs(1)).push(" where c <= ").now(now);
            let statement = sql.finish();
            (statement.sql, statement.values.map(|values| values.0.len()))
        };
        let asking = format!("update a set b = ({SERVER_NOW} + $1) where c <= {SERVER_NOW}");
        assert_eq!(text(LeaseNow::OfServer), (asking, Some(1)));
        assert_eq!(text(LeaseNow::Micros(5)), ("update a set b = $1 where c <= $2".to_owned(), Some(2)));
    }
}

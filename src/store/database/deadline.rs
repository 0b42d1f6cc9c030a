//! How long a caller waits for the database, so that a server that no longer answers does not block it for ever.
//!
//! A connection whose other end has vanished looks like a slow one; only time shows the difference. Never here: what is
//! done about it. A caller that gets "unavailable" may try again.

use std::time::{Duration, Instant};

use sea_orm::DbErr;

use crate::error::unavailable;
use clock::Clock;

/// The longest that one piece of work on a PostgreSQL server may take, with all of its statements. Its own limits on a
/// statement, a lock and a transaction end most troubles sooner and with a better reason.
const ANSWER_MAX: Duration = Duration::from_secs(15);

/// Runs work on the database: a simulated clock stands still meanwhile, and a server gets only so much time.
pub(crate) struct Deadline {
    clock: Clock,
    /// `None` for an SQLite file, which never goes away.
    answer_max: Option<Duration>,
}

impl Deadline {
    pub(crate) fn new(clock: Clock, is_server: bool) -> Self {
        Self { clock, answer_max: is_server.then_some(ANSWER_MAX) }
    }

    pub(super) fn real_now(&self) -> Instant {
        self.clock.real_now()
    }

    /// The work is boxed: the statements of a driver are large, and a future that holds them is copied at every step out.
    pub(crate) fn io<T, E: From<DbErr>>(
        &self,
        work: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Result<T, E>> {
        let work = Box::pin(work);
        async move {
            match self.answer_max {
                None => self.clock.io(work).await,
                Some(bound) => {
                    let bounded = self.clock.io(tokio::time::timeout(bound, work)).await;
                    bounded.unwrap_or_else(|_| Err(unavailable("no answer in time").into()))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DbErr, Deadline};
    use crate::StoreError;
    use clock::Clock;
    use std::time::Duration;

    #[tokio::test]
    async fn spec_7_a_server_that_is_silent_is_unavailable() {
        let deadline = Deadline { clock: Clock::system(), answer_max: Some(Duration::from_millis(1)) };
        let silent = deadline.io(std::future::pending::<Result<(), StoreError>>()).await;
        assert!(matches!(silent, Err(StoreError::Unavailable(_))));
        let silent = deadline.io(std::future::pending::<Result<(), DbErr>>()).await;
        assert!(matches!(silent.map_err(StoreError::from), Err(StoreError::Unavailable(_))));
        assert!(matches!(deadline.io(async { Ok::<_, DbErr>(7) }).await, Ok(7)));
    }
}

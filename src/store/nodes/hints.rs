//! Hints to the other processes that something has become due (`LISTEN` and `NOTIFY`).
//!
//! What is due is found by looking; a hint only has others look at once, and one that is lost costs nothing. Hints are never
//! sent by a commit, since those that notify wait for each other; those that are asked for while one is sent go along with
//! the next.

use std::collections::BTreeSet;
use std::time::Duration;

use sea_orm::sqlx::postgres::{PgListener, PgPoolOptions};
use sea_orm::{DbErr, RuntimeErr, sqlx};

use crate::claims::DueTable;
use crate::database::Run;
use crate::{Result, Store, StoreError};

const CHANNEL: &str = "radar_due";
/// How long a hint to ourselves may be on its way.
const ECHO_MAX: Duration = Duration::from_secs(5);

/// The hints of other processes, on a connection of their own.
pub struct Hints {
    listener: PgListener,
    node: String,
}

impl Store {
    /// Has the other processes look at once at what is due in `table`.
    pub async fn hint(&self, table: DueTable) {
        if !self.has_peers() {
            return;
        }
        let sending = self.hints.run(table, async |tables| {
            let names: BTreeSet<&str> = tables.iter().map(|table| table.name()).collect();
            self.notify(names).await.map(|()| vec![(); tables.len()])
        });
        if let Err(error) = self.deadline.io(sending).await {
            tracing::debug!(%error, "a hint was not sent");
        }
    }

    /// Listens for the hints of other processes. `None` where none can come.
    pub async fn listen(&self) -> Result<Option<Hints>> {
        if !self.is_shared() {
            return Ok(None);
        }
        let options = self.read.get_postgres_connection_pool().connect_options().as_ref().clone();
        let own = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let pool = own.connect_with(options).await.map_err(unheard)?;
        let mut listener = PgListener::connect_with(&pool).await.map_err(unheard)?;
        listener.listen(CHANNEL).await.map_err(unheard)?;
        let node = self.own_name();
        self.notify([]).await?;
        let echo = async {
            loop {
                if listener.recv().await.map_err(unheard)?.payload().starts_with(&node) {
                    return Ok::<_, StoreError>(());
                }
            }
        };
        match self.membership.clock().real_timeout(ECHO_MAX, echo).await {
            Some(echo) => echo.map(|()| Some(Hints { listener, node })),
            None => Ok(None),
        }
    }

    async fn notify(&self, tables: impl IntoIterator<Item = &str>) -> Result<()> {
        let words: Vec<String> =
            std::iter::once(self.own_name()).chain(tables.into_iter().map(str::to_owned)).collect();
        self.write.run("select pg_notify(?, ?)", (CHANNEL, words.join(" "))).await.map(drop)
    }

    fn own_name(&self) -> String {
        self.membership.node_id().unwrap_or_default().to_string()
    }
}

impl Hints {
    /// Where something has become due, as another process says.
    ///
    /// # Errors
    /// The connection is gone and does not come back.
    pub async fn next(&mut self) -> Result<Vec<DueTable>> {
        loop {
            let heard = self.listener.recv().await.map_err(unheard)?;
            let mut words = heard.payload().split(' ');
            if words.next() != Some(&self.node) {
                let named: Vec<&str> = words.collect();
                return Ok(DueTable::ALL.into_iter().filter(|table| named.contains(&table.name())).collect());
            }
        }
    }
}

fn unheard(error: sqlx::Error) -> StoreError {
    DbErr::Conn(RuntimeErr::SqlxError(error.into())).into()
}

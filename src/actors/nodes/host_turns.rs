//! Takes turns at hosts with the other processes (`store::nodes`).

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use clock::Clock;
use outbound::politeness::{CONCURRENCY, SharedTurns, Turn};
use store::{HostTurn, Store};

/// How soon the database is asked again after an error.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// How often it is looked whether requests have ended that were sent before.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// The turns that all processes take. Cheap to clone.
#[derive(Clone)]
pub struct HostTurns {
    store: Arc<Store>,
    clock: Clock,
}

impl HostTurns {
    /// Turns in the tables of `store`.
    pub fn new(store: &Arc<Store>, clock: &Clock) -> Self {
        Self { store: store.clone(), clock: clock.clone() }
    }

    /// Takes a turn, hands it over when it has come, and ends it when it is dropped or nobody waits for it any more.
    async fn live(self, host: String, gap: Duration, mut waits: oneshot::Sender<Turn>) {
        let taken = self.take(&host, gap).await;
        let is_wanted = tokio::select! {
            () = waits.closed() => false,
            () = self.come(&host, taken) => true,
        };
        if is_wanted {
            let (turn, ended) = oneshot::channel::<Infallible>();
            // It is dropped at once where nobody waits for it any more.
            waits.send(Box::new(turn)).ok();
            ended.await.ok();
        }
        if let Err(error) = self.store.end_host_turn(&host, taken.turn_no).await {
            tracing::debug!(%error, host, "a turn at a host is left to itself");
        }
    }

    async fn take(&self, host: &str, gap: Duration) -> HostTurn {
        loop {
            match self.store.take_host_turn(host, gap).await {
                Ok(taken) => return taken,
                Err(error) => tracing::debug!(%error, host, "no turn at a host could be taken"),
            }
            self.clock.sleep(ASK_AGAIN_AFTER).await;
        }
    }

    /// Waits for the instant of a turn, and then until few enough requests are under way.
    async fn come(&self, host: &str, HostTurn { turn_no, wait, mut open_before }: HostTurn) {
        self.clock.sleep(wait).await;
        while open_before >= CONCURRENCY as u64 {
            match self.store.open_host_turns_before(host, turn_no).await {
                Ok(open) if open < CONCURRENCY as u64 => return,
                Ok(open) => open_before = open,
                Err(error) => tracing::debug!(%error, host, "the turns at a host could not be read"),
            }
            self.clock.sleep(LOOK_AGAIN_AFTER).await;
        }
    }
}

impl SharedTurns for HostTurns {
    fn are_wanted(&self) -> bool {
        self.store.has_peers()
    }

    fn turn(&self, host: &str, gap: Duration, permit: OwnedSemaphorePermit) -> LocalBoxFuture<'static, Turn> {
        let (waits, turn) = oneshot::channel();
        let living = self.clone().live(host.to_owned(), gap, waits);
        actix::spawn(async move {
            living.await;
            drop(permit);
        });
        Box::pin(async {
            match turn.await {
                Ok(turn) => turn,
                // Only where the thread ends.
                Err(_) => pending().await,
            }
        })
    }
}

//! Keeps this process among those that share the database: it says again and again that it lives, and tells the others on
//! this thread what has become theirs (`store::nodes`).
//!
//! Where no other process can come there is nothing to say.

mod hints;
mod host_turns;

use std::convert::identity;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use prometheus::{IntCounter, Registry};
use tokio::sync::oneshot;

pub use hints::listen;
pub use host_turns::HostTurns;

use crate::runtime::registered::count;
use crate::runtime::{ActorMetrics, ExitGuard, Kind, Mailbox, Posted, supervise};
use clock::Clock;
use store::{Heartbeat, Store, StoreError};

/// The time between two heartbeats. A process learns within this that it has other shards.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(1);

/// What the node needs.
#[derive(Clone)]
pub struct NodeParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// Where this process runs.
    pub name: String,
    /// What operators see of it.
    pub figures: NodeFigures,
}

/// What has happened to the nodes, as this process has seen it. Clones share the counts.
#[derive(Clone)]
pub struct NodeFigures {
    removed: IntCounter,
    lost: IntCounter,
}

impl NodeFigures {
    /// Nothing has happened yet; the counts are shown in `registry`.
    ///
    /// # Errors
    /// A metric of one of these names is there.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let removed = "Processes that had fallen silent and whose work this one has freed";
        let lost = "How often this process was taken to be dead and has joined anew";
        Ok(Self {
            removed: count(registry, "radar_node_takeovers_total", removed)?,
            lost: count(registry, "radar_node_losses_total", lost)?,
        })
    }

    /// How often this process itself was given up, and has joined again.
    pub fn lost(&self) -> u64 {
        self.lost.get()
    }

    fn note(&self, heartbeat: &Heartbeat) {
        self.removed.inc_by(heartbeat.removed as u64);
        self.lost.inc_by(u64::from(heartbeat.was_removed));
    }
}

/// Say nothing more; answered once nothing is being said.
type Stop = oneshot::Sender<()>;

/// The way to the node, from any thread.
pub struct NodeHandle {
    mailbox: Mailbox<Stop>,
    store: Arc<Store>,
}

/// Joins the processes that share the database, before anything is done here.
///
/// # Errors
/// The database did not answer.
pub async fn join(parts: &NodeParts) -> Result<(), StoreError> {
    let NodeParts { store, name, .. } = parts;
    store.join(name, VERSION).await?;
    if store.is_shared() {
        // Where shards are without an owner it has some from now on.
        store.heartbeat(name, VERSION).await?;
    }
    Ok(())
}

/// Keeps this process among those that share the database; it is supervised. `on_change` is called after each heartbeat
/// by which something has changed.
pub fn start(parts: &NodeParts, on_change: impl Fn(&Heartbeat) + 'static, actor_metrics: &ActorMetrics) -> NodeHandle {
    let mailbox = Mailbox::new(Kind::Node, 1, actor_metrics, &parts.clock);
    let handle = NodeHandle { mailbox: mailbox.clone(), store: parts.store.clone() };
    let (parts, on_change): (_, Rc<OnChange>) = (parts.clone(), Rc::new(on_change));
    if parts.store.is_shared() {
        supervise(&mailbox, move |guard| {
            let (parts, on_change) = (parts.clone(), on_change.clone());
            NodeActor { parts, on_change, _guard: guard }.start()
        });
    }
    handle
}

/// The version that this process is of.
const VERSION: &str = env!("CARGO_PKG_VERSION");

type OnChange = dyn Fn(&Heartbeat);

impl NodeHandle {
    /// Gives the shards of this process to the others; what it has claimed it finishes.
    pub async fn hand_over(&self) {
        if let Err(error) = self.store.hand_over().await {
            tracing::warn!(%error, "the shards are left to the end of the lease");
        }
    }

    /// Leaves the others, who need not wait for the lease to end.
    pub async fn leave(&self) {
        // A node that says nothing has nothing to stop.
        self.mailbox.ask_always(identity).await;
        if let Err(error) = self.store.leave().await {
            tracing::warn!(%error, "this process is left to the end of its lease");
        }
    }
}

/// The actor.
struct NodeActor {
    parts: NodeParts,
    on_change: Rc<OnChange>,
    _guard: ExitGuard,
}

impl Actor for NodeActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.heartbeat_later(context);
    }
}

impl NodeActor {
    fn note(&self, heartbeat: &Heartbeat) {
        self.parts.figures.note(heartbeat);
        if heartbeat.was_removed {
            tracing::warn!("this process was silent for too long: others have its work, and it joins them anew");
        }
        if heartbeat.removed > 0 {
            tracing::warn!(nodes = heartbeat.removed, "the work of processes that have fallen silent is free");
        }
        if *heartbeat != Heartbeat::default() {
            let owned = self.parts.store.membership().shards_owned();
            tracing::info!(changed = heartbeat.changed.len(), owned, "shards have another owner");
            (self.on_change)(heartbeat);
        }
    }

    fn heartbeat_later(&self, context: &mut Context<Self>) {
        let clock = self.parts.clock.clone();
        let sleep = async move { clock.sleep(HEARTBEAT_EVERY).await };
        context.spawn(sleep.into_actor(self).map(|(), node, context| node.heartbeat(context)));
    }

    fn heartbeat(&mut self, context: &mut Context<Self>) {
        let parts = self.parts.clone();
        let renewing = async move { parts.store.heartbeat(&parts.name, VERSION).await };
        // A stop is handled once this has ended.
        context.wait(renewing.into_actor(self).map(|renewed, node, context| {
            match renewed {
                Ok(heartbeat) => node.note(&heartbeat),
                Err(error) => tracing::warn!(%error, "a heartbeat was not taken"),
            }
            node.heartbeat_later(context);
        }));
    }
}

impl Handler<Posted<Stop>> for NodeActor {
    type Result = ();

    fn handle(&mut self, posted: Posted<Stop>, context: &mut Context<Self>) {
        context.stop();
        // The stop may have run out of time.
        posted.open().send(()).ok();
    }
}

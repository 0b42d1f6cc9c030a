//! The way to the dispatcher: starting, waking and stopping it, and handing deliveries over to it.

use std::rc::Rc;
use std::sync::Arc;

use chrono::TimeDelta;
use parking_lot::Mutex;

use super::{DispatchFigures, DispatcherMessage, DispatcherParts, WebhookDispatcher};
use crate::runtime::{ActorMetrics, Kind, Mailbox, supervise};
use domain::{AccountId, EndpointHealth, EndpointId, EndpointLimiter};
use store::{Dispatch, DueTable, HandOver, Store};

/// Wakes that may wait; one does as much as many.
const KICKS_MAX: usize = 16;

/// The way to the dispatcher, from any thread.
#[derive(Clone)]
pub struct DispatcherHandle {
    mailbox: Mailbox<DispatcherMessage>,
    figures: DispatchFigures,
    room: Arc<Mutex<Room>>,
    lease: TimeDelta,
    store: Arc<Store>,
}

/// The places of a dispatcher. Each of its lives begins with all places free.
pub(super) struct Room {
    pub(super) life: u64,
    pub(super) limiter: EndpointLimiter,
}

/// Starts the dispatcher on this thread; it is supervised.
pub fn start(parts: &DispatcherParts, actor_metrics: &ActorMetrics) -> DispatcherHandle {
    let mailbox = Mailbox::new(Kind::WebhookDispatcher, KICKS_MAX, actor_metrics, &parts.clock);
    let room = Arc::new(Mutex::new(Room { life: 0, limiter: EndpointLimiter::new(1) }));
    let handle = DispatcherHandle {
        mailbox: mailbox.clone(),
        figures: parts.figures.clone(),
        room: room.clone(),
        lease: parts.lease(),
        store: parts.store.clone(),
    };
    let (parts, itself) = (Rc::new(parts.clone()), mailbox.clone());
    supervise(&mailbox, move |guard| WebhookDispatcher::begin_life(parts.clone(), itself.clone(), room.clone(), guard));
    handle
}

impl DispatcherHandle {
    /// Says that deliveries may have become due in the table, here and to the other processes. The next look finds what a
    /// lost wake leaves.
    pub fn kick(&self) {
        self.look();
        let store = self.store.clone();
        actix::spawn(async move { store.hint(DueTable::Deliveries).await });
    }

    /// Has this process look at the table.
    pub fn look(&self) {
        if self.mailbox.post(DispatcherMessage::Kick).is_err() {
            tracing::debug!("the dispatcher has been woken often enough");
        }
    }

    /// Stops claiming and waits until every attempt under way has ended and is recorded: at most an attempt's time-out
    /// and the recording.
    pub async fn drain(&self) {
        self.stop(false).await;
    }

    /// Stops claiming and gives up what is under way: it is due again at once, for the next process.
    pub async fn cancel(&self) {
        self.stop(true).await;
    }

    async fn stop(&self, is_hasty: bool) {
        // A dispatcher that is gone claims nothing more either.
        self.mailbox.ask_always(|done| DispatcherMessage::Drain { done, is_hasty }).await;
    }

    /// What operators see of its work.
    pub const fn figures(&self) -> &DispatchFigures {
        &self.figures
    }
}

impl Dispatch for DispatcherHandle {
    fn lease(&self) -> TimeDelta {
        self.lease
    }

    fn reserve(&self, account_id: AccountId, endpoint_id: EndpointId, health: &EndpointHealth) -> bool {
        self.room.lock().limiter.hold(account_id, endpoint_id, health.is_suspect(), 1) == 1
    }

    fn release(&self, endpoint_id: EndpointId) {
        self.room.lock().limiter.release(endpoint_id, 1);
    }

    fn hand_over(&self, written: HandOver) {
        let life = self.room.lock().life;
        self.mailbox.notify(DispatcherMessage::Written { life, written });
    }
}

//! The way to the dispatcher: starting, waking and stopping it.

use std::cell::Cell;
use std::sync::Arc;

use actix::Actor;
use tokio::sync::oneshot;

use super::{DispatchFigures, DispatcherParts, Drain, Kick, WebhookDispatcher};
use crate::actors::census::{Census, Kind};
use crate::actors::keeper;
use crate::actors::mailbox::Mailbox;
use crate::actors::webhook_attempt::Counters;

/// The way to the dispatcher, from any thread.
#[derive(Clone)]
pub struct DispatcherHandle {
    mailbox: Mailbox<WebhookDispatcher>,
    counters: Arc<Counters>,
}

/// Starts the dispatcher on this thread; it is kept alive.
pub fn start(parts: &DispatcherParts, census: &Census) -> DispatcherHandle {
    let mailbox = Mailbox::new(Kind::WebhookDispatcher, parts.concurrency.max(1), census, &parts.clock);
    let counters = Arc::new(Counters::default());
    let (factory_parts, lives) = (parts.clone(), Cell::new(0));
    let (factory_mailbox, factory_counters) = (mailbox.clone(), counters.clone());
    keeper::keep(Kind::WebhookDispatcher, census, &parts.clock, &mailbox, move |guard| {
        lives.set(lives.get() + 1);
        let (mailbox, counters) = (factory_mailbox.clone(), factory_counters.clone());
        WebhookDispatcher::new(factory_parts.clone(), mailbox, counters, lives.get(), guard).start()
    });
    DispatcherHandle { mailbox, counters }
}

impl DispatcherHandle {
    /// Says that deliveries may have been written. Hints that are lost are made good by the next look.
    pub fn kick(&self) {
        if self.mailbox.post(Kick).is_err() {
            tracing::debug!("the dispatcher has hints enough");
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
        let (done, drained) = oneshot::channel();
        self.mailbox.notify(Drain { done, is_hasty });
        // A dispatcher that is gone claims nothing more either.
        drained.await.ok();
    }

    /// What has been done since the start.
    pub fn figures(&self) -> DispatchFigures {
        self.counters.figures()
    }
}

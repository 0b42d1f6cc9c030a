//! Attempts under way: each runs outside the mailbox under a claim that is renewed, and reports its end.

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::FutureExt;
use futures_util::future::abortable;

use super::{SchedulerMessage, SetUpScheduler, UnderWay, set_up};
use crate::actors::runtime::final_message::FinalMessage;
use crate::actors::runtime::isolation::Alone;
use crate::domain::ids::RadarId;
use crate::store::ClaimedSetUp;

/// An attempt has ended.
pub(super) struct Ended {
    pub(super) radar_id: RadarId,
    pub(super) lease_no: i64,
    pub(super) was_suspect: bool,
}

impl SetUpScheduler {
    /// Begins an attempt; a suspect's alone.
    pub(super) fn begin_attempt(&mut self, claimed: ClaimedSetUp, alone: Option<Alone>, context: &mut Context<Self>) {
        let (radar_id, lease_no) = (claimed.radar_id, claimed.lease_no);
        let ended = Ended { radar_id, lease_no, was_suspect: alone.is_some() };
        let report = FinalMessage::new(&self.itself, SchedulerMessage::Ended(ended));
        let (engine, on_finished, kept) = (self.engine.clone(), self.on_finished.clone(), claimed.clone());
        let attempt = async move { Box::pin(set_up::run(&engine, &on_finished, &claimed)).await };
        let (attempt, abort) = abortable(self.engine.isolation.run(alone, attempt));
        actix::spawn(async move {
            attempt.map(drop).await;
            drop(report);
        });
        self.under_way.insert(radar_id, UnderWay { claimed: kept, abort });
        self.renew_later(context);
    }

    /// Renews all claims after a third of their lease, and goes on as long as there are any.
    fn renew_later(&mut self, context: &mut Context<Self>) {
        if self.renewal.is_some() {
            return;
        }
        let engine = self.engine.clone();
        let sleep = async move { engine.clock.sleep(engine.store.lease_length() / 3).await };
        self.renewal = Some(context.spawn(sleep.into_actor(self).map(|(), scheduler, context| {
            scheduler.renewal = None;
            scheduler.renew(context);
        })));
    }

    fn renew(&mut self, context: &mut Context<Self>) {
        let claimed: Vec<ClaimedSetUp> = self.under_way.values().map(|under_way| under_way.claimed.clone()).collect();
        if claimed.is_empty() {
            return;
        }
        let store = self.engine.store.clone();
        let renewing = async move { store.renew_set_ups(&claimed).await };
        context.spawn(renewing.into_actor(self).map(|lost, scheduler, context| {
            match lost {
                Ok(lost) => {
                    // Another process has them, or they have just ended.
                    for radar_id in lost {
                        tracing::debug!(%radar_id, "the claim of a set-up is gone");
                        if let Some(under_way) = scheduler.under_way.get(&radar_id) {
                            under_way.abort.abort();
                        }
                    }
                }
                // Nobody else can claim them either; if somebody has, their results are refused.
                Err(error) => tracing::debug!(%error, "the claims of set-ups could not be renewed"),
            }
            scheduler.renew_later(context);
        }));
    }
}

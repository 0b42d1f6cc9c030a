//! The claims of attempts under way, which are renewed together.

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};

use super::SetUpScheduler;
use store::ClaimedSetUp;

impl SetUpScheduler {
    /// Renews all claims after a third of their lease, and goes on as long as there are any.
    pub(super) fn renew_later(&mut self, context: &mut Context<Self>) {
        if self.renewal.is_some() {
            return;
        }
        let parts = self.parts.clone();
        let sleep = async move { parts.clock.sleep(parts.store.lease_length() / 3).await };
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
        let store = self.parts.store.clone();
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

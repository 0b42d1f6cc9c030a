//! Work under way: how it is begun, ends, and is given back, and the renewal of its claims.

use std::time::Duration;

use actix::{ActorFutureExt, AsyncContext, Context, WrapFuture};
use futures_util::future::join_all;

use super::handle::WorkMessage;
use super::{Cause, DueWork, Work};
use crate::runtime::final_message::FinalMessage;
use crate::runtime::isolation::Alone;
use store::Claim;

impl<W: Work> DueWork<W> {
    /// Begins claimed work, and gives back what there is no place for; `alone` is for a single suspect.
    pub(super) fn begin(
        &mut self,
        claimed: Vec<W::Claimed>,
        cause: Cause,
        mut alone: Option<Alone>,
        context: &mut Context<Self>,
    ) {
        let mut refused = Vec::new();
        for claimed in claimed {
            let claim = W::claim(&claimed);
            match self.work.clone().attempt(claimed, cause) {
                // Those who wait for it hear of it when it is dropped.
                Ok(_) if self.draining.is_some() => refused.push((claim, Duration::ZERO)),
                Ok(attempt) => self.spawn(claim, cause, self.work.isolation().run(alone.take(), attempt)),
                Err(later) => refused.push((claim, later)),
            }
        }
        if cause == Cause::Suspected && !refused.is_empty() {
            self.has_suspect = false;
        }
        self.renew_later(context);
        self.give_back(refused, context);
    }

    /// Reports the end of an attempt, however it comes.
    fn spawn(&mut self, claim: Claim, cause: Cause, attempt: impl Future<Output = ()> + 'static) {
        let report = FinalMessage::new(&self.itself, WorkMessage::Ended(claim, cause));
        let task = actix::spawn(async move {
            let _report = report;
            attempt.await;
        });
        self.under_way.insert(claim.id, (claim, task));
    }

    pub(super) fn note_ended(&mut self, claim: Claim, cause: Cause, context: &mut Context<Self>) {
        if self.under_way.get(&claim.id).is_some_and(|(known, _)| *known == claim) {
            self.under_way.remove(&claim.id);
        }
        if cause == Cause::Suspected {
            self.has_suspect = false;
        }
        self.finish_drain();
        self.look_soon(context);
    }

    /// Renews all claims after a third of their lease, and goes on as long as there are any.
    fn renew_later(&mut self, context: &mut Context<Self>) {
        if self.renewal.is_some() || self.under_way.is_empty() {
            return;
        }
        let work = self.work.clone();
        let sleep = async move { work.isolation().clock.sleep(work.store().lease_length() / 3).await };
        self.renewal = Some(context.spawn(sleep.into_actor(self).map(|(), engine, context| engine.renew(context))));
    }

    fn renew(&mut self, context: &mut Context<Self>) {
        let work = self.work.clone();
        let claims: Vec<Claim> = self.under_way.values().map(|(claim, _)| *claim).collect();
        let renewing = async move { work.store().renew_claims(W::TABLE, &claims).await };
        context.spawn(renewing.into_actor(self).map(|lost, engine, context| {
            engine.renewal = None;
            match lost {
                // Another process has them, or they have just ended.
                Ok(lost) => lost.iter().filter_map(|id| engine.under_way.get(id)).for_each(|(claim, task)| {
                    tracing::debug!(id = %claim.id, work = ?W::TABLE, "a claim is gone");
                    task.abort();
                }),
                // Nobody else can claim them either; if somebody has, their results are refused.
                Err(error) => tracing::debug!(%error, work = ?W::TABLE, "claims could not be renewed"),
            }
            engine.renew_later(context);
        }));
    }

    /// Cuts off what is under way and gives it back.
    pub(super) fn cut_off(&mut self, context: &mut Context<Self>) {
        let under_way = self.under_way.drain().map(|(_, (claim, task))| {
            task.abort();
            (claim, Duration::ZERO)
        });
        let claims = under_way.collect();
        self.give_back(claims, context);
    }

    /// Gives claims back, each due again after its time.
    fn give_back(&mut self, claims: Vec<(Claim, Duration)>, context: &mut Context<Self>) {
        if claims.is_empty() {
            return;
        }
        self.giving_back += 1;
        let work = self.work.clone();
        let giving_back = async move {
            let store = work.store();
            join_all(claims.into_iter().map(|(claim, later)| store.give_back(W::TABLE, claim, later))).await
        };
        context.spawn(giving_back.into_actor(self).map(|given_back, engine, context| {
            engine.giving_back -= 1;
            for error in given_back.into_iter().filter_map(Result::err) {
                tracing::warn!(%error, work = ?W::TABLE, "a claim is left to the end of its lease");
            }
            engine.finish_drain();
            // They have made room for others.
            engine.look_soon(context);
        }));
    }
}

//! The loop of an actor that claims due work in the database and does it: one look at a time, suspects alone, an
//! orderly end.
//!
//! What is due is in the database: any number of processes work at it, and what a dead process had claimed is due again
//! when its lease ends. Work whose last attempt never ended is a suspect (`domain::scheduling::attempts`) and runs alone
//! (`isolation`).

use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, SpawnHandle, WrapFuture};
use futures_util::future::LocalBoxFuture;
use tokio::sync::oneshot;

use super::isolation::{Alone, Isolation};
use store::{NextDue, StoreError};

/// How soon the database is asked again after an error.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The shortest time between two looks.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// What a look has found.
pub struct Found<T> {
    /// What is due, and what comes next.
    pub next: NextDue,
    /// What was claimed.
    pub claimed: Vec<T>,
    /// Whether more is due that has a place: then the next look follows at once.
    pub has_more: bool,
}

/// An answer of the database, as a future of its own.
pub type Asking<T> = LocalBoxFuture<'static, Result<T, StoreError>>;

/// The state of the loop; a field of its actor.
#[derive(Default)]
pub struct ClaimLoop {
    is_looking: bool,
    look_again: bool,
    /// Whether the next look follows shortly, whatever the timers say.
    is_soon: bool,
    /// Whether a suspect waits for its turn or is under way.
    pub(crate) has_suspect: bool,
    timer: Option<SpawnHandle>,
    /// Those who wait for the end, once nothing is begun any more.
    draining: Option<Vec<oneshot::Sender<()>>>,
    /// How many releases of claims are under way.
    releasing: usize,
}

/// An actor that claims due work and does it.
pub trait Claimant: Actor<Context = Context<Self>> {
    /// A claimed piece of work.
    type Claimed: 'static;
    /// What the work is called in logs.
    const WORK: &'static str;
    /// How often due work is looked for, whatever the timers say: work that another process left is found within this.
    const LOOK_EVERY: Duration;

    /// The state of the loop.
    fn claim_loop(&mut self) -> &mut ClaimLoop;
    /// Keeps everything else away while a suspect runs.
    fn isolation(&self) -> &Rc<Isolation>;
    /// Whether nothing is under way.
    fn is_idle(&self) -> bool;
    /// Claims as much due work as there are places for.
    fn claim_due(&self) -> Asking<Found<Self::Claimed>>;
    /// Claims one suspect.
    fn claim_suspect(&self) -> Asking<Option<Self::Claimed>>;
    /// Gives claims back, so that they do not count as attempts that never ended.
    fn release(&self, claimed: Vec<Self::Claimed>) -> Asking<()>;
    /// Begins claimed work; a suspect's alone.
    fn begin(&mut self, claimed: Self::Claimed, alone: Option<Alone>, context: &mut Context<Self>);

    /// Looks shortly, once for all that happens until then. Under a simulated clock, which may stand still, at once.
    fn look_soon(&mut self, context: &mut Context<Self>) {
        if self.isolation().clock.is_simulated() {
            return self.look(context);
        }
        if !std::mem::replace(&mut self.claim_loop().is_soon, true) && !self.claim_loop().is_looking {
            self.look_in(LOOK_AGAIN_AFTER, context);
        }
    }

    /// Claims what is due, begins it, and sets the timer for the next look.
    fn look(&mut self, context: &mut Context<Self>) {
        let state = self.claim_loop();
        if state.is_looking {
            state.look_again = true;
            return;
        }
        if state.draining.is_some() {
            return;
        }
        (state.is_looking, state.is_soon) = (true, false);
        let (isolation, claiming) = (self.isolation().clone(), self.claim_due());
        let looking = async move {
            isolation.opened().await;
            claiming.await
        };
        context.spawn(looking.into_actor(self).map(|found, actor, context| actor.note_found(found, context)));
    }

    /// Begins what a look has claimed.
    fn note_found(&mut self, found: Result<Found<Self::Claimed>, StoreError>, context: &mut Context<Self>) {
        let state = self.claim_loop();
        state.is_looking = false;
        if state.draining.is_some() {
            return self.give_back(found.map(|found| found.claimed).unwrap_or_default(), context);
        }
        let backstop = self.isolation().clock.backstop(Self::LOOK_EVERY);
        let wait = match found {
            Ok(Found { next, claimed, has_more }) => {
                // What is due and found no place is looked for when something ends.
                let next_in = if has_more { Some(LOOK_AGAIN_AFTER) } else { next.next_in() };
                claimed.into_iter().for_each(|claimed| self.begin(claimed, None, context));
                if next.has_suspect() {
                    self.try_suspect(context);
                }
                next_in.unwrap_or(backstop).min(backstop).max(LOOK_AGAIN_AFTER)
            }
            Err(error) => {
                tracing::warn!(%error, work = Self::WORK, "due work could not be claimed");
                ASK_AGAIN_AFTER
            }
        };
        let wait = if self.claim_loop().is_soon { LOOK_AGAIN_AFTER } else { wait };
        self.look_in(wait, context);
        if std::mem::take(&mut self.claim_loop().look_again) {
            self.look(context);
        }
    }

    /// Sets the timer for the next look, in place of the one that was set.
    fn look_in(&mut self, wait: Duration, context: &mut Context<Self>) {
        if let Some(timer) = self.claim_loop().timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.isolation().clock.clone();
        let sleep = async move { clock.sleep(wait).await };
        let timer = context.spawn(sleep.into_actor(self).map(|(), actor, context| actor.look(context)));
        self.claim_loop().timer = Some(timer);
    }

    /// Claims a suspect and runs it alone, one at a time.
    fn try_suspect(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.claim_loop().has_suspect, true) {
            return;
        }
        let (isolation, claiming) = (self.isolation().clone(), self.claim_suspect());
        let claiming = async move {
            let alone = isolation.alone().await;
            (claiming.await, alone)
        };
        context.spawn(claiming.into_actor(self).map(|(found, alone), actor, context| match found {
            Ok(Some(claimed)) if actor.claim_loop().draining.is_some() => actor.give_back(vec![claimed], context),
            Ok(Some(claimed)) => actor.begin(claimed, Some(alone), context),
            Ok(None) => actor.claim_loop().has_suspect = false,
            Err(error) => {
                actor.claim_loop().has_suspect = false;
                tracing::warn!(%error, work = Self::WORK, "a suspect could not be claimed");
            }
        }));
    }

    /// Begins nothing any more; `done` is answered once nothing is under way.
    fn drain(&mut self, done: oneshot::Sender<()>) {
        self.claim_loop().draining.get_or_insert_default().push(done);
        self.finish_drain();
    }

    /// Gives claims back.
    fn give_back(&mut self, claimed: Vec<Self::Claimed>, context: &mut Context<Self>) {
        self.claim_loop().releasing += 1;
        let releasing = self.release(claimed);
        context.spawn(releasing.into_actor(self).map(|released, actor, _| {
            actor.claim_loop().releasing -= 1;
            if let Err(error) = released {
                tracing::warn!(%error, work = Self::WORK, "claims could not be given back");
            }
            actor.finish_drain();
        }));
    }

    /// Answers those who wait for the end, once nothing is under way.
    fn finish_drain(&mut self) {
        let is_idle = self.is_idle();
        let state = self.claim_loop();
        if is_idle && !state.is_looking && state.releasing == 0 {
            for done in state.draining.iter_mut().flat_map(|waiting| waiting.drain(..)) {
                // The stop may have run out of time.
                done.send(()).ok();
            }
        }
    }
}

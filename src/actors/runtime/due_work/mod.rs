//! The one engine of due work: it claims what is due in the database and does it, one look at a time, suspects alone, with
//! an orderly end.
//!
//! What is due is in the database: any number of processes work at it, and what a dead process had claimed is due again
//! when its lease ends. The claims of all that is under way are renewed together; work whose claim was lost is cut off, and
//! what it would have written is refused (`store::claims`). Work whose last attempt never ended is a suspect
//! (`domain::scheduling::attempts`) and runs alone (`isolation`).
//!
//! Duty: when is looked, what is under way (`under_way`), and its end. Never here: what the work is; that is said by a
//! [`Work`].

mod handle;
mod under_way;

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use futures_util::future::LocalBoxFuture;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use uuid::Uuid;

pub(crate) use handle::WorkHandle;

use super::isolation::Isolation;
use super::mailbox::{Mailbox, Posted};
use super::supervisor::{ExitGuard, supervise};
use handle::WorkMessage;
use store::{Claim, DueTable, NextDue, Store, StoreError};

/// How soon the database is asked again after an error.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);
/// The shortest time between two looks.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Work that is due in the database.
pub(crate) trait Work: 'static {
    /// A claimed piece of it.
    type Claimed: Send + 'static;
    /// Where it is due.
    const TABLE: DueTable;
    /// How often due work is looked for, whatever the timers say: work that another process left is found within this.
    const LOOK_EVERY: Duration;

    /// The database.
    fn store(&self) -> &Store;
    /// Keeps everything else away while a suspect runs.
    fn isolation(&self) -> &Rc<Isolation>;
    /// The engine begins, or begins again after a panic: nothing is under way.
    fn begin_life(&self) {}
    /// The claim of a piece.
    fn claim(claimed: &Self::Claimed) -> Claim;
    /// Claims as much due work as there are places for.
    async fn claim_due(&self) -> Result<Found<Self::Claimed>, StoreError>;
    /// Claims one suspect.
    async fn claim_suspect(&self) -> Result<Option<Self::Claimed>, StoreError>;
    /// Does a claimed piece.
    ///
    /// # Errors
    /// There is no place for it now; it is given back, and due again after that long.
    fn attempt(self: Rc<Self>, claimed: Self::Claimed, cause: Cause) -> Result<LocalBoxFuture<'static, ()>, Duration>;
}

/// What a look has claimed.
pub(crate) struct Found<T> {
    /// The pieces.
    pub(crate) claimed: Vec<T>,
    /// Whether more is due that has a place: then the next look follows at once.
    pub(crate) has_more: bool,
}

/// Why a piece of work is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// It is due.
    Due,
    /// It is due and a suspect: it runs alone.
    Suspected,
    /// Somebody asked for it.
    Asked,
}

/// Starts the engine of `work` on this thread; it is supervised.
pub(crate) fn start<W: Work>(work: &Rc<W>, handle: &WorkHandle<W::Claimed>) {
    let (work, itself) = (work.clone(), handle.mailbox.clone());
    supervise(&handle.mailbox, move |guard| {
        DueWork {
            work: work.clone(),
            itself: itself.clone(),
            under_way: HashMap::new(),
            is_looking: false,
            look_again: false,
            is_soon: false,
            has_suspect: false,
            timer: None,
            renewal: None,
            draining: None,
            giving_back: 0,
            _guard: guard,
        }
        .start()
    });
}

/// The actor.
struct DueWork<W: Work> {
    work: Rc<W>,
    itself: Mailbox<WorkMessage<W::Claimed>>,
    under_way: HashMap<Uuid, (Claim, JoinHandle<()>)>,
    is_looking: bool,
    look_again: bool,
    /// Whether the next look follows shortly, whatever the timers say.
    is_soon: bool,
    /// Whether a suspect waits for its turn or is under way.
    has_suspect: bool,
    timer: Option<SpawnHandle>,
    /// Renews the claims while any is held.
    renewal: Option<SpawnHandle>,
    /// Those who wait for the end, once nothing is begun any more.
    draining: Option<Vec<oneshot::Sender<()>>>,
    /// How many claims are being given back because of the end.
    giving_back: usize,
    _guard: ExitGuard,
}

impl<W: Work> Actor for DueWork<W> {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Context<Self>) {
        self.work.begin_life();
        self.look(context);
    }
}

impl<W: Work> Drop for DueWork<W> {
    /// A successor does not know what is under way and cannot renew its claims.
    fn drop(&mut self) {
        self.under_way.values().for_each(|(_, task)| task.abort());
    }
}

impl<W: Work> Handler<Posted<WorkMessage<W::Claimed>>> for DueWork<W> {
    type Result = ();

    fn handle(&mut self, posted: Posted<WorkMessage<W::Claimed>>, context: &mut Context<Self>) {
        match posted.open() {
            WorkMessage::Look => self.look(context),
            WorkMessage::Begin(claimed) => self.begin(vec![claimed], Cause::Asked, None, context),
            WorkMessage::Ended(claim, cause) => self.note_ended(claim, cause, context),
            WorkMessage::Drain { done, is_hasty } => {
                self.draining.get_or_insert_default().push(done);
                if is_hasty {
                    self.cut_off(context);
                }
                self.finish_drain();
            }
        }
    }
}

impl<W: Work> DueWork<W> {
    /// Looks shortly, once for all that happens until then. Under a simulated clock, which may stand still, at once.
    fn look_soon(&mut self, context: &mut Context<Self>) {
        if self.work.isolation().clock.is_simulated() {
            return self.look(context);
        }
        if !std::mem::replace(&mut self.is_soon, true) && !self.is_looking {
            self.look_in(LOOK_AGAIN_AFTER, context);
        }
    }

    /// Claims what is due, begins it, and sets the timer for the next look.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.is_looking {
            self.look_again = true;
            return;
        }
        if self.draining.is_some() {
            return;
        }
        self.is_looking = true;
        self.is_soon = false;
        let work = self.work.clone();
        let looking = async move { claim_due(&*work).await };
        context.spawn(looking.into_actor(self).map(|found, engine, context| engine.note_found(found, context)));
    }

    /// Begins what a look has claimed.
    fn note_found(&mut self, found: Result<(NextDue, Found<W::Claimed>), StoreError>, context: &mut Context<Self>) {
        self.is_looking = false;
        let backstop = self.work.isolation().clock.backstop(W::LOOK_EVERY);
        let wait = match found {
            Ok((next, Found { claimed, has_more })) => {
                self.begin(claimed, Cause::Due, None, context);
                if next.has_suspect() {
                    self.try_suspect(context);
                }
                // What is due and found no place is looked for when something ends.
                let next_in = if has_more { Some(LOOK_AGAIN_AFTER) } else { next.next_in() };
                next_in.unwrap_or(backstop).min(backstop).max(LOOK_AGAIN_AFTER)
            }
            Err(error) => {
                tracing::warn!(%error, work = ?W::TABLE, "due work could not be claimed");
                ASK_AGAIN_AFTER
            }
        };
        self.look_in(if self.is_soon { LOOK_AGAIN_AFTER } else { wait }, context);
        if std::mem::take(&mut self.look_again) {
            self.look(context);
        }
        self.finish_drain();
    }

    /// Sets the timer for the next look, in place of the one that was set.
    fn look_in(&mut self, wait: Duration, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.work.isolation().clock.clone();
        let sleep = async move { clock.sleep(wait).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), engine, context| engine.look(context))));
    }

    /// Claims a suspect and runs it alone, one at a time.
    fn try_suspect(&mut self, context: &mut Context<Self>) {
        if self.draining.is_some() || std::mem::replace(&mut self.has_suspect, true) {
            return;
        }
        let work = self.work.clone();
        let claiming = async move {
            let alone = work.isolation().alone().await;
            (work.claim_suspect().await, alone)
        };
        context.spawn(claiming.into_actor(self).map(|(found, alone), engine, context| {
            engine.has_suspect = matches!(found, Ok(Some(_)));
            match found {
                Ok(claimed) => engine.begin(claimed.into_iter().collect(), Cause::Suspected, Some(alone), context),
                Err(error) => tracing::warn!(%error, work = ?W::TABLE, "a suspect could not be claimed"),
            }
        }));
    }

    /// Answers those who wait for the end, once nothing is under way.
    fn finish_drain(&mut self) {
        if self.under_way.is_empty() && !self.is_looking && self.giving_back == 0 {
            for done in self.draining.iter_mut().flat_map(|waiting| waiting.drain(..)) {
                // The stop may have run out of time.
                done.send(()).ok();
            }
        }
    }
}

async fn claim_due<W: Work>(work: &W) -> Result<(NextDue, Found<W::Claimed>), StoreError> {
    work.isolation().opened().await;
    let next = work.store().next_due(W::TABLE).await?;
    match next.has_unsuspected() {
        true => Ok((next, work.claim_due().await?)),
        false => Ok((next, Found { claimed: Vec::new(), has_more: false })),
    }
}

//! Begins the set-ups that are due, each claimed in the database first, and fair among accounts (decision 1.3).
//!
//! What waits stands in the database, not in here: any number of processes work at it, what a dead one had claimed is due
//! again when its lease ends, and one that was frozen and goes on finds its claim gone. A set-up whose last attempt never
//! ended runs alone (`isolation`).

mod attempts;
mod handle;
mod set_up;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, SpawnHandle, WrapFuture};
use futures_util::future::AbortHandle;
use tokio::sync::oneshot;

pub use handle::SetUpsHandle;

use crate::actors::radar::engine::SharedEngine;
use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::Kind;
use crate::actors::runtime::supervisor::{self, ExitGuard};
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::radar::Radar;
use crate::domain::scheduling::set_up_shares::shares;
use crate::store::{ClaimedSetUp, StoreError};
use attempts::Ended;

/// How many set-ups are under way at the same time.
const PLACES: usize = 128;
/// How often due set-ups are looked for, whatever the timers say: what another process has left is found within this.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The shortest time between two looks.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);
/// How soon the database is asked again that did not answer.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Called with a radar whose set-up has ended.
pub type OnFinished = Rc<dyn Fn(&Radar)>;

/// Starts the scheduler on this thread; it is supervised.
pub fn start(engine: &SharedEngine, set_ups: &SetUpsHandle, on_finished: OnFinished) {
    let mailbox = set_ups.mailbox();
    let (engine, itself) = (engine.clone(), mailbox.clone());
    let (actor_metrics, clock) = (engine.actor_metrics.clone(), engine.clock.clone());
    supervisor::supervise(Kind::SetUpScheduler, &actor_metrics, &clock, mailbox, move |guard| {
        SetUpScheduler::new(engine.clone(), on_finished.clone(), itself.clone(), guard).start()
    });
}

/// Something may be due.
struct Look;

/// Nothing is to be begun any more, and what is under way is to be given back.
struct Drain {
    done: oneshot::Sender<()>,
}

/// An attempt under way.
struct UnderWay {
    claimed: ClaimedSetUp,
    abort: AbortHandle,
}

/// The actor.
pub struct SetUpScheduler {
    engine: SharedEngine,
    on_finished: OnFinished,
    itself: Mailbox<Self>,
    under_way: HashMap<RadarId, UnderWay>,
    is_looking: bool,
    look_again: bool,
    /// Whether a suspect is waited for or tried.
    has_suspect: bool,
    timer: Option<SpawnHandle>,
    /// Renews the claims while any is held.
    renewal: Option<SpawnHandle>,
    is_draining: bool,
    /// Who waits until everything is given back.
    draining: Vec<oneshot::Sender<()>>,
    _guard: ExitGuard,
}

impl Actor for SetUpScheduler {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.look(context);
    }
}

impl Drop for SetUpScheduler {
    /// Its successor knows nothing of what is under way and cannot renew its claims.
    fn drop(&mut self) {
        self.under_way.values().for_each(|under_way| under_way.abort.abort());
    }
}

impl SetUpScheduler {
    fn new(engine: SharedEngine, on_finished: OnFinished, itself: Mailbox<Self>, guard: ExitGuard) -> Self {
        Self {
            engine,
            on_finished,
            itself,
            under_way: HashMap::new(),
            is_looking: false,
            look_again: false,
            has_suspect: false,
            timer: None,
            renewal: None,
            is_draining: false,
            draining: Vec::new(),
            _guard: guard,
        }
    }

    /// Claims what is due, begins it, and sets the timer for what comes next.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.is_looking {
            self.look_again = true;
            return;
        }
        if self.is_draining {
            return;
        }
        self.is_looking = true;
        let (engine, at_work) = (self.engine.clone(), self.at_work());
        let claiming = async move {
            engine.isolation.opened().await;
            let next = engine.store.sweep_next_set_ups().await?;
            let mut claimed = Vec::new();
            if next.has_unsuspected() {
                let waiting = engine.store.sweep_accounts_with_set_ups().await?;
                claimed = engine.store.sweep_claim_set_ups(&shares(PLACES, &at_work, &waiting)).await?;
            }
            Ok::<_, StoreError>((next, claimed))
        };
        context.spawn(claiming.into_actor(self).map(|found, scheduler, context| {
            scheduler.is_looking = false;
            if scheduler.is_draining {
                for claimed in found.map(|(_, claimed)| claimed).unwrap_or_default() {
                    scheduler.begin(claimed, None, context);
                }
                return scheduler.give_back(context);
            }
            let backstop = scheduler.engine.clock.backstop(LOOK_EVERY);
            let look_in = match found {
                Ok((next, claimed)) => {
                    // What is due and found no place is looked for when an attempt ends.
                    let next_in = if claimed.is_empty() { next.next_in() } else { Some(LOOK_AGAIN_AFTER) };
                    for claimed in claimed {
                        scheduler.begin(claimed, None, context);
                    }
                    if next.has_suspect() {
                        scheduler.try_suspect(context);
                    }
                    next_in.unwrap_or(backstop).min(backstop).max(LOOK_AGAIN_AFTER)
                }
                Err(error) => {
                    tracing::warn!(%error, "the due set-ups could not be claimed");
                    ASK_AGAIN_AFTER
                }
            };
            scheduler.look_in(look_in, context);
            if std::mem::take(&mut scheduler.look_again) {
                scheduler.look(context);
            }
        }));
    }

    fn look_in(&mut self, wait: Duration, context: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            context.cancel_future(timer);
        }
        let clock = self.engine.clock.clone();
        let sleep = async move { clock.sleep(wait).await };
        self.timer = Some(context.spawn(sleep.into_actor(self).map(|(), scheduler, context| scheduler.look(context))));
    }

    /// Cuts off what is under way, gives its claims back, and says so unless a look may have claimed more.
    fn give_back(&mut self, context: &mut Context<Self>) {
        let claimed = self.under_way.drain().map(|(_, UnderWay { claimed, abort })| {
            abort.abort();
            claimed
        });
        let (claimed, store) = (claimed.collect::<Vec<_>>(), self.engine.store.clone());
        let draining = if self.is_looking { Vec::new() } else { std::mem::take(&mut self.draining) };
        let releasing = async move {
            if let Err(error) = store.sweep_release_set_ups(&claimed, Duration::ZERO).await {
                tracing::warn!(%error, "set-ups that were cut off could not be given back");
            }
            for done in draining {
                done.send(()).ok();
            }
        };
        context.spawn(releasing.into_actor(self));
    }

    /// How many places each account holds.
    fn at_work(&self) -> BTreeMap<AccountId, usize> {
        let mut at_work = BTreeMap::new();
        for under_way in self.under_way.values() {
            *at_work.entry(under_way.claimed.account_id).or_default() += 1;
        }
        at_work
    }
}

impl Handler<Posted<Look>> for SetUpScheduler {
    type Result = ();

    fn handle(&mut self, posted: Posted<Look>, context: &mut Context<Self>) {
        posted.open();
        self.look(context);
    }
}

impl Handler<Posted<Ended>> for SetUpScheduler {
    type Result = ();

    fn handle(&mut self, posted: Posted<Ended>, context: &mut Context<Self>) {
        let Ended { radar_id, lease_no, was_suspect } = posted.open();
        if self.under_way.get(&radar_id).is_some_and(|under_way| under_way.claimed.lease_no == lease_no) {
            self.under_way.remove(&radar_id);
        }
        if was_suspect {
            self.has_suspect = false;
        }
        self.look(context);
    }
}

impl Handler<Posted<Drain>> for SetUpScheduler {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, context: &mut Context<Self>) {
        self.is_draining = true;
        self.draining.push(posted.open().done);
        self.give_back(context);
    }
}

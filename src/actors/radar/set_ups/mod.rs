//! Begins the set-ups that are due, each claimed in the database first, and fair among accounts (decision 1.3).
//!
//! How due work is claimed, suspects run alone and an orderly stop ends: `runtime::claims`. One attempt: `set_up`. A
//! process that was suspended and goes on finds its claims gone.

mod handle;
mod renewing;
mod set_up;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, Context, Handler, SpawnHandle};
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable};
use tokio::sync::oneshot;

pub use handle::SetUpsHandle;

use crate::radar::parts::SharedParts;
use crate::runtime::claims::{Asking, ClaimLoop, Claimant, Found};
use crate::runtime::final_message::FinalMessage;
use crate::runtime::isolation::{Alone, Isolation};
use crate::runtime::mailbox::{Mailbox, Posted};
use crate::runtime::supervisor::{ExitGuard, supervise};
use domain::ids::{AccountId, RadarId};
use domain::radar::Radar;
use domain::scheduling::set_up_shares::shares;
use store::ClaimedSetUp;

/// How many set-ups are under way at the same time.
const PLACES: usize = 128;

/// Called with a radar whose set-up has ended.
pub type OnFinished = Rc<dyn Fn(&Radar)>;

/// Starts the scheduler on this thread; it is supervised.
pub fn start(parts: &SharedParts, set_ups: &SetUpsHandle, on_finished: OnFinished) {
    let (parts, itself) = (parts.clone(), set_ups.mailbox.clone());
    supervise(&set_ups.mailbox, move |guard| {
        SetUpScheduler {
            parts: parts.clone(),
            on_finished: on_finished.clone(),
            itself: itself.clone(),
            under_way: HashMap::new(),
            claim_loop: ClaimLoop::default(),
            renewal: None,
            _guard: guard,
        }
        .start()
    });
}

/// The messages of the scheduler.
enum SchedulerMessage {
    /// Something may be due.
    Look,
    /// An attempt has ended.
    Ended { radar_id: RadarId, lease_no: i64, was_suspect: bool },
    /// Begin nothing any more and give back what is under way; answered when that is done.
    Drain(oneshot::Sender<()>),
}

/// An attempt under way.
struct UnderWay {
    claimed: ClaimedSetUp,
    abort: AbortHandle,
}

/// The actor.
pub struct SetUpScheduler {
    parts: SharedParts,
    on_finished: OnFinished,
    itself: Mailbox<SchedulerMessage>,
    under_way: HashMap<RadarId, UnderWay>,
    claim_loop: ClaimLoop,
    /// Renews the claims while any is held.
    renewal: Option<SpawnHandle>,
    _guard: ExitGuard,
}

impl Actor for SetUpScheduler {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.look(context);
    }
}

impl Drop for SetUpScheduler {
    /// A successor does not know what is under way and cannot renew its claims.
    fn drop(&mut self) {
        self.under_way.values().for_each(|under_way| under_way.abort.abort());
    }
}

impl SetUpScheduler {
    /// How many places each account holds.
    fn at_work(&self) -> BTreeMap<AccountId, usize> {
        let mut at_work = BTreeMap::new();
        for under_way in self.under_way.values() {
            *at_work.entry(under_way.claimed.account_id).or_default() += 1;
        }
        at_work
    }

    fn note_ended(&mut self, radar_id: RadarId, lease_no: i64, was_suspect: bool, context: &mut Context<Self>) {
        if self.under_way.get(&radar_id).is_some_and(|under_way| under_way.claimed.lease_no == lease_no) {
            self.under_way.remove(&radar_id);
        }
        if was_suspect {
            self.claim_loop.has_suspect = false;
        }
        self.look(context);
    }

    fn stop(&mut self, done: oneshot::Sender<()>, context: &mut Context<Self>) {
        let under_way = self.under_way.drain().map(|(_, UnderWay { claimed, abort })| {
            abort.abort();
            claimed
        });
        let claimed = under_way.collect();
        self.give_back(claimed, context);
        self.drain(done);
    }
}

impl Claimant for SetUpScheduler {
    type Claimed = ClaimedSetUp;
    const WORK: &'static str = "set-ups";
    const LOOK_EVERY: Duration = Duration::from_secs(2);

    fn claim_loop(&mut self) -> &mut ClaimLoop {
        &mut self.claim_loop
    }

    fn isolation(&self) -> &Rc<Isolation> {
        &self.parts.isolation
    }

    fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    fn claim_due(&self) -> Asking<Found<ClaimedSetUp>> {
        let (store, at_work) = (self.parts.store.clone(), self.at_work());
        Box::pin(async move {
            let next = store.next_set_ups().await?;
            let mut claimed = Vec::new();
            if next.has_unsuspected() {
                let waiting = store.all_accounts_with_set_ups().await?;
                claimed = store.claim_set_ups(&shares(PLACES, &at_work, &waiting)).await?;
            }
            let has_more = !claimed.is_empty();
            Ok(Found { next, claimed, has_more })
        })
    }

    fn claim_suspect(&self) -> Asking<Option<ClaimedSetUp>> {
        let store = self.parts.store.clone();
        Box::pin(async move { store.claim_suspect_set_up().await })
    }

    fn release(&self, claimed: Vec<ClaimedSetUp>) -> Asking<()> {
        let store = self.parts.store.clone();
        Box::pin(async move { store.release_set_ups(&claimed, Duration::ZERO).await })
    }

    fn begin(&mut self, claimed: ClaimedSetUp, alone: Option<Alone>, context: &mut Context<Self>) {
        let (radar_id, lease_no) = (claimed.radar_id, claimed.lease_no);
        let ended = SchedulerMessage::Ended { radar_id, lease_no, was_suspect: alone.is_some() };
        let report = FinalMessage::new(&self.itself, ended);
        let (parts, on_finished, kept) = (self.parts.clone(), self.on_finished.clone(), claimed.clone());
        let attempt = async move { Box::pin(set_up::run(&parts, &on_finished, &claimed)).await };
        let (attempt, abort) = abortable(self.parts.isolation.run(alone, attempt));
        actix::spawn(async move {
            attempt.map(drop).await;
            drop(report);
        });
        self.under_way.insert(radar_id, UnderWay { claimed: kept, abort });
        self.renew_later(context);
    }
}

impl Handler<Posted<SchedulerMessage>> for SetUpScheduler {
    type Result = ();

    fn handle(&mut self, posted: Posted<SchedulerMessage>, context: &mut Context<Self>) {
        match posted.open() {
            SchedulerMessage::Look => self.look(context),
            SchedulerMessage::Ended { radar_id, lease_no, was_suspect } => {
                self.note_ended(radar_id, lease_no, was_suspect, context);
            }
            SchedulerMessage::Drain(done) => self.stop(done, context),
        }
    }
}

//! The only writer of money: gathers what is asked for while one commit runs, and commits it together (group commit).
//!
//! There is one partition on SQLite, which has one writer, and several on PostgreSQL. An account is always in the same
//! partition, so its commands are decided in the order in which they came. What goes into the next transaction:
//! `domain::scheduling::ledger_queue`. Rules: `domain::account`. Transaction: `store::commit`.

mod figures;
mod group;
mod handle;
mod partition;

use std::rc::Rc;
use std::sync::Arc;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use chrono::{DateTime, Utc};
use tokio::sync::oneshot;

pub use figures::LedgerFigures;
pub use handle::{LedgerError, LedgerHandle, outcomes_of};

use crate::runtime::{ActorMetrics, ExitGuard, GroupDelay, Kind, Mailbox, Posted, Slot, supervise};
use clock::Clock;
use domain::AccountId;
use domain::scheduling::group_delay;
use domain::scheduling::ledger_queue::{MaySettle, Quiet};
use group::Part;
use partition::Partition;
use store::faults::Faults;
use store::{Decisions, Dispatch, Store, Submission};

/// The messages of the ledger.
enum LedgerMessage {
    /// Decide commands to one account that belong together.
    Submit { submission: Submission, reply: oneshot::Sender<Answer> },
    /// Let an account settle what it has due.
    SettleAccount { account_id: AccountId, reply: Option<oneshot::Sender<SettledUntil>> },
    /// Answered once every command that was asked before is decided.
    Drain(oneshot::Sender<()>),
}

/// How far an account is settled: all that was due by that instant is decided. `None` where nothing can be decided: the
/// account is stopped, or there is none.
type SettledUntil = Result<Option<DateTime<Utc>>, LedgerError>;

/// The answer to a submission.
type Answer = Result<Decisions, LedgerError>;

/// Called with what was committed, what was decided about it, and the instant of the commit.
pub type OnCommit = Rc<dyn Fn(&[&Submission], &[Decisions], DateTime<Utc>)>;

/// What the ledger needs.
#[derive(Clone)]
pub struct LedgerParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// Injected faults, for tests.
    pub faults: Faults,
    /// How many partitions: 1 on SQLite.
    pub partitions: usize,
    /// Called after every commit, in their order; for tests.
    pub on_commit: OnCommit,
    /// Takes over the deliveries that commits write.
    pub dispatch: Rc<dyn Dispatch>,
    /// Called after a commit that ended a pause.
    pub on_resumed: Rc<dyn Fn()>,
    /// Hears that a radar of an account releases at that instant what it holds beyond the bound of its day.
    pub on_exceeded: Rc<dyn Fn(AccountId, DateTime<Utc>)>,
    /// How many due renewals one transaction decides at most; [`domain::account::RENEWALS_MAX`] except in tests.
    pub renewals_max: usize,
    /// The figures of as many partitions.
    pub figures: LedgerFigures,
}

/// No partition joins a shared transaction that weighs as much already.
const SHARED_WEIGHT_MAX: usize = 256;

/// Starts the ledger on this thread; it is supervised. `queue` bounds what may wait.
pub fn start(parts: &LedgerParts, actor_metrics: &ActorMetrics, queue: usize) -> LedgerHandle {
    let mailbox = Mailbox::new(Kind::BalanceLedger, queue, actor_metrics, &parts.clock);
    let factory_parts = parts.clone();
    supervise(&mailbox, move |guard| BalanceLedger::new(factory_parts.clone(), guard).start());
    LedgerHandle { mailbox, clock: parts.clock.clone(), figures: parts.figures.clone() }
}

/// The actor.
pub struct BalanceLedger {
    parts: LedgerParts,
    partitions: Vec<Partition>,
    /// Whether a transaction runs that several partitions share.
    is_shared: bool,
    /// How many commands were decided last or waited meanwhile: about as many are expected again.
    expected: usize,
    delay: GroupDelay,
    quiet: Quiet,
    draining: Vec<oneshot::Sender<()>>,
    _guard: ExitGuard,
}

/// A submission that waits; its place in the bounded queue is freed when it is decided.
struct Waiting {
    submission: Submission,
    reply: oneshot::Sender<Answer>,
    _slot: Slot,
}

/// A caller that waits for an account to be settled.
struct Watcher {
    reply: oneshot::Sender<SettledUntil>,
    _slot: Slot,
}

impl Actor for BalanceLedger {
    type Context = Context<Self>;
}

impl BalanceLedger {
    fn new(parts: LedgerParts, guard: ExitGuard) -> Self {
        let partitions = (0..parts.partitions.max(1)).map(|_| Partition::default()).collect();
        Self {
            parts,
            partitions,
            is_shared: false,
            expected: 0,
            delay: GroupDelay::default(),
            quiet: Quiet::default(),
            draining: Vec::new(),
            _guard: guard,
        }
    }

    fn partition_of(&self, account_id: AccountId) -> usize {
        (account_id.0.as_u128() % self.partitions.len() as u128) as usize
    }

    /// Commits what waits in a partition, unless a commit runs there; then it is called again when that one ends.
    ///
    /// While commands come in, one partition at a time settles accounts: the partitions share the machine. Partitions in
    /// which little waits share one transaction at a time, which costs hardly more than one for each of them.
    fn advance(&mut self, partition_no: usize, context: &mut Context<Self>) {
        let settling = match self.partitions.iter().any(|partition| partition.is_settling) {
            _ if self.quiet.is_quiet() => MaySettle::Many,
            true => MaySettle::Not,
            false => MaySettle::Few,
        };
        let partition = &self.partitions[partition_no];
        self.parts.figures.note_queue(partition_no, partition.queue.len());
        let is_alone = partition.queue.wants_own_transaction();
        if partition.is_committing || self.is_shared && !is_alone {
            return;
        }
        if self.waits_for_more(context) {
            return;
        }
        let mut group = Vec::new();
        let mut members = if is_alone { vec![partition_no] } else { self.partitions_to_share() };
        members
            .retain(|&member| weight(&group) < SHARED_WEIGHT_MAX && self.partitions[member].take(settling, &mut group));
        if group.is_empty() {
            return;
        }
        self.is_shared |= !is_alone;
        let commands = group.iter().filter(|part| matches!(part, Part::Commands(_))).count();
        let renewals_max = self.quiet.note(commands > 0).min(self.parts.renewals_max);
        let (parts, busy) = (self.parts.clone(), self.parts.clock.busy());
        let committing = async move {
            let aftermath = group::commit(&parts, group, renewals_max).await;
            parts.faults.pass("ledger.after_commit", &aftermath.left.len());
            (aftermath, busy)
        };
        context.spawn(committing.into_actor(self).map(move |(mut aftermath, _busy), ledger, context| {
            for member in members {
                let own = aftermath.take_of(|account_id| ledger.partition_of(account_id) == member);
                ledger.partitions[member].settle(own);
            }
            ledger.is_shared &= is_alone;
            ledger.expected = commands + ledger.waiting(|_| true);
            // The other partitions first: they may have waited for their turn to settle accounts.
            ledger.advance_all(partition_no + 1, context);
            ledger.finish_drain();
        }));
    }

    fn advance_all(&mut self, first_no: usize, context: &mut Context<Self>) {
        let count = self.partitions.len();
        (first_no..first_no + count).for_each(|partition_no| self.advance(partition_no % count, context));
    }

    /// How many commands wait in such partitions.
    fn waiting(&self, such: fn(&&Partition) -> bool) -> usize {
        self.partitions.iter().filter(such).map(|partition| partition.queue.len().0).sum()
    }

    /// Whether commands wait that are to go together with others. A simulated clock stands still meanwhile.
    fn waits_for_more(&mut self, context: &mut Context<Self>) -> bool {
        let gathered = self.waiting(|partition| !partition.is_committing);
        let is_wanted = gathered > 0 && group_delay::waits(gathered, self.expected) && !self.parts.clock.is_simulated();
        self.delay.holds(is_wanted, &self.parts.clock, context, |ledger: &mut Self, context| {
            for partition_no in 0..ledger.partitions.len() {
                ledger.delay = GroupDelay::Over;
                ledger.advance(partition_no, context);
            }
            ledger.delay = GroupDelay::Idle;
        })
    }

    /// The partitions at rest in which something waits, but little.
    fn partitions_to_share(&self) -> Vec<usize> {
        let shares = |partition: &Partition| !partition.is_committing && !partition.queue.wants_own_transaction();
        self.partitions
            .iter()
            .enumerate()
            .filter(|(_, partition)| shares(partition))
            .map(|(number, _)| number)
            .collect()
    }

    fn finish_drain(&mut self) {
        if self.draining.is_empty() {
            return;
        }
        for partition in &mut self.partitions {
            partition.queue.forget_settlements();
        }
        if self.partitions.iter().all(|partition| !partition.is_committing && partition.queue.len() == (0, 0)) {
            for done in self.draining.drain(..) {
                done.send(()).ok();
            }
        }
    }
}

fn weight(group: &[Part]) -> usize {
    group.iter().map(|part| part.submission().weight()).sum()
}

impl Handler<Posted<LedgerMessage>> for BalanceLedger {
    type Result = ();

    fn handle(&mut self, posted: Posted<LedgerMessage>, context: &mut Context<Self>) {
        let (message, slot) = posted.keep();
        let partition_no = match message {
            LedgerMessage::Submit { submission, reply } => {
                let account_id = submission.account_id;
                let (weight, partition_no) = (submission.weight(), self.partition_of(account_id));
                let waiting = Waiting { submission, reply, _slot: slot };
                self.partitions[partition_no].queue.push(account_id, weight, waiting);
                partition_no
            }
            LedgerMessage::SettleAccount { account_id, reply } => {
                let partition_no = self.partition_of(account_id);
                let watcher = reply.map(|reply| Watcher { reply, _slot: slot });
                self.partitions[partition_no].queue.settle_due(account_id, watcher);
                partition_no
            }
            LedgerMessage::Drain(done) => {
                self.draining.push(done);
                return self.finish_drain();
            }
        };
        self.advance(partition_no, context);
    }
}

//! The only writer of money: gathers what is asked for while one commit runs, and commits it together (group commit).
//!
//! Lanes by account: one on SQLite, which has one writer, several on PostgreSQL. An account is always in the same lane,
//! so its commands are decided in the order in which they came. Rules: `domain::book`. Transaction: `store::commit`.

mod handle;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;
use tokio::sync::oneshot;

pub use handle::{LedgerError, LedgerHandle};

use super::census::{Census, Kind};
use super::faults::Faults;
use super::keeper::{self, ExitGuard};
use super::mailbox::{Mailbox, Posted, Slot};
use crate::clock::Clock;
use crate::domain::book::{Command, Decision, Outcome};
use crate::domain::ids::AccountId;
use crate::store::{Committed, Intent, Store, StoreError};

/// How many findings and other commands one transaction takes at most.
const BATCH_MAX: usize = 256;

type Reply = Option<oneshot::Sender<Result<Vec<Decision>, LedgerError>>>;

/// Commands to one account that belong together: decided in one transaction, seeing each other in order.
pub struct Submit {
    account_id: AccountId,
    commands: Vec<Command>,
    reply: Reply,
}

/// Answers once everything that was asked before is decided.
pub struct Drain {
    /// Is told.
    pub done: oneshot::Sender<()>,
}

/// Is told what was committed, as of when, and what came of it.
pub type OnCommit = Rc<dyn Fn(&[Intent], DateTime<Utc>, &Committed)>;

/// What the ledger needs.
#[derive(Clone)]
pub struct LedgerParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// Named faults for tests.
    pub faults: Faults,
    /// How many lanes: 1 on SQLite.
    pub lanes: usize,
    /// Is told of every commit that stands, in their order; for tests.
    pub on_commit: OnCommit,
    /// Is called after a commit that wrote deliveries.
    pub on_deliveries: Rc<dyn Fn()>,
    /// Is called after a commit that ended a pause.
    pub on_resumed: Rc<dyn Fn()>,
}

/// Starts the ledger on this thread; it is kept alive. `queue` bounds what may wait.
pub fn start(parts: &LedgerParts, census: &Census, queue: usize) -> LedgerHandle {
    let mailbox = Mailbox::new(Kind::BalanceLedger, queue, census, &parts.clock);
    let factory_parts = parts.clone();
    keeper::keep(Kind::BalanceLedger, census, &parts.clock, &mailbox, move |guard| {
        BalanceLedger::new(factory_parts.clone(), guard).start()
    });
    LedgerHandle::new(mailbox, parts.clock.clone())
}

/// The actor.
pub struct BalanceLedger {
    parts: LedgerParts,
    lanes: Vec<Lane>,
    draining: Vec<oneshot::Sender<()>>,
    _guard: ExitGuard,
}

/// A submission that waits; its place in the bounded queue is freed when it is decided.
struct Waiting {
    submit: Submit,
    _slot: Option<Slot>,
}

#[derive(Default)]
struct Lane {
    waiting: VecDeque<Waiting>,
    is_committing: bool,
}

impl Actor for BalanceLedger {
    type Context = Context<Self>;
}

impl BalanceLedger {
    fn new(parts: LedgerParts, guard: ExitGuard) -> Self {
        let lanes = (0..parts.lanes.max(1)).map(|_| Lane::default()).collect();
        Self { parts, lanes, draining: Vec::new(), _guard: guard }
    }

    fn lane_of(&self, account_id: AccountId) -> usize {
        (account_id.0.as_u128() % self.lanes.len() as u128) as usize
    }

    /// Commits what waits in a lane, unless a commit runs there; then it is called again when that one ends.
    fn advance(&mut self, lane_no: usize, context: &mut Context<Self>) {
        let lane = &mut self.lanes[lane_no];
        if lane.is_committing || lane.waiting.is_empty() {
            return;
        }
        lane.is_committing = true;
        let batch = take_batch(&mut lane.waiting);
        let (parts, busy) = (self.parts.clone(), self.parts.clock.busy());
        let committing = async move {
            let more = commit(&parts, batch).await;
            parts.faults.pass("ledger.after_commit", &more.len());
            (more, busy)
        };
        let committing = committing.into_actor(self).map(move |(more, _busy), ledger, context| {
            ledger.lanes[lane_no].is_committing = false;
            for account_id in more {
                let touch = Submit { account_id, commands: vec![Command::Touch { radar_id: None }], reply: None };
                ledger.lanes[lane_no].waiting.push_back(Waiting { submit: touch, _slot: None });
            }
            ledger.advance(lane_no, context);
            ledger.finish_drain();
        });
        context.spawn(committing);
    }

    fn finish_drain(&mut self) {
        if self.lanes.iter().all(|lane| !lane.is_committing && lane.waiting.is_empty()) {
            for done in self.draining.drain(..) {
                done.send(()).ok();
            }
        }
    }
}

impl Handler<Posted<Submit>> for BalanceLedger {
    type Result = ();

    fn handle(&mut self, posted: Posted<Submit>, context: &mut Context<Self>) {
        let (submit, slot) = posted.keep();
        let lane_no = self.lane_of(submit.account_id);
        self.lanes[lane_no].waiting.push_back(Waiting { submit, _slot: Some(slot) });
        self.advance(lane_no, context);
    }
}

impl Handler<Posted<Drain>> for BalanceLedger {
    type Result = ();

    fn handle(&mut self, posted: Posted<Drain>, _: &mut Context<Self>) {
        self.draining.push(posted.open().done);
        self.finish_drain();
    }
}

/// Takes what fits into one transaction, in order; while several accounts wait, none fills more than half of it.
fn take_batch(waiting: &mut VecDeque<Waiting>) -> Vec<Waiting> {
    let first = waiting.front().map(|waiting| waiting.submit.account_id);
    let is_shared = waiting.iter().any(|waiting| Some(waiting.submit.account_id) != first);
    let account_max = if is_shared { BATCH_MAX / 2 } else { BATCH_MAX };
    let mut batch = Vec::new();
    let mut left = VecDeque::new();
    let mut total = 0;
    let mut shares: BTreeMap<AccountId, (usize, bool)> = BTreeMap::new();
    for next in waiting.drain(..) {
        let weight = weight(&next.submit);
        let (share, is_cut_off) = shares.entry(next.submit.account_id).or_default();
        let fits = total == 0 || (total + weight <= BATCH_MAX && (*share == 0 || *share + weight <= account_max));
        if fits && !*is_cut_off {
            total += weight;
            *share += weight;
            batch.push(next);
        } else {
            *is_cut_off = true;
            left.push_back(next);
        }
    }
    *waiting = left;
    batch
}

/// What a submission adds to a transaction: a finding or a command each.
fn weight(submit: &Submit) -> usize {
    let of = |command: &Command| match command {
        Command::Report { findings, .. } => findings.len().max(1),
        _ => 1,
    };
    submit.commands.iter().map(of).sum()
}

/// Commits a batch and answers; the accounts that have more to do are returned.
///
/// When the database refuses a batch of several submissions, each half is tried by itself: one that is broken must not
/// fail the others.
fn commit(parts: &LedgerParts, mut batch: Vec<Waiting>) -> LocalBoxFuture<'_, Vec<AccountId>> {
    Box::pin(async move {
        let intents: Vec<Intent> = batch
            .iter()
            .flat_map(|Waiting { submit, .. }| {
                let account_id = submit.account_id;
                submit.commands.iter().map(move |command| Intent { account_id, command: command.clone() })
            })
            .collect();
        match commit_once(parts, &intents).await {
            Ok(committed) => {
                if committed.has_deliveries {
                    (parts.on_deliveries)();
                }
                if committed.has_resumed {
                    (parts.on_resumed)();
                }
                answer(batch, committed.outcomes)
            }
            Err(StoreError::Unavailable(error)) => {
                tracing::warn!(%error, submissions = batch.len(), "a commit found the database unavailable");
                refuse(batch, || LedgerError::Unavailable);
                Vec::new()
            }
            Err(error) if batch.len() == 1 => {
                tracing::error!(%error, "a submission could not be committed");
                let error = Arc::new(error);
                refuse(batch, || LedgerError::Broken(error.clone()));
                Vec::new()
            }
            Err(error) => {
                tracing::warn!(%error, submissions = batch.len(), "a batch was refused and is committed in halves");
                let second_half = batch.split_off(batch.len() / 2);
                let mut more = commit(parts, batch).await;
                more.extend(commit(parts, second_half).await);
                more
            }
        }
    })
}

/// One try. After a fault past the commit the outcome is unknown to whoever asked, as after a broken connection.
async fn commit_once(parts: &LedgerParts, intents: &[Intent]) -> Result<Committed, StoreError> {
    let now = parts.clock.now();
    parts.faults.pass_or_fail("ledger.before_commit", &intents.len())?;
    let committed = parts.store.commit(intents, now).await?;
    (parts.on_commit)(intents, now, &committed);
    parts.faults.pass_or_fail("ledger.before_answer", &intents.len())?;
    Ok(committed)
}

fn answer(batch: Vec<Waiting>, outcomes: Vec<Decision>) -> Vec<AccountId> {
    let mut outcomes = outcomes.into_iter();
    let mut more = Vec::new();
    for Waiting { submit, .. } in batch {
        let decisions: Vec<Decision> = outcomes.by_ref().take(submit.commands.len()).collect();
        let has_more = |decision: &Decision| {
            matches!(decision, Ok(Outcome::Touched { has_more: true, .. } | Outcome::ToppedUp { has_more: true, .. }))
        };
        if decisions.iter().any(has_more) && !more.contains(&submit.account_id) {
            more.push(submit.account_id);
        }
        if let Some(reply) = submit.reply {
            // Whoever asked may have given up; what was decided stands.
            reply.send(Ok(decisions)).ok();
        }
    }
    more
}

fn refuse(batch: Vec<Waiting>, error: impl Fn() -> LedgerError) {
    for reply in batch.into_iter().filter_map(|waiting| waiting.submit.reply) {
        reply.send(Err(error())).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::{BATCH_MAX, Submit, Waiting, take_batch};
    use crate::domain::book::Command;
    use crate::domain::ids::AccountId;
    use std::collections::VecDeque;
    use uuid::Uuid;

    fn queue(accounts: &[(u128, usize)]) -> VecDeque<Waiting> {
        let submit = |&(account, commands): &(u128, usize)| Waiting {
            submit: Submit {
                account_id: AccountId(Uuid::from_u128(account)),
                commands: vec![Command::Touch { radar_id: None }; commands],
                reply: None,
            },
            _slot: None,
        };
        accounts.iter().map(submit).collect()
    }

    fn accounts<'a>(waiting: impl IntoIterator<Item = &'a Waiting>) -> Vec<u128> {
        waiting.into_iter().map(|waiting| waiting.submit.account_id.0.as_u128()).collect()
    }

    #[test]
    fn a_batch_is_bounded_and_keeps_the_order_of_each_account() {
        let mut waiting = queue(&[(1, BATCH_MAX / 2), (1, 1), (2, 1), (1, 1)]);
        assert_eq!(accounts(&take_batch(&mut waiting)), [1, 2], "one account fills no more than half");
        assert_eq!(accounts(&waiting), [1, 1]);

        let mut waiting = queue(&[(1, BATCH_MAX), (1, 1)]);
        assert_eq!(accounts(&take_batch(&mut waiting)), [1], "alone it may fill it");

        let mut waiting = queue(&[(1, BATCH_MAX * 2), (2, 1)]);
        assert_eq!(accounts(&take_batch(&mut waiting)), [1], "what is too large goes alone");
        assert_eq!(accounts(&take_batch(&mut waiting)), [2]);
    }
}

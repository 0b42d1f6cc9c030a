//! The way to any radar, from any thread.

use std::sync::Arc;

use actix::Actor;
use chrono::{DateTime, Utc};

use super::actor::Request;
use super::outcome::TurnError;
use super::parts::SharedParts;
use super::set_ups::SetUps;
use super::shard::{RadarShard, ShardMessage};
use crate::ledger::{LedgerError, outcomes_of};
use crate::runtime::{ActorMetrics, Kind, Mailbox, WorkHandle, due_work, supervise};
use clock::Clock;
use domain::account::{AccountCommand, Deactivated};
use domain::scheduling::shards::{SHARDS, shard_of};
use domain::{AccountId, Decision, RadarId};
use store::{ClaimedSetUp, Submission};
use tokio::sync::oneshot;

/// All shards of this process.
#[derive(Clone)]
pub struct Shards {
    mailboxes: Arc<[Mailbox<ShardMessage>]>,
    set_ups: WorkHandle<ClaimedSetUp>,
    clock: Clock,
}

impl Shards {
    /// Mailboxes for every shard, whose actors do not live yet. Each has room for `queue` messages.
    pub fn new(actor_metrics: &ActorMetrics, clock: &Clock, queue: usize) -> Self {
        let mailboxes = (0..SHARDS).map(|_| Mailbox::new(Kind::RadarShard, queue, actor_metrics, clock)).collect();
        Self { mailboxes, set_ups: WorkHandle::new(Kind::RadarShard, actor_metrics, clock), clock: clock.clone() }
    }

    /// Begins no set-up any more, cuts off those that are under way and gives them back, so that they do not count as attempts
    /// that never ended.
    pub async fn stop_set_ups(&self) {
        self.set_ups.cancel().await;
    }

    /// Starts and supervises every shard on this thread, and what claims their set-ups.
    pub fn start(&self, parts: &SharedParts) {
        self.start_where(parts, |_| true);
    }

    /// Starts only the shards that `is_wanted` picks, for tests with few accounts.
    pub fn start_where(&self, parts: &SharedParts, is_wanted: impl Fn(i64) -> bool) {
        let radars = self.clone();
        due_work::start(&SetUps::new(parts, move |claimed| radars.set_up(claimed)), &self.set_ups);
        for (shard, mailbox) in (0..SHARDS).zip(self.mailboxes.iter()).filter(|(shard, _)| is_wanted(*shard)) {
            let (parts, itself, set_ups) = (parts.clone(), mailbox.clone(), self.set_ups.clone());
            supervise(mailbox, move |guard| {
                RadarShard::new(parts.clone(), shard, itself.clone(), set_ups.clone(), guard).start()
            });
        }
    }

    /// Says that a radar may have something to do. When the queue is full nothing is sent: the housekeeper finds it.
    pub fn wake(&self, account_id: AccountId, radar_id: RadarId) {
        let message = ShardMessage::Request { account_id, radar_id, request: Request::Wake };
        if self.of(account_id).post(message).is_err() {
            tracing::debug!("a shard's queue is full; a wake is left to the housekeeper");
        }
    }

    /// Has an account decide commands about its radars in one transaction, and takes up radars that are created. What a crash
    /// loses of this the shard's next reading finds.
    ///
    /// # Errors
    /// [`LedgerError`]: then none of them was decided.
    pub async fn submit<C: AccountCommand>(
        &self,
        account_id: AccountId,
        commands: Vec<C>,
    ) -> Result<Vec<Decision<C::Outcome>>, LedgerError> {
        let submission = Submission { account_id, commands: commands.into_iter().map(Into::into).collect() };
        let to_shard = |answer| ShardMessage::Submit { submission, answer };
        let answered = self.clock.hold(self.of(account_id).ask(to_shard)).await.map_err(|_| LedgerError::Full)?;
        outcomes_of::<C>(answered.unwrap_or(Err(LedgerError::Unavailable))?)
    }

    /// Has a radar attempt its set-up, which was claimed. It is cut off when the answer is not waited for.
    fn set_up(&self, claimed: ClaimedSetUp) -> oneshot::Receiver<Result<(), TurnError>> {
        let (account_id, radar_id) = (claimed.account_id, claimed.radar_id);
        let (answer, ended) = oneshot::channel();
        let request = Request::SetUp(claimed, answer);
        self.of(account_id).notify(ShardMessage::Request { account_id, radar_id, request });
        ended
    }

    /// Something is due in an account at that instant. The shard's next reading finds what is lost of this.
    pub fn expect_at(&self, account_id: AccountId, at: DateTime<Utc>) {
        self.of(account_id).notify(ShardMessage::Ahead(at));
    }

    /// Shards came to this process, or went.
    pub fn note_moved(&self, shards: &[i64]) {
        let of = |shard: &i64| usize::try_from(*shard).ok().and_then(|shard| self.mailboxes.get(shard));
        shards.iter().filter_map(of).for_each(|mailbox| mailbox.notify(ShardMessage::Moved));
        self.set_ups.look();
    }

    /// Looks at the radars of an account again that goes on after it was stopped. The shard's next reading finds what is
    /// lost of this.
    pub fn look_again(&self, account_id: AccountId) {
        self.expect_at(account_id, self.clock.now());
        self.set_ups.look();
    }

    /// Ends a radar on its owner's request.
    ///
    /// # Errors
    /// [`LedgerError`]; nothing is half-done.
    pub async fn deactivate(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
    ) -> Result<Decision<Deactivated>, LedgerError> {
        let to_radar = |answer| ShardMessage::Request { account_id, radar_id, request: Request::Deactivate(answer) };
        let answered = self.clock.hold(self.of(account_id).ask(to_radar)).await.map_err(|_| LedgerError::Full)?;
        answered.unwrap_or(Err(LedgerError::Unavailable))
    }

    fn of(&self, account_id: AccountId) -> &Mailbox<ShardMessage> {
        // `shard_of` is below the number of shards.
        &self.mailboxes[usize::try_from(shard_of(account_id)).unwrap_or_default() % self.mailboxes.len()]
    }
}

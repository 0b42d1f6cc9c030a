//! The way to any radar, from any thread.

use std::rc::Rc;
use std::sync::Arc;

use actix::Actor;
use chrono::{DateTime, Utc};

use super::actor::Request;
use super::parts::SharedParts;
use super::set_ups::{self, SetUpsHandle};
use super::shard::{RadarShard, ShardMessage};
use super::turn::Answer;
use crate::ledger::{LedgerError, outcomes_of};
use crate::runtime::mailbox::Mailbox;
use crate::runtime::metrics::{ActorMetrics, Kind};
use crate::runtime::supervisor::supervise;
use clock::Clock;
use domain::account::{AccountCommand, Deactivated, Decision};
use domain::ids::{AccountId, RadarId};
use domain::radar::Radar;
use domain::scheduling::shards::{SHARDS, shard_of};
use store::Submission;

/// All shards of this process.
#[derive(Clone)]
pub struct Shards {
    mailboxes: Arc<[Mailbox<ShardMessage>]>,
    set_ups: SetUpsHandle,
    clock: Clock,
}

impl Shards {
    /// Mailboxes for every shard, whose actors do not live yet. Each has room for `queue` messages.
    pub fn new(actor_metrics: &ActorMetrics, clock: &Clock, queue: usize) -> Self {
        let mailboxes = (0..SHARDS).map(|_| Mailbox::new(Kind::RadarShard, queue, actor_metrics, clock)).collect();
        Self { mailboxes, set_ups: SetUpsHandle::new(actor_metrics, clock), clock: clock.clone() }
    }

    /// The way to the set-up scheduler.
    pub fn set_ups(&self) -> &SetUpsHandle {
        &self.set_ups
    }

    /// Starts and supervises every shard on this thread, and the scheduler of their set-ups.
    pub fn start(&self, parts: &SharedParts) {
        self.start_where(parts, |_| true);
    }

    /// Starts only the shards that `is_wanted` picks, for tests with few accounts.
    pub fn start_where(&self, parts: &SharedParts, is_wanted: impl Fn(i64) -> bool) {
        let expecting = self.clone();
        set_ups::start(parts, &self.set_ups, Rc::new(move |radar| expecting.expect_wake(radar)));
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

    fn expect_wake(&self, radar: &Radar) {
        if let Some(wake_at) = radar.wake_at() {
            self.expect_at(radar.account_id, wake_at);
        }
    }

    /// Something is due in an account at that instant. The shard's next reading finds what is lost of this.
    pub fn expect_at(&self, account_id: AccountId, at: DateTime<Utc>) {
        self.of(account_id).notify(ShardMessage::Ahead(at));
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
        self.ask(account_id, radar_id, Request::Deactivate).await
    }

    async fn ask<O>(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
        request: impl FnOnce(Answer<O>) -> Request,
    ) -> Result<Decision<O>, LedgerError> {
        let to_radar = |answer| ShardMessage::Request { account_id, radar_id, request: request(answer) };
        let answered = self.clock.hold(self.of(account_id).ask(to_radar)).await.map_err(|_| LedgerError::Full)?;
        answered.unwrap_or(Err(LedgerError::Unavailable))
    }

    fn of(&self, account_id: AccountId) -> &Mailbox<ShardMessage> {
        // `shard_of` is below the number of shards.
        &self.mailboxes[usize::try_from(shard_of(account_id)).unwrap_or_default() % self.mailboxes.len()]
    }
}

//! The way to any radar, from any thread.

use std::rc::Rc;
use std::sync::Arc;

use actix::Actor;
use chrono::{DateTime, Utc};

use super::actor::Request;
use super::engine::SharedEngine;
use super::set_ups::{self, SetUpsHandle};
use super::shard::{RadarShard, ShardMessage};
use super::turn::Answer;
use crate::ledger::LedgerError;
use crate::runtime::mailbox::Mailbox;
use crate::runtime::metrics::{ActorMetrics, Kind};
use crate::runtime::supervisor::supervise;
use clock::Clock;
use domain::account::{Deactivated, Decision, Finding, ReportOutcome};
use domain::ids::{AccountId, RadarId};
use domain::radar::filter::Role;
use domain::radar::{Radar, SetUp};
use domain::scheduling::shards::{SHARDS, shard_of};

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
    pub fn start(&self, engine: &SharedEngine) {
        self.start_where(engine, |_| true);
    }

    /// Starts only the shards that `is_wanted` picks, for tests with few accounts.
    pub fn start_where(&self, engine: &SharedEngine, is_wanted: impl Fn(i64) -> bool) {
        let expecting = self.clone();
        set_ups::start(engine, &self.set_ups, Rc::new(move |radar| expecting.expect_wake(radar)));
        for (shard, mailbox) in (0..SHARDS).zip(self.mailboxes.iter()).filter(|(shard, _)| is_wanted(*shard)) {
            let (engine, itself) = (engine.clone(), mailbox.clone());
            supervise(mailbox, move |guard| RadarShard::new(engine.clone(), shard, itself.clone(), guard).start());
        }
    }

    /// Says that a radar may have something to do. When the queue is full nothing is sent: the housekeeper finds it.
    pub fn wake(&self, account_id: AccountId, radar_id: RadarId) {
        let message = ShardMessage::Request { account_id, radar_id, request: Request::Wake };
        if self.of(account_id).post(message).is_err() {
            tracing::debug!("a shard's queue is full; a wake is left to the housekeeper");
        }
    }

    /// Takes up a radar that was created or set up: its set-up, if it waits for one, and its reminder. The shard's next
    /// reading finds what is lost of this.
    pub fn take_up(&self, radar: &Radar) {
        if radar.set_up == SetUp::Pending {
            self.set_ups.look();
        }
        self.expect_wake(radar);
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

    /// Reports what a provider pushed to a radar, as far as its filter wants it.
    ///
    /// # Errors
    /// [`LedgerError`]; the same findings can be pushed again.
    pub async fn ingest(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
        findings: Vec<(Finding, Role)>,
    ) -> Result<Decision<ReportOutcome>, LedgerError> {
        self.ask(account_id, radar_id, |answer| Request::Ingest(findings, answer)).await
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

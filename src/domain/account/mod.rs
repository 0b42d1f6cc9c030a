//! One account under its lock: all that is known of it, and the rules that change it.
//!
//! Duty: to decide. An [`Account`] is opened on what the store read after the lock, takes commands in order, and closes into
//! the [`Changes`] that the store writes in the same transaction. One file per command. Never here: I/O, a clock.
//!
//! Whatever is late is decided in the order in which it was due: [`Account::apply`] first settles due expiries and
//! renewals, then does what the command asks (decision 4.9).

mod changes;
mod commands;
mod daily_bound;
mod events;
mod findings;
mod grace;
mod held_findings;
mod overtake;
mod posting;
mod read_set;
mod refunds;
mod rejection;
mod renewals;
mod spend_cap;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

pub use changes::{
    Alert, Changes, Cursor, EndpointState, NewDelivery, NewUpdate, Pause, SeenFinding, SeenOutcome, UsageDelta,
};
pub use commands::*;
pub use findings::{Finding, FindingForApproval, HeldFinding, HoldReason, Origin, Provenance};
pub use read_set::ReadSet;
pub use rejection::CommandRejection;

use super::account_status::AccountStatus;
use super::approval::Approval;
use super::field_limits::RADARS_MAX;
use super::ids::{AccountId, FeedId, RadarId, UpdateId};
use super::money::MicroUsd;
use super::money::balance_alert::BalanceAlerts;
use super::money::chain::ChainHash;
use super::money::ledger::LedgerEntry;
use super::money::lots::Lot;
use super::money::pricing::PriceList;
use super::radar::Radar;
use super::radar::update::Publication;
use super::radar_type::RadarType;
pub use super::scheduling::ledger_queue::RENEWALS_MAX;

/// How many findings that are held for one reason a transaction releases at most.
pub const DRAIN_MAX: usize = 256;

/// Turns an update into its payload, once, at its publication; the bytes are frozen from then on (decision 3.7).
pub type Render = fn(&Publication<'_>) -> String;

/// The account row: the lock, and what hangs on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountState {
    /// The account.
    pub account_id: AccountId,
    /// Whether it may use the service.
    pub status: AccountStatus,
    /// The sum of what is left in its lots.
    pub balance: MicroUsd,
    /// The last ledger transaction's number.
    pub tx_seq: i64,
    /// The last update's number.
    pub update_seq: i64,
    /// The last hold's number.
    pub hold_seq: i64,
    /// The last lot's number.
    pub lot_no: i64,
    /// How many of its radars are active.
    pub active_radars: i64,
    /// How many of its radars have ended and are still kept.
    pub ended_radars: i64,
    /// Its own limit on either; `None` where the service's holds.
    pub radars_max: Option<i64>,
    /// The last instant that was given to a ledger transaction or an update.
    pub last_at: DateTime<Utc>,
    /// Who approves its findings.
    pub approval: Approval,
    /// Whom to tell that the balance runs low.
    pub alerts: Option<BalanceAlerts>,
    /// The most that may be spent in a month before findings are held.
    pub spend_cap: Option<MicroUsd>,
    /// The hash of the last ledger transaction, or what the first one chains to.
    pub head_hash: ChainHash,
    /// Why nothing may move here any more; `None` for every healthy account.
    pub frozen_reason: Option<String>,
}

/// What the store read of an account after it locked it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The account row.
    pub account: AccountState,
    /// What was spent in this month, charges less refunds; only read where there is a cap.
    pub spent_this_month: MicroUsd,
    /// Its lots with money left, and the lots of charges that may be refunded.
    pub lots: Vec<Lot>,
    /// Its prices.
    pub prices: PriceList,
    /// The radars that the commands name, those whose renewal is due, and those of held findings.
    pub radars: BTreeMap<RadarId, Radar>,
    /// The radars whose renewal is due, in order of (`next_charge_at`, `radar_id`), at most [`RENEWALS_MAX`].
    pub due_renewals: Vec<RadarId>,
    /// When the first renewal that is due beyond those was due.
    pub more_renewals_from: Option<DateTime<Utc>>,
    /// How many charges the commands of this transaction can ask for.
    pub charges_asked: u64,
    /// The paused types.
    pub pauses: BTreeMap<RadarType, Pause>,
    /// The findings that wait for money in order, at most [`DRAIN_MAX`].
    pub held: Vec<HeldFinding>,
    /// Whether there are more of them.
    pub has_more_held: bool,
    /// The radars whose day is over, so that they release what they hold beyond its bound, those first that have waited
    /// longest; none whose type is paused.
    pub days_over: Vec<RadarId>,
    /// Whether there are more of them.
    pub has_more_days_over: bool,
    /// What those radars, and those that the commands name, hold beyond the bound of a day: the oldest of each in order.
    pub held_beyond: BTreeMap<RadarId, Vec<HeldFinding>>,
    /// Of the target keys that the commands ask for, those of active radars.
    pub taken: BTreeMap<String, RadarId>,
    /// Of those target keys, those of radars that were ended and have paid time left.
    pub in_grace: BTreeMap<String, RadarId>,
    /// Of the findings that the commands report, those that were seen before.
    pub seen: BTreeMap<(RadarId, Uuid), SeenOutcome>,
    /// Of the events that the commands report, the parts that were reported within the window.
    pub events: BTreeMap<(RadarId, Uuid), Vec<Option<String>>>,
    /// Of the findings that the commands decide about, those that exist.
    pub approvals: BTreeMap<UpdateId, FindingForApproval>,
    /// Of the ledger transactions that the commands would repeat or refund, those that exist.
    pub ledger_txs: BTreeMap<String, KnownTx>,
    /// The cursors of radars in the feeds that the commands name.
    pub cursors: BTreeMap<(RadarId, FeedId), i64>,
    /// The endpoints of the radars, by address.
    pub endpoints: BTreeMap<String, EndpointState>,
    /// Of the set-ups that the commands settle, those that wait, and under which claim.
    pub set_ups: BTreeMap<RadarId, i64>,
    /// Of the idempotency keys of the commands, those that were used.
    pub used_keys: UsedKeys,
}

/// A ledger transaction that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownTx {
    /// When it was written: the month of whose usage it is a part.
    pub at: DateTime<Utc>,
    /// Its entries.
    pub entries: Vec<LedgerEntry>,
}

/// One account, open for decisions.
pub struct Account {
    now: DateTime<Utc>,
    render: Render,
    settings: Settings,
    state: Loaded,
    changes: Changes,
    dirty_lots: BTreeSet<i64>,
    dirty_radars: BTreeSet<RadarId>,
    dirty_endpoints: BTreeSet<String>,
    /// Whether the commands of this transaction wait for renewals that it does not decide; determined once.
    has_overdue: Option<bool>,
    /// The types that were paused, and the last hold, when the account was opened.
    paused_before: BTreeMap<RadarType, Pause>,
    hold_seq_before: i64,
    /// Whether held findings are left to another transaction, in which more of them can be released.
    has_more_releases: bool,
}

/// What the operator sets for all accounts.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long a finding waits for money before it is dropped (decision 4.7).
    pub hold_life: Duration,
    /// How many radars of an account may be active, and how many that have ended are kept, unless it has its own limit.
    pub radars_max: i64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hold_life: Duration::days(60), radars_max: i64::from(RADARS_MAX) }
    }
}

impl Account {
    /// Opens an account on what was read under its lock.
    pub fn open(state: Loaded, now: DateTime<Utc>, render: Render, settings: Settings) -> Self {
        Self {
            now,
            render,
            settings,
            paused_before: state.pauses.clone(),
            hold_seq_before: state.account.hold_seq,
            has_more_releases: false,
            state,
            changes: Changes::default(),
            dirty_lots: BTreeSet::new(),
            dirty_radars: BTreeSet::new(),
            dirty_endpoints: BTreeSet::new(),
            has_overdue: None,
        }
    }

    /// Decides one command.
    ///
    /// # Errors
    /// A [`CommandRejection`] leaves the command without any effect; what was late before it has happened all the same.
    pub fn apply(&mut self, command: &Command) -> Decision {
        if let Some(reason) = &self.state.account.frozen_reason {
            if command.is_for_frozen() {
                return command.decide(self);
            }
            return Err(CommandRejection::Frozen { account_id: self.state.account.account_id, reason: reason.clone() });
        }
        self.settle_overdue();
        if self.state.more_renewals_from.is_some() {
            let overtakes = command.overtakes(self);
            if self.must_wait(overtakes) {
                return Err(CommandRejection::Overdue);
            }
        }
        command.decide(self)
    }

    /// Closes the account: all that has to be written, in final form.
    pub fn close(mut self) -> (AccountState, Changes) {
        let Loaded { account, lots, radars, endpoints, pauses, .. } = self.state;
        let before = &self.paused_before;
        self.changes.resumed = before.keys().copied().filter(|radar_type| !pauses.contains_key(radar_type)).collect();
        let is_new = |(radar_type, pause): &(RadarType, Pause)| before.get(radar_type) != Some(pause);
        self.changes.paused = pauses.into_iter().filter(is_new).collect();
        let with_money = lots.iter().filter(|lot| !lot.remaining.is_zero());
        self.changes.next_expiry_at = with_money.filter_map(|lot| lot.expires_at).min();
        self.changes.lots = lots.into_iter().filter(|lot| self.dirty_lots.contains(&lot.lot_no)).collect();
        let is_dirty = |radar: &Radar| self.dirty_radars.contains(&radar.radar_id);
        self.changes.radars = radars.into_values().filter(is_dirty).collect();
        self.changes.endpoints = endpoints.into_iter().filter(|(url, _)| self.dirty_endpoints.contains(url)).collect();
        (account, self.changes)
    }

    /// The account's own time: never twice the same, so that order in time is order of commit (decision 3.5).
    fn tick(&mut self) -> DateTime<Utc> {
        let account = &mut self.state.account;
        account.last_at = self.now.max(account.last_at + Duration::microseconds(1));
        account.last_at
    }

    /// A radar that may be changed; it will be written.
    fn radar_mut(&mut self, radar_id: RadarId) -> Option<&mut Radar> {
        self.dirty_radars.insert(radar_id);
        self.state.radars.get_mut(&radar_id)
    }

    /// Whether due work was left for another transaction.
    fn has_more(&self) -> bool {
        self.state.more_renewals_from.is_some() || self.has_more_releases
    }
}

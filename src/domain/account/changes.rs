//! The closed list of what a transaction can write about an account.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{FindingForApproval, HeldFinding, Provenance, UsedKeys};
use crate::closed;
use crate::content::event::FindingEvent;
use crate::delivery::trace::Trace;
use crate::delivery::webhook_format::FormattedPayload;
use crate::ids::{EndpointId, FeedId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::money::balance_alert::BalanceAlert;
use crate::money::ledger::LedgerTx;
use crate::money::lots::Lot;
use crate::money::month::Month;
use crate::radar::Radar;
use crate::radar::daily_bound::BoundAlert;
use crate::radar::update::UpdateType;
use crate::radar_type::RadarType;

/// What becomes of a finding that a radar has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFinding {
    /// Its fate.
    pub outcome: SeenOutcome,
    /// The identifier that its update has or would have.
    pub update_id: UpdateId,
    /// The event that it tells of, where it is seen for the first time.
    pub event: Option<FindingEvent>,
    /// Where it comes from, where it is seen for the first time.
    pub provenance: Option<Provenance>,
}

/// All that an account wants written.
#[derive(Debug, Default)]
pub struct Changes {
    /// New ledger transactions, in order.
    pub ledger_txs: Vec<LedgerTx>,
    /// Lots that are new or have changed.
    pub lots: Vec<Lot>,
    /// Radars that are new or have changed.
    pub radars: Vec<Radar>,
    /// New updates, in order.
    pub updates: Vec<NewUpdate>,
    /// New outbox rows, one for each update of a radar with a webhook address.
    pub deliveries: Vec<NewDelivery>,
    /// Alerts, each with its outbox row among the deliveries.
    pub alerts: Vec<Alert>,
    /// Endpoints that are new or whose sequence has moved, by address.
    pub endpoints: BTreeMap<String, EndpointState>,
    /// Findings that were seen, or whose fate has changed.
    pub seen: BTreeMap<(RadarId, Uuid), SeenFinding>,
    /// Findings that begin to wait for approval, and those that were approved or rejected.
    pub approvals: BTreeMap<UpdateId, FindingForApproval>,
    /// Findings that begin to be held, and those that are held for another reason from now on.
    pub held: Vec<HeldFinding>,
    /// Holds that end, by number.
    pub released_holds: Vec<i64>,
    /// How many findings were held beyond the bound of a day.
    pub held_beyond_bound: u64,
    /// Radars whose bound was exceeded for the first time in a day, and when that day ends.
    pub exceeded: Vec<(RadarId, DateTime<Utc>)>,
    /// Whether a radar that held as many findings as a day allows reads on.
    pub reads_on: bool,
    /// Types that become paused.
    pub paused: BTreeMap<RadarType, Pause>,
    /// Types whose pause ends.
    pub resumed: Vec<RadarType>,
    /// Radars whose sources are to be looked for.
    pub new_set_ups: Vec<RadarId>,
    /// Radars for which that has ended.
    pub settled_set_ups: Vec<RadarId>,
    /// New cursors of radars in feeds.
    pub new_cursors: BTreeMap<(RadarId, FeedId), Cursor>,
    /// Cursors that have moved.
    pub moved_cursors: BTreeMap<(RadarId, FeedId), Cursor>,
    /// Usage to be added to months, written `YYYY-MM`.
    pub usage: BTreeMap<String, UsageDelta>,
    /// Whether the account was stopped, or goes on.
    pub status_changed: bool,
    /// Answers to be kept.
    pub used_keys: UsedKeys,
    /// When the renewals were due that were decided, charged or not.
    pub renewals: Vec<DateTime<Utc>>,
    /// The soonest expiry of money that is left.
    pub next_expiry_at: Option<DateTime<Utc>>,
}

/// What the owner of an account is told besides updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alert {
    /// The balance fell below a threshold.
    Balance(BalanceAlert),
    /// A radar found more than the bound of its day.
    Bound(BoundAlert),
}

/// An update to be stored.
#[derive(Clone, Debug)]
pub struct NewUpdate {
    /// Its number within the account.
    pub update_seq: i64,
    /// What consumers deduplicate on.
    pub update_id: UpdateId,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type.
    pub radar_type: RadarType,
    /// The radar's domain.
    pub domain: Option<String>,
    /// Finding or failure.
    pub update_type: UpdateType,
    /// The moment of publication.
    pub discovered_at: DateTime<Utc>,
    /// The moment of detection.
    pub detected_at: DateTime<Utc>,
    /// The ledger transaction that paid for it.
    pub tx_seq: Option<i64>,
    /// The frozen payload.
    pub body: String,
}

/// An outbox row.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The update.
    pub update_id: UpdateId,
    /// The update's number within the account.
    pub update_seq: i64,
    /// When the update was published.
    pub published_at: DateTime<Utc>,
    /// Where it goes.
    pub endpoint_id: EndpointId,
    /// Its number at the endpoint.
    pub sequence: i64,
    /// What is pushed instead of the update's payload.
    pub formatted: Option<FormattedPayload>,
    /// The trace of the request that pushed the finding.
    pub trace: Option<Trace>,
}

/// An endpoint, as far as the account's lock guards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointState {
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The number of the last delivery that was addressed to it.
    pub head_sequence: i64,
    /// When the first one was.
    pub created_at: DateTime<Utc>,
}

/// The pause of a radar type in an account (decision 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Since when.
    pub since: DateTime<Utc>,
    /// What the charge would have cost that failed.
    pub rate: MicroUsd,
}

closed! {
    /// How a finding was decided.
    SeenOutcome {
        /// It is an update.
        Stored = "stored",
        /// It waits for an operator; left when the operator decides.
        Pending = "pending",
        /// An operator turned it down.
        Rejected = "rejected",
        /// It waits for money or for the next day of its radar; left when it is released or has waited too long.
        Held = "held",
        /// It was given up: its radar ended, or it waited too long.
        Dropped = "dropped",
    }
}

/// A cursor that begins or has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The last item that is read.
    pub read_seq: i64,
    /// How many items the radar has kept out on the way.
    pub filtered: i64,
    /// How many of these were older than the radar.
    pub older: i64,
}

/// What is added to a month's usage (decision 3.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageDelta {
    /// Radars created and not failed.
    pub radars_activated: i64,
    /// Radars ended by the user or for lack of funds.
    pub radars_deactivated: i64,
    /// Radars that became failed.
    pub radars_failed: i64,
    /// Findings published.
    pub updates_found: i64,
    /// Charges less refunds of the month's charges, in micro-USD.
    pub used_micros: i64,
}

impl Changes {
    /// The usage of the month in which `at` lies.
    pub(super) fn usage_of(&mut self, at: DateTime<Utc>) -> &mut UsageDelta {
        self.usage.entry(Month::of(at).to_string()).or_default()
    }
}

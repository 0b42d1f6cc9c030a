//! The rows that an audit takes, as they are stored: amounts in micro-USD, instants in microseconds since 1970 (UTC).

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::ids::AccountId;
use crate::money::chain::{ChainHash, StoredTx};

/// What the account's own rows claim.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The account.
    pub account_id: AccountId,
    /// The balance.
    pub balance_micros: i64,
    /// The number of the last ledger transaction.
    pub tx_seq: i64,
    /// The hash of the last ledger transaction.
    pub head_hash: ChainHash,
    /// The number of the last update.
    pub update_seq: i64,
    /// The number of the last hold.
    pub hold_seq: i64,
    /// The number of the last lot.
    pub lot_no: i64,
    /// How many radars are active.
    pub active_radars: i64,
    /// How many radars have ended and are still kept.
    pub ended_radars: i64,
    /// How many radars retention has removed.
    pub purged_radars: i64,
    /// The last instant that was given to a ledger transaction or an update.
    pub last_at: i64,
    /// When the next money expires.
    pub next_expiry_at: Option<i64>,
    /// The lots, by number.
    pub lots: BTreeMap<i64, ClaimedLot>,
    /// The number and the instant of the oldest update that is still stored: retention removes from that end only.
    pub first_update: Option<(i64, i64)>,
}

impl Claims {
    /// Whether an update of `at` must be stored: retention removes the oldest first, so what is younger than the oldest that
    /// is left was not removed.
    pub(super) fn has_update_of(&self, at: i64) -> bool {
        match self.first_update {
            Some((update_seq, discovered_at)) => update_seq == 1 || at >= discovered_at,
            None => self.update_seq == 0,
        }
    }
}

/// A lot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedLot {
    /// `paid` or `refund`.
    pub kind: String,
    /// What it began with.
    pub granted_micros: i64,
    /// What is left of it.
    pub remaining_micros: i64,
    /// From when on it is worth nothing.
    pub expires_at: Option<i64>,
    /// For a refund: the lot that it stands in for.
    pub parent_lot_no: Option<i64>,
    /// For a refund: when the top-up expired that its money first came from.
    pub origin_expires_at: Option<i64>,
    /// When it was opened.
    pub created_at: i64,
}

/// A state of the ledger that was found sound: its last ledger transaction and its last update.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    /// The account.
    pub account_id: AccountId,
    /// The number of the ledger transaction; 0 is before the first.
    pub tx_seq: i64,
    /// The balance after it.
    pub balance_micros: i64,
    /// Its hash.
    pub hash: ChainHash,
    /// When it was written.
    pub at: i64,
    /// The number of the update; 0 is before the first.
    pub update_seq: i64,
}

impl Checkpoint {
    /// Before the first ledger transaction of an account.
    pub fn beginning(account_id: AccountId) -> Self {
        let hash = ChainHash::beginning(account_id);
        Self { account_id, tx_seq: 0, balance_micros: 0, hash, at: i64::MIN, update_seq: 0 }
    }
}

/// A ledger transaction, with what other rows say of it.
#[derive(Clone, Debug)]
pub struct Written {
    /// The ledger transaction.
    pub tx: StoredTx,
    /// Its hash; anything but 32 bytes is none.
    pub hash: Option<ChainHash>,
    /// For a refund: what the charge did to the balance that its key names, which is of the same radar and came before.
    pub given_back_micros: Option<i64>,
    /// For a refund: when that charge was written; its month is that whose usage the refund lessens.
    pub given_back_at: Option<i64>,
    /// For the charge of a finding: the number of the stored update that its `update_id` names.
    pub paid_seq: Option<i64>,
    /// The ledger transaction that this update names.
    pub paid_tx_seq: Option<i64>,
}

/// An update, with what other rows say of it.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its number.
    pub update_seq: i64,
    /// Its identifier.
    pub update_id: Uuid,
    /// The radar that reported it.
    pub radar_id: Uuid,
    /// `radar_finding` or `radar_failure`.
    pub update_type: String,
    /// When it was published.
    pub discovered_at: i64,
    /// The ledger transaction that paid for it.
    pub tx_seq: Option<i64>,
    /// Whether that is the charge of a finding and names this update.
    pub is_paid: bool,
    /// How its radar is paid: `subscription` or `update_based`; `None` where the account has no such radar.
    pub model: Option<String>,
    /// Whether updates of its radar are pushed.
    pub has_webhook: bool,
    /// The number of the update in its delivery, if it has one.
    pub delivery_seq: Option<i64>,
}

/// A radar.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The radar.
    pub radar_id: Uuid,
    /// `subscription` or `update_based`.
    pub model: String,
    /// `active` or `inactive`.
    pub status: String,
    /// Why it is not plainly active.
    pub status_reason: Option<String>,
    /// `pending`, `ready` or `failed`.
    pub set_up: String,
    /// When it was created.
    pub created_at: i64,
    /// When it ended.
    pub deactivated_at: Option<i64>,
    /// The last period that was charged or missed.
    pub period_no: i64,
    /// When the next one begins.
    pub next_charge_at: Option<i64>,
    /// How many findings it holds beyond the bound of its day.
    pub held_beyond_bound: i64,
}

/// A finding that is held, with what other rows say of it.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its number.
    pub hold_seq: i64,
    /// Its radar.
    pub radar_id: Uuid,
    /// The type of its radar.
    pub radar_type: String,
    /// `money` or `daily_bound`.
    pub reason: String,
    /// Whether that type is paused.
    pub is_paused: bool,
    /// What was noted of it when it was seen.
    pub seen: Option<String>,
}

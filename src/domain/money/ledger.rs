//! The ledger: ledger transactions of an account, each under a key that makes it happen once (design, invariant 2).

use chrono::{DateTime, Utc};

use crate::closed;
use crate::ids::{AccountId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::money::chain::{ChainHash, StoredEntry, StoredTx};
use crate::radar_type::RadarType;

closed! {
    /// What a ledger transaction is.
    TxKind {
        /// Money came in.
        TopUp = "top_up",
        /// A period of a subscription was charged, or recorded as missed at 0.
        Subscription = "subscription",
        /// A finding was charged.
        Finding = "finding",
        /// A charge was given back.
        Refund = "refund",
        /// What was left of a lot expired.
        Expiry = "expiry",
    }
}

closed! {
    /// Where an entry of a ledger transaction stands. All but the customer's credit are only ever summed, never stored as balances.
    Bucket {
        /// The customer's prepaid money, in a lot.
        Credit = "credit",
        /// What customers paid in.
        Cash = "cash",
        /// Earned by subscriptions.
        RevenueSubscription = "revenue_subscription",
        /// Earned by findings.
        RevenueFinding = "revenue_finding",
        /// Kept because it expired.
        Breakage = "breakage",
    }
}

/// One entry of a ledger transaction. The entries of a ledger transaction sum to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Where it stands.
    pub bucket: Bucket,
    /// The lot, for the customer's credit and for nothing else.
    pub lot_no: Option<i64>,
    /// The signed amount.
    pub amount: MicroUsd,
}

/// One ledger transaction of an account. Never changed once written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerTx {
    /// Counts the account's ledger transactions, from 1, without gap.
    pub tx_seq: i64,
    /// What makes the ledger transaction happen once.
    pub op_key: String,
    /// What it is.
    pub kind: TxKind,
    /// What it did to the balance; negative for charges.
    pub amount: MicroUsd,
    /// The balance after it.
    pub balance_after: MicroUsd,
    /// When it was written; strictly increasing within the account.
    pub at: DateTime<Utc>,
    /// When it was due: earlier than `at` for what is processed late.
    pub due_at: DateTime<Utc>,
    /// The radar that it is about.
    pub radar: Option<(RadarId, RadarType)>,
    /// The update that it paid.
    pub update_id: Option<UpdateId>,
    /// Its entries.
    pub entries: Vec<LedgerEntry>,
    /// Vouches for it and for every ledger transaction before it.
    pub hash: ChainHash,
}

impl LedgerTx {
    /// Its hash as the one that follows `before`; the hash that it carries itself plays no part.
    #[must_use]
    pub fn chained_to(&self, before: ChainHash, account_id: AccountId) -> ChainHash {
        let entries = (1..).zip(&self.entries).map(|(entry_no, entry)| StoredEntry {
            entry_no,
            bucket: entry.bucket.as_str().to_owned(),
            lot_no: entry.lot_no,
            amount_micros: entry.amount.micros(),
        });
        let stored = StoredTx {
            tx_seq: self.tx_seq,
            op_key: self.op_key.clone(),
            kind: self.kind.as_str().to_owned(),
            amount_micros: self.amount.micros(),
            balance_after_micros: self.balance_after.micros(),
            at: self.at.timestamp_micros(),
            due_at: self.due_at.timestamp_micros(),
            radar_id: self.radar.map(|(radar_id, _)| radar_id.0),
            radar_type: self.radar.map(|(_, radar_type)| radar_type.as_str().to_owned()),
            update_id: self.update_id.map(|update_id| update_id.0),
            entries: entries.collect(),
        };
        before.next(account_id, &stored)
    }
}

/// The key of a top-up.
pub fn top_up_key(payment_ref: &str) -> String {
    format!("topup:{payment_ref}")
}

/// The key of a subscription's charge for `period_no`; 0 is the creation's.
pub fn subscription_key(radar_id: RadarId, period_no: i64) -> String {
    format!("sub:{radar_id}:{period_no}")
}

/// The key of a finding's charge.
pub fn finding_key(update_id: UpdateId) -> String {
    format!("find:{update_id}")
}

/// The key of the refund of the ledger transaction under `charge_key`.
pub fn refund_key(charge_key: &str) -> String {
    format!("refund:{charge_key}")
}

/// The key of the expiry of a lot.
pub fn expiry_key(lot_no: i64) -> String {
    format!("expire:{lot_no}")
}

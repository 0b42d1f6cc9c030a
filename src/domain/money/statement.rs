//! The statement of a month: what there was, what happened, what there is (Spec 2.5).

use crate::ids::RadarId;
use crate::money::MicroUsd;
use crate::money::ledger::TxKind;
use crate::radar_type::RadarType;

/// The ledger transactions of one kind, together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindSum {
    /// The kind.
    pub kind: TxKind,
    /// How many there were.
    pub ledger_txs: i64,
    /// What they did to the balance.
    pub amount: MicroUsd,
}

/// What radars of a type cost between two instants, refunds taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spend {
    /// Their type.
    pub radar_type: RadarType,
    /// Charges and refunds.
    pub ledger_txs: i64,
    /// What they came to.
    pub amount: MicroUsd,
}

/// For what an account paid between two instants, the most costly first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpendByRadar {
    /// Every type that cost something.
    pub by_type: Vec<Spend>,
    /// Single radars, as many as were asked for.
    pub by_radar: Vec<(RadarId, Spend)>,
    /// How many of the first ledger transactions are left out of these sums.
    pub not_summed: i64,
}

/// What happened to an account's money between two instants. The closing balance of a month is the opening balance of
/// the next one, and what lies between is the sum of all kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The number of the first ledger transaction at or after the beginning; of the next one to come when there is none.
    pub first_seq: i64,
    /// The number of the first ledger transaction at or after the end.
    pub end_seq: i64,
    /// The balance before the first ledger transaction.
    pub opening: MicroUsd,
    /// The balance after the last one.
    pub closing: MicroUsd,
    /// Every kind, in the order of the list.
    pub by_kind: Vec<KindSum>,
}

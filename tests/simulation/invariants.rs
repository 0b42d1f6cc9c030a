//! What must hold of an account's rows, whatever led to them: checked from the database alone after each commit.
//!
//! A new rule of the ledger gets its invariant here, one function and one line in [`INVARIANTS`]. The hashes themselves
//! are computed again by the code of `radar ledger verify`, after each life of the service (`audit.rs`).

mod money;
mod radars;
mod updates;

use super::chronicle::Chronicle;

/// Says what is wrong.
type Invariant = fn(&Chronicle) -> Result<(), String>;

/// Every invariant, by its number.
const INVARIANTS: &[(&str, Invariant)] = &[
    ("S1 the balance is what the lots hold and what the ledger sums to, and is never negative", money::balance),
    ("S2 a lot holds between nothing and what was granted, as its entries say", money::lots),
    ("S3 the entries of each ledger transaction sum to nothing", money::entries),
    ("S4 ledger transactions are numbered without gap, each with the balance after it", money::numbers),
    ("S5 ledger transactions are chained, and nothing is frozen", money::chain),
    ("S10 an effect happens once, and no refund is more than its charge", money::effects),
    ("S11 no charge takes from a lot that has expired; what expires is gone", money::expiry),
    ("S11 credit is not kept alive by refunds", money::refund_lots),
    ("S12 lots are spent by soonest expiry, then oldest", money::burn_order),
    ("S6 updates are numbered without gap", updates::numbers),
    ("S7 instants increase strictly and do not run ahead of the clock", updates::instants),
    ("S8 a finding of an update-based radar is paid by exactly one ledger transaction, and no other is", updates::paid),
    ("S13 each finding is in exactly one state; an update has a delivery if its radar has an address", updates::states),
    ("S14 what is held is paused", updates::pauses),
    ("S15 held findings are published first in, first out within their type", updates::order),
    ("S9 each period is charged once, on the 30-day grid of the creation", radars::periods),
    ("S16 nothing is charged for a radar that has ended", radars::ends),
    ("S17 who ends for lack of funds or fails says so once, and a failure is refunded", radars::failures),
    ("S18 usage adds up to what happened", radars::usage),
    ("S19 an alert tells of the ledger transaction that crossed its threshold, once", money::alerts),
];

/// The first invariant that does not hold, and why.
pub fn check(chronicle: &Chronicle) -> Result<(), String> {
    for (name, invariant) in INVARIANTS {
        invariant(chronicle).map_err(|error| format!("{name}: account {}: {error}", chronicle.account_id))?;
    }
    Ok(())
}

/// The condition, or the complaint.
fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(complaint()) }
}

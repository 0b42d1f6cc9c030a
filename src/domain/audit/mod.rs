//! Whether the rows of an account add up: the ledger, its lots, updates, radars, holds and months (design, invariants).
//!
//! Duty: to check the rows of one account in one state of the database, and to describe each discrepancy in a sentence.
//! Rows are taken in their order, one at a time; only sums are kept. Nothing is repaired.
//!
//! Rows are taken as they are stored, not as the domain's values, so that impossible rows are reported too.

mod ledger_txs;
mod lots;
mod months;
mod rows;
#[cfg(test)]
mod tests;
mod updates;
mod watched;

use std::collections::BTreeMap;
use std::fmt;

use uuid::Uuid;

pub use rows::{Checkpoint, ClaimedLot, Claims, Held, Published, Watched, Written};

use super::account::{HoldReason, UsageDelta};
use super::ids::RadarId;
use ledger_txs::LedgerTxs;
use lots::Lots;
use months::Months;
use updates::Updates;
use watched::Radars;

/// The most discrepancies that are reported of one account; more would add nothing.
const DISCREPANCIES_MAX: usize = 20;

/// Where something does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The ledger transaction with this `tx_seq`.
    LedgerTx(i64),
    /// The lot with this number.
    Lot(i64),
    /// The account row.
    Account,
    /// The update with this `update_seq`.
    Update(i64),
    /// A radar.
    Radar(RadarId),
    /// The held finding with this number.
    Held(i64),
    /// The usage of a month, written `YYYY-MM`.
    Month(String),
}

/// Something that does not add up. Amounts in its words are micro-USD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    /// Where.
    pub place: Location,
    /// What, as the end of a sentence that begins with the place.
    pub what: String,
}

/// Goes through the rows of one account: ledger transactions first, then updates, radars, held findings and months.
#[derive(Debug)]
pub struct Audit {
    claims: Claims,
    is_whole: bool,
    ledger_txs: LedgerTxs,
    lots: Lots,
    updates: Updates,
    radars: Radars,
    months: Months,
    /// How many findings each radar claims to hold beyond the bound of its day, less those that are there.
    beyond_bound: BTreeMap<Uuid, i64>,
    discrepancies: Discrepancies,
}

impl Audit {
    /// An audit of everything that is stored of an account.
    pub fn whole(claims: Claims) -> Self {
        let start = Checkpoint::beginning(claims.account_id);
        Self::begin(claims, true, start)
    }

    /// An audit of what came after a state that was found sound: of ledger transactions and updates, not of what needs all of
    /// them, which are each lot by itself, radars and months.
    pub fn after(claims: Claims, start: Checkpoint) -> Self {
        Self::begin(claims, false, start)
    }

    fn begin(claims: Claims, is_whole: bool, start: Checkpoint) -> Self {
        Self {
            is_whole,
            ledger_txs: LedgerTxs { last: start },
            lots: Lots::new(claims.lots.clone()),
            updates: Updates::new(start.update_seq, claims.first_update),
            radars: Radars::default(),
            months: Months::default(),
            beyond_bound: BTreeMap::new(),
            discrepancies: Discrepancies::default(),
            claims,
        }
    }

    /// Takes the next ledger transaction.
    pub fn ledger_tx(&mut self, written: &Written) {
        self.ledger_txs.take(written, &self.claims, &mut self.discrepancies);
        if self.is_whole {
            self.lots.take(&written.tx, &mut self.discrepancies);
            self.radars.charged(&written.tx, &mut self.discrepancies);
            self.months.moved(written);
        }
    }

    /// Takes an entry of a ledger transaction that does not exist.
    pub fn stray_entry(&mut self, tx_seq: i64) {
        self.discrepancies.at(Location::LedgerTx(tx_seq)).note("has an entry but does not exist");
    }

    /// Takes a ledger transaction whose key an earlier one has as well.
    pub fn repeated_key(&mut self, tx_seq: i64, op_key: &str) {
        let what = format_args!("happened before: the key {op_key} is there twice");
        self.discrepancies.at(Location::LedgerTx(tx_seq)).note(what);
    }

    /// Takes the next update.
    pub fn update(&mut self, published: &Published) {
        self.updates.take(published, &mut self.discrepancies);
        if self.is_whole {
            self.radars.published(published);
            self.months.published(published);
        }
    }

    /// Takes a delivery of an update that does not exist.
    pub fn stray_delivery(&mut self, update_seq: i64, update_id: Uuid) {
        let what = format_args!("has a delivery but does not exist ({update_id})");
        self.discrepancies.at(Location::Update(update_seq)).note(what);
    }

    /// Takes an update whose identifier an earlier one has as well.
    pub fn repeated_update(&mut self, update_seq: i64, update_id: Uuid) {
        let what = format_args!("was published before: {update_id} is there twice");
        self.discrepancies.at(Location::Update(update_seq)).note(what);
    }

    /// Takes the next radar.
    pub fn radar(&mut self, watched: &Watched) {
        let failed_at = self.radars.take(watched, &self.claims, &mut self.discrepancies);
        self.months.watched(watched, failed_at);
        *self.beyond_bound.entry(watched.radar_id).or_default() += watched.held_beyond_bound;
    }

    /// Takes the next held finding.
    pub fn held(&mut self, held: &Held) {
        let mut at = self.discrepancies.at(Location::Held(held.hold_seq));
        let is_paused = held.is_paused || held.reason != HoldReason::Money.as_str();
        if held.reason == HoldReason::DailyBound.as_str() {
            *self.beyond_bound.entry(held.radar_id).or_default() -= 1;
        }
        at.unless(is_paused, format_args!("waits for money, but {} is not paused", held.radar_type));
        at.unless(held.seen.as_deref() == Some("held"), "was not noted as seen and held");
        let last = self.claims.hold_seq;
        at.unless(held.hold_seq <= last, format_args!("is beyond the account's last, {last}"));
    }

    /// Everything that does not add up, the first bad entry first; empty for sound rows. `months` is what the account's
    /// usage rows claim.
    #[must_use]
    pub fn finish(self, months: &BTreeMap<String, UsageDelta>) -> Vec<Discrepancy> {
        let Self { claims, is_whole, mut discrepancies, .. } = self;
        self.ledger_txs.finish(&claims, &mut discrepancies);
        self.lots.finish(&claims, is_whole, &mut discrepancies);
        self.updates.finish(&claims, &mut discrepancies);
        if is_whole {
            self.radars.finish(&claims, &mut discrepancies);
            self.months.finish(months, &claims, &mut discrepancies);
            for (radar_id, more) in self.beyond_bound.into_iter().filter(|(_, more)| *more != 0) {
                let mut at = discrepancies.at(Location::Radar(RadarId(radar_id)));
                at.note(format_args!("counts {more} findings beyond the bound of its day more than are held"));
            }
        }
        discrepancies.in_order()
    }
}

/// What was found so far.
#[derive(Debug, Default)]
struct Discrepancies(Vec<Discrepancy>);

/// One place that is checked.
struct At<'a> {
    discrepancies: &'a mut Discrepancies,
    place: Location,
}

impl At<'_> {
    /// Notes `what` unless `holds`.
    fn unless(&mut self, holds: bool, what: impl fmt::Display) {
        if !holds {
            self.note(what);
        }
    }

    fn note(&mut self, what: impl fmt::Display) {
        let found = &mut self.discrepancies.0;
        let alike = found.iter().filter(|discrepancy| discrepancy.place.rank().0 == self.place.rank().0);
        if alike.count() < DISCREPANCIES_MAX {
            found.push(Discrepancy { place: self.place.clone(), what: what.to_string() });
        }
    }
}

impl Discrepancies {
    const fn at(&mut self, place: Location) -> At<'_> {
        At { discrepancies: self, place }
    }

    fn in_order(mut self) -> Vec<Discrepancy> {
        self.0.sort_by_key(|discrepancy| discrepancy.place.rank());
        self.0.truncate(DISCREPANCIES_MAX);
        self.0
    }
}

impl Discrepancy {
    /// The number of the ledger transaction, when it is one.
    pub const fn tx_seq(&self) -> Option<i64> {
        match self.place {
            Location::LedgerTx(tx_seq) => Some(tx_seq),
            _ => None,
        }
    }
}

impl Location {
    /// The ledger comes first and in its order: what is wrong there may be the cause of all else.
    const fn rank(&self) -> (u8, i64) {
        match self {
            Self::LedgerTx(tx_seq) => (0, *tx_seq),
            Self::Lot(lot_no) => (1, *lot_no),
            Self::Account => (2, 0),
            Self::Update(update_seq) => (3, *update_seq),
            Self::Held(hold_seq) => (4, *hold_seq),
            Self::Radar(_) => (5, 0),
            Self::Month(_) => (6, 0),
        }
    }
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.place, self.what)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LedgerTx(tx_seq) => write!(out, "ledger transaction {tx_seq}"),
            Self::Lot(lot_no) => write!(out, "lot {lot_no}"),
            Self::Account => out.write_str("the account"),
            Self::Update(update_seq) => write!(out, "update {update_seq}"),
            Self::Radar(radar_id) => write!(out, "radar {radar_id}"),
            Self::Held(hold_seq) => write!(out, "held finding {hold_seq}"),
            Self::Month(month) => write!(out, "month {month}"),
        }
    }
}

//! The lots of an account, and in which order they were spent (decisions 4.3, 4.4).

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{ClaimedLot, Claims, Written};
use super::{Discrepancies, Place};
use crate::domain::money::ledger::TxKind;
use crate::domain::money::lots::{LotKind, REFUND_LOT_LIFE};

/// What the ledger transactions make of each lot.
#[derive(Debug)]
pub(super) struct Lots {
    claimed: BTreeMap<i64, ClaimedLot>,
    /// What is left of each lot that a ledger transaction has opened.
    left: BTreeMap<i64, i128>,
    /// Those with money, in the order in which they are spent.
    open: BTreeSet<(i64, i64)>,
}

impl Lots {
    pub(super) fn new(claimed: BTreeMap<i64, ClaimedLot>) -> Self {
        Self { claimed, left: BTreeMap::new(), open: BTreeSet::new() }
    }

    pub(super) fn take(&mut self, written: &Written, discrepancies: &mut Discrepancies) {
        let kind = written.kind.parse().ok();
        for entry in &written.entries {
            if let Some(lot_no) = entry.lot_no {
                self.moves(written, kind, lot_no, i128::from(entry.amount_micros), discrepancies);
            }
        }
        if matches!(kind, Some(TxKind::Subscription | TxKind::Finding)) {
            self.order(written, discrepancies);
        }
    }

    /// Each lot holds what its ledger transactions left; for a part of the ledger only the sum can be checked.
    pub(super) fn finish(&self, claims: &Claims, is_whole: bool, discrepancies: &mut Discrepancies) {
        for (&lot_no, lot) in &self.claimed {
            let ClaimedLot { granted_micros, remaining_micros, .. } = *lot;
            if remaining_micros < 0 || remaining_micros > granted_micros {
                discrepancies.add(Place::Lot(lot_no), format!("holds {remaining_micros} of {granted_micros}"));
            }
            self.stands_in(lot_no, lot, discrepancies);
            let left = self.left.get(&lot_no).copied();
            if is_whole && left != Some(i128::from(remaining_micros)) {
                let left = left.map_or("no ledger transaction opened it".to_owned(), |left| {
                    format!("its ledger transactions leave {left}")
                });
                discrepancies.add(Place::Lot(lot_no), format!("holds {remaining_micros}, {left}"));
            }
        }
        let count = i64::try_from(self.claimed.len()).unwrap_or(i64::MAX);
        if count != claims.lot_no || self.claimed.last_key_value().is_some_and(|(&last, _)| last != claims.lot_no) {
            discrepancies.add(Place::Account, format!("counts {} lots, there are {count}", claims.lot_no));
        }
        let held: i128 = self.claimed.values().map(|lot| i128::from(lot.remaining_micros)).sum();
        if held != i128::from(claims.balance_micros) {
            discrepancies
                .add(Place::Account, format!("has a balance of {}, its lots hold {held}", claims.balance_micros));
        }
        let with_money = self.claimed.values().filter(|lot| lot.remaining_micros > 0);
        if with_money.filter_map(|lot| lot.expires_at).min() != claims.next_expiry_at {
            discrepancies.add(Place::Account, "expects its next expiry at another instant than its lots");
        }
    }

    /// A refund lot follows another one, and lives no longer than its life after the expiry that its money first had.
    fn stands_in(&self, lot_no: i64, lot: &ClaimedLot, discrepancies: &mut Discrepancies) {
        if lot.kind != LotKind::Refund.as_str() {
            return;
        }
        let parent = lot.parent_lot_no.filter(|parent_no| *parent_no < lot_no);
        let parent = parent.and_then(|parent_no| self.claimed.get(&parent_no));
        let Some(origin) = parent.and_then(|parent| parent.origin_expires_at.or(parent.expires_at)) else {
            discrepancies.add(Place::Lot(lot_no), "gives back what came from no lot that had expired");
            return;
        };
        // Refund lots that are older than this rule count from their own beginning.
        let counts_from = lot.origin_expires_at.filter(|&from| from == origin || from == lot.created_at);
        let life = REFUND_LOT_LIFE.num_microseconds().unwrap_or(i64::MAX);
        let latest = counts_from.unwrap_or(i64::MIN).saturating_add(life);
        if lot.expires_at.is_none_or(|expires_at| expires_at > latest) {
            discrepancies.add(Place::Lot(lot_no), "lives longer than the money that it gives back may");
        }
    }

    fn moves(
        &mut self,
        written: &Written,
        kind: Option<TxKind>,
        lot_no: i64,
        amount: i128,
        discrepancies: &mut Discrepancies,
    ) {
        let place = || Place::LedgerTx(written.tx_seq);
        let Some(lot) = self.claimed.get(&lot_no) else {
            discrepancies.add(place(), format!("moves lot {lot_no}, which does not exist"));
            return;
        };
        let granted = i128::from(lot.granted_micros);
        let left = match self.left.get(&lot_no) {
            Some(left) => left + amount,
            None => {
                let opens = match kind {
                    Some(TxKind::TopUp) => lot.kind == LotKind::Paid.as_str(),
                    Some(TxKind::Refund) => lot.kind == LotKind::Refund.as_str(),
                    _ => false,
                };
                if !opens || amount != granted {
                    discrepancies.add(place(), format!("begins lot {lot_no} of {granted} with {amount}"));
                }
                amount
            }
        };
        if left < 0 || left > granted {
            discrepancies.add(place(), format!("leaves {left} in lot {lot_no} of {granted}"));
        }
        let is_expired = lot.expires_at.is_some_and(|expires_at| expires_at <= written.due_at);
        match kind {
            Some(TxKind::Expiry) if left != 0 || lot.expires_at != Some(written.due_at) => {
                discrepancies.add(place(), format!("is not the expiry of all that lot {lot_no} held at its time"));
            }
            Some(TxKind::Subscription | TxKind::Finding | TxKind::Refund) if is_expired => {
                discrepancies.add(place(), format!("moves lot {lot_no}, which had expired"));
            }
            _ => {}
        }
        let key = order_of(lot_no, lot);
        if left > 0 {
            self.open.insert(key)
        } else {
            self.open.remove(&key)
        };
        self.left.insert(lot_no, left);
    }

    /// Whatever a charge takes last, all live lots before it are empty then.
    fn order(&self, written: &Written, discrepancies: &mut Discrepancies) {
        let touched = written.entries.iter().filter_map(|entry| entry.lot_no);
        let last = touched.filter_map(|lot_no| Some(order_of(lot_no, self.claimed.get(&lot_no)?))).max();
        let Some(last) = last else { return };
        let is_live = |&&(expires_at, _): &&(i64, i64)| expires_at > written.due_at;
        if let Some((_, earlier)) = self.open.range(..last).find(is_live) {
            let what = format!("takes from lot {} while lot {earlier}, which comes before it, has money", last.1);
            discrepancies.add(Place::LedgerTx(written.tx_seq), what);
        }
    }
}

/// Soonest expiry first, then oldest.
fn order_of(lot_no: i64, lot: &ClaimedLot) -> (i64, i64) {
    (lot.expires_at.unwrap_or(i64::MAX), lot_no)
}

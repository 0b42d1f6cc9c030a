//! The lots of an account, and in which order they were spent (decisions 4.3, 4.4).

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{ClaimedLot, Claims};
use super::{At, Discrepancies, Location};
use crate::money::chain::StoredTx;
use crate::money::ledger::TxKind;
use crate::money::lots::{LotKind, REFUND_LOT_LIFE};

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

    pub(super) fn take(&mut self, tx: &StoredTx, discrepancies: &mut Discrepancies) {
        let kind = tx.kind.parse().ok();
        let mut at = discrepancies.at(Location::LedgerTx(tx.tx_seq));
        for entry in &tx.entries {
            if let Some(lot_no) = entry.lot_no {
                self.moves(tx, kind, lot_no, i128::from(entry.amount_micros), &mut at);
            }
        }
        if matches!(kind, Some(TxKind::Subscription | TxKind::Finding)) {
            self.order(tx, &mut at);
        }
    }

    /// Each lot holds what its ledger transactions left; for a part of the ledger only the sum can be checked.
    pub(super) fn finish(&self, claims: &Claims, is_whole: bool, discrepancies: &mut Discrepancies) {
        for (&lot_no, lot) in &self.claimed {
            let ClaimedLot { granted_micros, remaining_micros, .. } = *lot;
            let mut at = discrepancies.at(Location::Lot(lot_no));
            let is_within = (0..=granted_micros).contains(&remaining_micros);
            at.unless(is_within, format_args!("holds {remaining_micros} of {granted_micros}"));
            self.stands_in(lot_no, lot, &mut at);
            match self.left.get(&lot_no) {
                _ if !is_whole => {}
                Some(&left) => at.unless(
                    left == i128::from(remaining_micros),
                    format_args!("holds {remaining_micros}, its ledger transactions leave {left}"),
                ),
                None => at.note(format_args!("holds {remaining_micros}, no ledger transaction opened it")),
            }
        }
        let mut at = discrepancies.at(Location::Account);
        let count = i64::try_from(self.claimed.len()).unwrap_or(i64::MAX);
        let last = self.claimed.last_key_value().map_or(claims.lot_no, |(&last, _)| last);
        let is_counted = count == claims.lot_no && last == claims.lot_no;
        at.unless(is_counted, format_args!("counts {} lots, there are {count}", claims.lot_no));
        let held: i128 = self.claimed.values().map(|lot| i128::from(lot.remaining_micros)).sum();
        let balance = claims.balance_micros;
        at.unless(held == i128::from(balance), format_args!("has a balance of {balance}, its lots hold {held}"));
        let with_money = self.claimed.values().filter(|lot| lot.remaining_micros > 0);
        let next_expiry_at = with_money.filter_map(|lot| lot.expires_at).min();
        let is_expected = next_expiry_at == claims.next_expiry_at;
        at.unless(is_expected, "expects its next expiry at another instant than its lots");
    }

    /// A refund lot follows another one, and lives no longer than its life after the expiry that its money first had.
    fn stands_in(&self, lot_no: i64, lot: &ClaimedLot, at: &mut At<'_>) {
        if lot.kind != LotKind::Refund.as_str() {
            return;
        }
        let parent = lot.parent_lot_no.filter(|parent_no| *parent_no < lot_no);
        let parent = parent.and_then(|parent_no| self.claimed.get(&parent_no));
        let Some(origin) = parent.and_then(|parent| parent.origin_expires_at.or(parent.expires_at)) else {
            return at.note("gives back what came from no lot that had expired");
        };
        // Refund lots that are older than this rule count from their own beginning.
        let counts_from = lot.origin_expires_at.filter(|&from| from == origin || from == lot.created_at);
        let life = REFUND_LOT_LIFE.num_microseconds().unwrap_or(i64::MAX);
        let latest = counts_from.unwrap_or(i64::MIN).saturating_add(life);
        let is_within = lot.expires_at.is_some_and(|expires_at| expires_at <= latest);
        at.unless(is_within, "lives longer than the money that it gives back may");
    }

    fn moves(&mut self, tx: &StoredTx, kind: Option<TxKind>, lot_no: i64, amount: i128, at: &mut At<'_>) {
        let Some(lot) = self.claimed.get(&lot_no) else {
            return at.note(format_args!("moves lot {lot_no}, which does not exist"));
        };
        let granted = i128::from(lot.granted_micros);
        let before = self.left.get(&lot_no);
        let left = before.unwrap_or(&0) + amount;
        if before.is_none() {
            let opens = match kind {
                Some(TxKind::TopUp) => lot.kind == LotKind::Paid.as_str(),
                Some(TxKind::Refund) => lot.kind == LotKind::Refund.as_str(),
                _ => false,
            };
            at.unless(opens && amount == granted, format_args!("begins lot {lot_no} of {granted} with {amount}"));
        }
        at.unless((0..=granted).contains(&left), format_args!("leaves {left} in lot {lot_no} of {granted}"));
        let is_expired = lot.expires_at.is_some_and(|expires_at| expires_at <= tx.due_at);
        match kind {
            Some(TxKind::Expiry) => at.unless(
                left == 0 && lot.expires_at == Some(tx.due_at),
                format_args!("is not the expiry of all that lot {lot_no} held at its time"),
            ),
            Some(TxKind::Subscription | TxKind::Finding | TxKind::Refund) => {
                at.unless(!is_expired, format_args!("moves lot {lot_no}, which had expired"));
            }
            Some(TxKind::TopUp) | None => {}
        }
        let key = order_of(lot_no, lot);
        if left > 0 {
            self.open.insert(key)
        } else {
            self.open.remove(&key)
        };
        self.left.insert(lot_no, left);
    }

    /// When a charge takes from a lot, all live lots before it are empty.
    fn order(&self, tx: &StoredTx, at: &mut At<'_>) {
        let touched = tx.entries.iter().filter_map(|entry| entry.lot_no);
        let last = touched.filter_map(|lot_no| Some(order_of(lot_no, self.claimed.get(&lot_no)?))).max();
        let Some(last) = last else { return };
        let is_live = |&&(expires_at, _): &&(i64, i64)| expires_at > tx.due_at;
        if let Some((_, earlier)) = self.open.range(..last).find(is_live) {
            let last = last.1;
            at.note(format_args!("takes from lot {last} while lot {earlier}, which comes before it, has money"));
        }
    }
}

/// Soonest expiry first, then oldest.
fn order_of(lot_no: i64, lot: &ClaimedLot) -> (i64, i64) {
    (lot.expires_at.unwrap_or(i64::MAX), lot_no)
}

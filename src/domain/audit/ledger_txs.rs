//! The ledger transactions of an account by themselves: their order, their sums, their keys and their chain.

use super::rows::{Checkpoint, Claims, Written};
use super::{At, Discrepancies, Location};
use crate::ids::UpdateId;
use crate::money::chain::{StoredEntry, StoredTx};
use crate::money::ledger::{Bucket, TxKind, expiry_key, finding_key, refund_key, top_up_key};

/// Goes through the ledger transactions. After a discrepancy it continues from the row's own values, so that each is reported once.
#[derive(Debug)]
pub(super) struct LedgerTxs {
    /// The state after the last one.
    pub(super) last: Checkpoint,
}

impl LedgerTxs {
    pub(super) fn take(&mut self, written: &Written, claims: &Claims, discrepancies: &mut Discrepancies) {
        let (tx, last) = (&written.tx, self.last);
        let mut at = discrepancies.at(Location::LedgerTx(tx.tx_seq));
        let expected = last.tx_seq + 1;
        at.unless(tx.tx_seq == expected, format_args!("stands where ledger transaction {expected} should be"));
        let balance = i128::from(last.balance_micros) + i128::from(tx.amount_micros);
        let noted = tx.balance_after_micros;
        at.unless(balance == i128::from(noted), format_args!("notes a balance of {noted}, not {balance}"));
        at.unless(balance >= 0, format_args!("leaves a negative balance of {balance}"));
        sums(tx, &mut at);
        at.unless(tx.at > last.at, "is not later than the ledger transaction before it");
        at.unless(tx.due_at <= tx.at, "was written before it was due");
        match tx.kind.parse::<TxKind>() {
            Ok(kind) => meaning(kind, written, claims, &mut at),
            Err(_) => at.note(format_args!("is of the unknown kind {}", tx.kind)),
        }
        let is_chained = written.hash == Some(last.hash.next(last.account_id, tx));
        at.unless(is_chained, "breaks the hash chain: it or something before it was changed");
        let hash = written.hash.unwrap_or(last.hash);
        self.last = Checkpoint { tx_seq: tx.tx_seq, balance_micros: noted, hash, at: tx.at, ..last };
    }

    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let Checkpoint { tx_seq: last, balance_micros: sum, hash, at: last_at, .. } = self.last;
        let counted = claims.tx_seq;
        let what = format_args!("does not exist, though the account counts {counted} ledger transactions");
        discrepancies.at(Location::LedgerTx(last + 1)).unless(last >= counted, what);
        let what = format_args!("is beyond the {counted} ledger transactions that the account counts");
        discrepancies.at(Location::LedgerTx(counted + 1)).unless(last <= counted, what);
        let mut at = discrepancies.at(Location::Account);
        let balance = claims.balance_micros;
        let what = format_args!("has a balance of {balance}, its ledger transactions come to {sum}");
        at.unless(sum == balance, what);
        at.unless(hash == claims.head_hash, "has another head hash than its last ledger transaction");
        at.unless(last_at <= claims.last_at, "has a last instant that is earlier than its last ledger transaction");
    }
}

fn sums(tx: &StoredTx, at: &mut At<'_>) {
    let sum: i128 = tx.entries.iter().map(|entry| i128::from(entry.amount_micros)).sum();
    at.unless(sum == 0, format_args!("has entries that sum to {sum}"));
    let credit = tx.entries.iter().filter(|entry| entry.lot_no.is_some());
    let moved: i128 = credit.map(|entry| i128::from(entry.amount_micros)).sum();
    let amount = tx.amount_micros;
    at.unless(moved == i128::from(amount), format_args!("is of {amount}, its lots moved by {moved}"));
}

/// Whether amount, key, buckets and references are those of its kind.
fn meaning(kind: TxKind, written: &Written, claims: &Claims, at: &mut At<'_>) {
    let tx = &written.tx;
    let gives = matches!(kind, TxKind::TopUp | TxKind::Refund);
    let is_of_sign = if gives { tx.amount_micros >= 0 } else { tx.amount_micros <= 0 };
    at.unless(is_of_sign, format_args!("is a {} of {}", tx.kind, tx.amount_micros));
    let contra: &[Bucket] = match kind {
        TxKind::TopUp => &[Bucket::Cash],
        TxKind::Subscription => &[Bucket::RevenueSubscription],
        // What a refund cannot give back any more stays expired.
        TxKind::Refund => &[Bucket::RevenueSubscription, Bucket::Breakage],
        TxKind::Finding => &[Bucket::RevenueFinding],
        TxKind::Expiry => &[Bucket::Breakage],
    };
    let is_expected = |entry: &StoredEntry| match entry.lot_no {
        Some(_) => entry.bucket == Bucket::Credit.as_str(),
        None => contra.iter().any(|bucket| entry.bucket == bucket.as_str()),
    };
    if let Some(entry) = tx.entries.iter().find(|entry| !is_expected(entry)) {
        at.note(format_args!("has an entry in {}, where a {} has none", entry.bucket, tx.kind));
    }
    at.unless(has_key_of(kind, tx), format_args!("has the key {}, which is not of what it says", tx.op_key));
    match kind {
        TxKind::Refund => refund(written, at),
        TxKind::Finding => finding(written, claims, at),
        TxKind::TopUp | TxKind::Subscription | TxKind::Expiry => {}
    }
}

fn has_key_of(kind: TxKind, tx: &StoredTx) -> bool {
    let key = tx.op_key.as_str();
    match kind {
        TxKind::TopUp => key.starts_with(&top_up_key("")) && tx.radar_id.is_none(),
        TxKind::Subscription => {
            let is_of_radar = |radar_id| key.starts_with(&format!("sub:{radar_id}:"));
            tx.radar_id.is_some_and(is_of_radar) && tx.update_id.is_none()
        }
        TxKind::Finding => {
            let is_key = |update_id| key == finding_key(UpdateId(update_id));
            tx.radar_id.is_some() && tx.update_id.is_some_and(is_key)
        }
        TxKind::Refund => key.starts_with(&refund_key("")) && tx.radar_id.is_some(),
        TxKind::Expiry => {
            tx.entries.iter().find_map(|entry| entry.lot_no).is_some_and(|lot_no| key == expiry_key(lot_no))
        }
    }
}

fn refund(written: &Written, at: &mut At<'_>) {
    let amount = written.tx.amount_micros;
    match written.given_back_micros.map(|micros| -i128::from(micros)) {
        Some(charged) if i128::from(amount) > charged => {
            at.note(format_args!("gives back {amount} of a charge of {charged}"));
        }
        Some(_) => {}
        None => at.note("gives back a charge that was never made"),
    }
}

/// The update is stored with its charge.
fn finding(written: &Written, claims: &Claims, at: &mut At<'_>) {
    match written.paid_seq {
        Some(update_seq) => {
            let is_named = written.paid_tx_seq == Some(written.tx.tx_seq);
            at.unless(is_named, format_args!("paid update {update_seq}, which does not name it"));
        }
        None => at.unless(!claims.has_update_of(written.tx.at), "paid an update that does not exist"),
    }
}

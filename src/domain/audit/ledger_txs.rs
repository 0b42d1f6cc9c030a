//! The ledger transactions of an account by themselves: their order, their sums, their keys and their chain.

use super::rows::{Checkpoint, Claims, Written, WrittenEntry};
use super::{Discrepancies, Place};
use crate::domain::ids::{AccountId, UpdateId};
use crate::domain::money::chain::ChainHash;
use crate::domain::money::ledger::{Bucket, TxKind, expiry_key, finding_key, refund_key, top_up_key};

/// Goes through the ledger transactions. After a discrepancy it continues from the row's own values, so that each is reported once.
#[derive(Debug)]
pub(super) struct LedgerTxs {
    account_id: AccountId,
    last_seq: i64,
    balance: i128,
    hash: ChainHash,
    at: i64,
}

impl LedgerTxs {
    pub(super) fn new(start: Checkpoint) -> Self {
        let Checkpoint { account_id, tx_seq, balance_micros, hash, at, .. } = start;
        Self { account_id, last_seq: tx_seq, balance: i128::from(balance_micros), hash, at }
    }

    pub(super) fn take(&mut self, written: &Written, claims: &Claims, discrepancies: &mut Discrepancies) {
        let place = || Place::LedgerTx(written.tx_seq);
        let expected = self.last_seq + 1;
        if written.tx_seq != expected {
            discrepancies.add(place(), format!("stands where ledger transaction {expected} should be"));
        }
        let balance = self.balance + i128::from(written.amount_micros);
        if balance != i128::from(written.balance_after_micros) {
            discrepancies.add(place(), format!("notes a balance of {}, not {balance}", written.balance_after_micros));
        }
        if balance < 0 {
            discrepancies.add(place(), format!("leaves a negative balance of {balance}"));
        }
        sums(written, discrepancies);
        if written.at <= self.at {
            discrepancies.add(place(), "is not later than the ledger transaction before it");
        }
        if written.due_at > written.at {
            discrepancies.add(place(), "was written before it was due");
        }
        match written.kind.parse::<TxKind>() {
            Ok(kind) => meaning(kind, written, claims, discrepancies),
            Err(_) => discrepancies.add(place(), format!("is of the unknown kind {}", written.kind)),
        }
        if written.hash != Some(written.hash_after(&self.hash, self.account_id)) {
            discrepancies.add(place(), "breaks the hash chain: it or something before it was changed");
        }
        self.last_seq = written.tx_seq;
        self.balance = i128::from(written.balance_after_micros);
        self.hash = written.hash.unwrap_or(self.hash);
        self.at = written.at;
    }

    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let (last, counted) = (self.last_seq, claims.tx_seq);
        if last < counted {
            let what = format!("does not exist, though the account counts {counted} ledger transactions");
            discrepancies.add(Place::LedgerTx(last + 1), what);
        }
        if last > counted {
            let what = format!("is beyond the {counted} ledger transactions that the account counts");
            discrepancies.add(Place::LedgerTx(counted + 1), what);
        }
        if self.balance != i128::from(claims.balance_micros) {
            let what =
                format!("has a balance of {}, its ledger transactions come to {}", claims.balance_micros, self.balance);
            discrepancies.add(Place::Account, what);
        }
        if self.hash != claims.head_hash {
            discrepancies.add(Place::Account, "has another head hash than its last ledger transaction");
        }
        if self.at > claims.last_at {
            discrepancies.add(Place::Account, "has a last instant that is earlier than its last ledger transaction");
        }
    }
}

fn sums(written: &Written, discrepancies: &mut Discrepancies) {
    let place = || Place::LedgerTx(written.tx_seq);
    let sum: i128 = written.entries.iter().map(|entry| i128::from(entry.amount_micros)).sum();
    if sum != 0 {
        discrepancies.add(place(), format!("has entries that sum to {sum}"));
    }
    let credit = written.entries.iter().filter(|entry| entry.lot_no.is_some());
    let credit: i128 = credit.map(|entry| i128::from(entry.amount_micros)).sum();
    if credit != i128::from(written.amount_micros) {
        discrepancies.add(place(), format!("is of {}, its lots moved by {credit}", written.amount_micros));
    }
}

/// Whether amount, key, buckets and references are those of its kind.
fn meaning(kind: TxKind, written: &Written, claims: &Claims, discrepancies: &mut Discrepancies) {
    let place = || Place::LedgerTx(written.tx_seq);
    let gives = matches!(kind, TxKind::TopUp | TxKind::Refund);
    if (gives && written.amount_micros < 0) || (!gives && written.amount_micros > 0) {
        discrepancies.add(place(), format!("is a {} of {}", written.kind, written.amount_micros));
    }
    let contra = match kind {
        TxKind::TopUp => Bucket::Cash,
        TxKind::Subscription | TxKind::Refund => Bucket::RevenueSubscription,
        TxKind::Finding => Bucket::RevenueFinding,
        TxKind::Expiry => Bucket::Breakage,
    };
    // What a refund cannot give back any more stays expired.
    let lapsed = (kind == TxKind::Refund).then_some(Bucket::Breakage);
    let is_expected = |entry: &WrittenEntry| match entry.lot_no {
        Some(_) => entry.bucket == Bucket::Credit.as_str(),
        None => entry.bucket == contra.as_str() || lapsed.is_some_and(|lapsed| entry.bucket == lapsed.as_str()),
    };
    if let Some(entry) = written.entries.iter().find(|entry| !is_expected(entry)) {
        discrepancies.add(place(), format!("has an entry in {}, where a {} has none", entry.bucket, written.kind));
    }
    if !has_key_of(kind, written) {
        discrepancies.add(place(), format!("has the key {}, which is not of what it says", written.op_key));
    }
    match kind {
        TxKind::Refund => refund(written, discrepancies),
        TxKind::Finding => finding(written, claims, discrepancies),
        TxKind::TopUp | TxKind::Subscription | TxKind::Expiry => {}
    }
}

fn has_key_of(kind: TxKind, written: &Written) -> bool {
    let key = written.op_key.as_str();
    match kind {
        TxKind::TopUp => key.starts_with(&top_up_key("")) && written.radar_id.is_none(),
        TxKind::Subscription => {
            written.radar_id.is_some_and(|radar_id| key.starts_with(&format!("sub:{radar_id}:")))
                && written.update_id.is_none()
        }
        TxKind::Finding => {
            let is_key = |update_id| key == finding_key(UpdateId(update_id));
            written.radar_id.is_some() && written.update_id.is_some_and(is_key)
        }
        TxKind::Refund => key.starts_with(&refund_key("")) && written.radar_id.is_some(),
        TxKind::Expiry => {
            written.entries.iter().find_map(|entry| entry.lot_no).is_some_and(|lot_no| key == expiry_key(lot_no))
        }
    }
}

fn refund(written: &Written, discrepancies: &mut Discrepancies) {
    let place = Place::LedgerTx(written.tx_seq);
    match written.given_back {
        Some(charge) if charge.tx_seq < written.tx_seq && charge.radar_id == written.radar_id => {
            if i128::from(written.amount_micros) > -i128::from(charge.amount_micros) {
                let what = format!("gives back {} of a charge of {}", written.amount_micros, -charge.amount_micros);
                discrepancies.add(place, what);
            }
        }
        _ => discrepancies.add(place, "gives back a charge that was never made"),
    }
}

/// The update is stored with its charge and removed by retention alone, oldest first: what is younger than the oldest
/// that is stored must be there.
fn finding(written: &Written, claims: &Claims, discrepancies: &mut Discrepancies) {
    let place = Place::LedgerTx(written.tx_seq);
    match written.paid {
        Some(update) if update.tx_seq == Some(written.tx_seq) => {}
        Some(update) => discrepancies.add(place, format!("paid update {}, which does not name it", update.update_seq)),
        None => {
            let must_exist = match claims.first_update {
                Some((update_seq, discovered_at)) => update_seq == 1 || written.at >= discovered_at,
                None => claims.update_seq == 0,
            };
            if must_exist {
                discrepancies.add(place, "paid an update that does not exist");
            }
        }
    }
}

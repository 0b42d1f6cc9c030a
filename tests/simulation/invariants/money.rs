//! Balance, lots, entries, numbers, expiry, burn order.

use std::collections::{BTreeMap, BTreeSet};

use entity::{ledger_tx, lot};

use super::ensure;
use crate::chronicle::Chronicle;
use crate::state::DAY;

pub fn balance(chronicle: &Chronicle) -> Result<(), String> {
    let Some(account) = &chronicle.accounts.account else { return Err("the account is gone".to_owned()) };
    let held: i64 = chronicle.accounts.lots.iter().map(|lot| lot.remaining_micros).sum();
    let credit: i64 =
        chronicle.accounts.entries.iter().filter(|entry| entry.lot_no.is_some()).map(|entry| entry.amount_micros).sum();
    ensure(held == account.balance_micros && credit == account.balance_micros, || {
        format!("the balance is {}, the lots hold {held}, the entries sum to {credit}", account.balance_micros)
    })?;
    let negative = chronicle.accounts.ledger_txs.iter().find(|tx| tx.balance_after_micros < 0);
    negative.map_or(Ok(()), |tx| Err(format!("ledger transaction {} leaves less than nothing", tx.tx_seq)))
}

pub fn lots(chronicle: &Chronicle) -> Result<(), String> {
    let mut sums: BTreeMap<i64, i64> = BTreeMap::new();
    for entry in &chronicle.accounts.entries {
        if let Some(lot_no) = entry.lot_no {
            *sums.entry(lot_no).or_default() += entry.amount_micros;
        }
    }
    for (no, lot) in (1..).zip(&chronicle.accounts.lots) {
        let sum = sums.remove(&lot.lot_no).unwrap_or_default();
        ensure(lot.lot_no == no, || format!("lot {} stands where lot {no} should", lot.lot_no))?;
        ensure((0..=lot.granted_micros).contains(&lot.remaining_micros) && lot.remaining_micros == sum, || {
            format!("lot {no} of {} holds {}, its entries sum to {sum}", lot.granted_micros, lot.remaining_micros)
        })?;
    }
    ensure(sums.is_empty(), || format!("entries name lots that do not exist: {sums:?}"))
}

pub fn entries(chronicle: &Chronicle) -> Result<(), String> {
    for tx in &chronicle.accounts.ledger_txs {
        let entries = chronicle.entries(tx.tx_seq);
        let sum: i64 = entries.iter().map(|entry| entry.amount_micros).sum();
        let credit: i64 = entries.iter().filter(|entry| entry.lot_no.is_some()).map(|entry| entry.amount_micros).sum();
        ensure(sum == 0 && credit == tx.amount_micros, || {
            format!("ledger transaction {} of {}: entries sum to {sum}, of lots {credit}", tx.tx_seq, tx.amount_micros)
        })?;
    }
    Ok(())
}

pub fn numbers(chronicle: &Chronicle) -> Result<(), String> {
    let mut balance = 0;
    for (no, tx) in (1..).zip(&chronicle.accounts.ledger_txs) {
        balance += tx.amount_micros;
        ensure(tx.tx_seq == no, || format!("ledger transaction {} stands where {no} should", tx.tx_seq))?;
        ensure(tx.balance_after_micros == balance, || {
            format!("ledger transaction {no} notes a balance of {}, not {balance}", tx.balance_after_micros)
        })?;
    }
    let count = chronicle.accounts.ledger_txs.len() as i64;
    let counted = chronicle.accounts.account.as_ref().map_or(0, |account| account.tx_seq);
    ensure(count == counted, || format!("{count} ledger transactions, {counted} on the account"))
}

pub fn effects(chronicle: &Chronicle) -> Result<(), String> {
    let mut keys = BTreeSet::new();
    for tx in &chronicle.accounts.ledger_txs {
        ensure(keys.insert(&tx.op_key), || format!("{} happened twice", tx.op_key))?;
        let Some(charge_key) = tx.op_key.strip_prefix("refund:") else { continue };
        let charge = chronicle.ledger_tx(charge_key).ok_or_else(|| format!("{} refunds nothing", tx.op_key))?;
        ensure(tx.amount_micros <= -charge.amount_micros, || format!("{} is too much", tx.op_key))?;
        let taken: BTreeMap<_, _> = parts(chronicle, charge).collect();
        for (lot_no, given) in parts(chronicle, tx) {
            let parent = lot(chronicle, lot_no).and_then(|lot| lot.parent_lot_no);
            let own = taken.get(&lot_no).or_else(|| taken.get(&parent?));
            ensure(own.is_some_and(|taken| given <= -taken), || {
                format!("{} gives {given} to lot {lot_no}, which is not where it came from", tx.op_key)
            })?;
        }
    }
    Ok(())
}

/// Credit lives no longer than a refund's life after the payment expired that it first came from, however often it was
/// spent and given back.
pub fn refund_lots(chronicle: &Chronicle) -> Result<(), String> {
    for refund in chronicle.accounts.lots.iter().filter(|lot| lot.kind == "refund") {
        let mut origin = refund;
        while let Some(parent) = origin.parent_lot_no.and_then(|lot_no| lot(chronicle, lot_no)) {
            origin = parent;
        }
        let is_bounded = origin.expires_at.zip(refund.expires_at).is_some_and(|(from, to)| to <= from + 7 * DAY);
        ensure(origin.kind == "paid" && is_bounded, || format!("lot {} outlives {origin:?}", refund.lot_no))?;
    }
    Ok(())
}

pub fn expiry(chronicle: &Chronicle) -> Result<(), String> {
    for tx in chronicle.accounts.ledger_txs.iter().filter(|tx| is_charge(tx)) {
        for (lot_no, _) in parts(chronicle, tx) {
            let expires_at = lot(chronicle, lot_no).and_then(|lot| lot.expires_at);
            ensure(expires_at.is_none_or(|at| at > tx.due_at), || {
                format!("{} takes from lot {lot_no}, which had expired", tx.op_key)
            })?;
        }
    }
    for lot in &chronicle.accounts.lots {
        let has_expired = lot.expires_at.is_some_and(|at| at <= chronicle.now);
        // Renewals that were due earlier, and were left to another transaction, could have its money.
        let is_wanted = chronicle.left_from.is_some_and(|from| lot.expires_at > Some(from));
        ensure(!has_expired || is_wanted || lot.remaining_micros == 0, || {
            format!("lot {} outlived its expiry", lot.lot_no)
        })?;
        let Some(expiry) = chronicle.ledger_tx(&format!("expire:{}", lot.lot_no)) else { continue };
        ensure(lot.expires_at == Some(expiry.due_at), || format!("lot {} expired at another time", lot.lot_no))?;
        let is_breakage = chronicle.entries(expiry.tx_seq).iter().any(|entry| entry.bucket == "breakage");
        ensure(is_breakage && expiry.amount_micros < 0, || format!("lot {} expired of nothing", lot.lot_no))?;
    }
    Ok(())
}

pub fn burn_order(chronicle: &Chronicle) -> Result<(), String> {
    let mut left: BTreeMap<i64, i64> = BTreeMap::new();
    for tx in &chronicle.accounts.ledger_txs {
        for (lot_no, amount) in parts(chronicle, tx) {
            *left.entry(lot_no).or_default() += amount;
        }
        if !is_charge(tx) {
            continue;
        }
        let rank = |lot_no| {
            let expires_at = lot(chronicle, lot_no).and_then(|lot| lot.expires_at);
            (expires_at.unwrap_or(i64::MAX), lot_no)
        };
        let Some(last) = parts(chronicle, tx).map(|(lot_no, _)| rank(lot_no)).max() else { continue };
        // One that has expired is passed over, swept or not.
        let is_live = |lot_no: i64| rank(lot_no).0 > tx.due_at;
        let skipped = left.iter().find(|(lot_no, left)| **left > 0 && is_live(**lot_no) && rank(**lot_no) < last);
        if let Some((lot_no, left)) = skipped {
            return Err(format!("{} leaves {left} in lot {lot_no}, whose turn came first", tx.op_key));
        }
    }
    Ok(())
}

fn is_charge(tx: &ledger_tx::Model) -> bool {
    ["subscription", "finding"].contains(&tx.kind.as_str())
}

/// The lots that a ledger transaction names, and what it did to them.
fn parts(chronicle: &Chronicle, tx: &ledger_tx::Model) -> impl Iterator<Item = (i64, i64)> {
    chronicle.entries(tx.tx_seq).iter().filter_map(|entry| Some((entry.lot_no?, entry.amount_micros)))
}

fn lot(chronicle: &Chronicle, lot_no: i64) -> Option<&lot::Model> {
    chronicle.accounts.lots.get(usize::try_from(lot_no - 1).ok()?)
}

/// Each ledger transaction is chained to the one before it, and the account knows the last (S5).
pub fn chain(chronicle: &Chronicle) -> Result<(), String> {
    let Some(account) = &chronicle.accounts.account else { return Err("the account is gone".to_owned()) };
    let mut seen = BTreeSet::new();
    let repeated = chronicle.accounts.ledger_txs.iter().find(|tx| !seen.insert(&tx.hash));
    ensure(repeated.is_none(), || format!("a hash stands twice: {repeated:?}"))?;
    let last = chronicle.accounts.ledger_txs.last().map(|tx| &tx.hash);
    ensure(last.is_none_or(|last| *last == account.head_hash), || "the head is not the last hash".to_owned())?;
    ensure(account.frozen_reason.is_none(), || format!("it is frozen: {:?}", account.frozen_reason))
}

/// Each alert tells of the ledger transaction that crossed its threshold, once.
pub fn alerts(chronicle: &Chronicle) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for alert in &chronicle.accounts.alerts {
        let tx = usize::try_from(alert.tx_seq - 1).ok().and_then(|index| chronicle.accounts.ledger_txs.get(index));
        let tx = tx.ok_or_else(|| format!("ledger transaction {} is alerted of, and is none", alert.tx_seq))?;
        let (after, before) = (tx.balance_after_micros, tx.balance_after_micros - tx.amount_micros);
        let is_crossed = after < alert.threshold_micros && alert.threshold_micros <= before;
        let is_exact = alert.balance_micros == after && alert.crossed_at == tx.at;
        ensure(is_crossed && is_exact, || format!("{alert:?} is not what ledger transaction {} did", alert.tx_seq))?;
        ensure(seen.insert((alert.tx_seq, alert.threshold_micros)), || format!("alerted twice: {alert:?}"))?;
    }
    Ok(())
}

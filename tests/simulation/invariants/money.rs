//! Balance, lots, legs, numbers, expiry, burn order.

use std::collections::{BTreeMap, BTreeSet};

use entity::{ledger_tx, lot};

use super::ensure;
use crate::chronicle::Chronicle;
use crate::state::DAY;

pub fn balance(chronicle: &Chronicle) -> Result<(), String> {
    let Some(account) = &chronicle.accounts.account else { return Err("the account is gone".to_owned()) };
    let held: i64 = chronicle.accounts.lots.iter().map(|lot| lot.remaining_micros).sum();
    let credit: i64 =
        chronicle.accounts.entries.iter().filter(|leg| leg.lot_no.is_some()).map(|leg| leg.amount_micros).sum();
    ensure(held == account.balance_micros && credit == account.balance_micros, || {
        format!("the balance is {}, the lots hold {held}, the legs sum to {credit}", account.balance_micros)
    })?;
    let negative = chronicle.accounts.movements.iter().find(|movement| movement.balance_after_micros < 0);
    negative.map_or(Ok(()), |movement| Err(format!("movement {} leaves less than nothing", movement.tx_seq)))
}

pub fn lots(chronicle: &Chronicle) -> Result<(), String> {
    let mut sums: BTreeMap<i64, i64> = BTreeMap::new();
    for leg in &chronicle.accounts.entries {
        if let Some(lot_no) = leg.lot_no {
            *sums.entry(lot_no).or_default() += leg.amount_micros;
        }
    }
    for (no, lot) in (1..).zip(&chronicle.accounts.lots) {
        let sum = sums.remove(&lot.lot_no).unwrap_or_default();
        ensure(lot.lot_no == no, || format!("lot {} stands where lot {no} should", lot.lot_no))?;
        ensure((0..=lot.granted_micros).contains(&lot.remaining_micros) && lot.remaining_micros == sum, || {
            format!("lot {no} of {} holds {}, its legs sum to {sum}", lot.granted_micros, lot.remaining_micros)
        })?;
    }
    ensure(sums.is_empty(), || format!("legs name lots that do not exist: {sums:?}"))
}

pub fn legs(chronicle: &Chronicle) -> Result<(), String> {
    for movement in &chronicle.accounts.movements {
        let legs = chronicle.legs(movement.tx_seq);
        let sum: i64 = legs.iter().map(|leg| leg.amount_micros).sum();
        let credit: i64 = legs.iter().filter(|leg| leg.lot_no.is_some()).map(|leg| leg.amount_micros).sum();
        ensure(sum == 0 && credit == movement.amount_micros, || {
            format!("movement {} of {}: legs sum to {sum}, of lots {credit}", movement.tx_seq, movement.amount_micros)
        })?;
    }
    Ok(())
}

pub fn numbers(chronicle: &Chronicle) -> Result<(), String> {
    let mut balance = 0;
    for (no, movement) in (1..).zip(&chronicle.accounts.movements) {
        balance += movement.amount_micros;
        ensure(movement.tx_seq == no, || format!("movement {} stands where {no} should", movement.tx_seq))?;
        ensure(movement.balance_after_micros == balance, || {
            format!("movement {no} notes a balance of {}, not {balance}", movement.balance_after_micros)
        })?;
    }
    let count = chronicle.accounts.movements.len() as i64;
    let counted = chronicle.accounts.account.as_ref().map_or(0, |account| account.tx_seq);
    ensure(count == counted, || format!("{count} movements, {counted} on the account"))
}

pub fn effects(chronicle: &Chronicle) -> Result<(), String> {
    let mut keys = BTreeSet::new();
    for movement in &chronicle.accounts.movements {
        ensure(keys.insert(&movement.op_key), || format!("{} happened twice", movement.op_key))?;
        let Some(charge_key) = movement.op_key.strip_prefix("refund:") else { continue };
        let charge = chronicle.movement(charge_key).ok_or_else(|| format!("{} refunds nothing", movement.op_key))?;
        ensure(movement.amount_micros <= -charge.amount_micros, || format!("{} is too much", movement.op_key))?;
        let taken: BTreeMap<_, _> = parts(chronicle, charge).collect();
        for (lot_no, given) in parts(chronicle, movement) {
            let parent = lot(chronicle, lot_no).and_then(|lot| lot.parent_lot_no);
            let own = taken.get(&lot_no).or_else(|| taken.get(&parent?));
            ensure(own.is_some_and(|taken| given <= -taken), || {
                format!("{} gives {given} to lot {lot_no}, which is not where it came from", movement.op_key)
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
    for movement in chronicle.accounts.movements.iter().filter(|movement| is_charge(movement)) {
        for (lot_no, _) in parts(chronicle, movement) {
            let expires_at = lot(chronicle, lot_no).and_then(|lot| lot.expires_at);
            ensure(expires_at.is_none_or(|at| at > movement.due_at), || {
                format!("{} takes from lot {lot_no}, which had expired", movement.op_key)
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
        let Some(expiry) = chronicle.movement(&format!("expire:{}", lot.lot_no)) else { continue };
        ensure(lot.expires_at == Some(expiry.due_at), || format!("lot {} expired at another time", lot.lot_no))?;
        let is_breakage = chronicle.legs(expiry.tx_seq).iter().any(|leg| leg.bucket == "breakage");
        ensure(is_breakage && expiry.amount_micros < 0, || format!("lot {} expired of nothing", lot.lot_no))?;
    }
    Ok(())
}

pub fn burn_order(chronicle: &Chronicle) -> Result<(), String> {
    let mut left: BTreeMap<i64, i64> = BTreeMap::new();
    for movement in &chronicle.accounts.movements {
        for (lot_no, amount) in parts(chronicle, movement) {
            *left.entry(lot_no).or_default() += amount;
        }
        if !is_charge(movement) {
            continue;
        }
        let rank = |lot_no| {
            let expires_at = lot(chronicle, lot_no).and_then(|lot| lot.expires_at);
            (expires_at.unwrap_or(i64::MAX), lot_no)
        };
        let Some(last) = parts(chronicle, movement).map(|(lot_no, _)| rank(lot_no)).max() else { continue };
        // One that has expired is passed over, swept or not.
        let is_live = |lot_no: i64| rank(lot_no).0 > movement.due_at;
        let skipped = left.iter().find(|(lot_no, left)| **left > 0 && is_live(**lot_no) && rank(**lot_no) < last);
        if let Some((lot_no, left)) = skipped {
            return Err(format!("{} leaves {left} in lot {lot_no}, whose turn came first", movement.op_key));
        }
    }
    Ok(())
}

fn is_charge(movement: &ledger_tx::Model) -> bool {
    ["subscription", "finding"].contains(&movement.kind.as_str())
}

/// The lots that a movement names, and what it did to them.
fn parts(chronicle: &Chronicle, movement: &ledger_tx::Model) -> impl Iterator<Item = (i64, i64)> {
    chronicle.legs(movement.tx_seq).iter().filter_map(|leg| Some((leg.lot_no?, leg.amount_micros)))
}

fn lot(chronicle: &Chronicle, lot_no: i64) -> Option<&lot::Model> {
    chronicle.accounts.lots.get(usize::try_from(lot_no - 1).ok()?)
}

/// Each movement is chained to the one before it, and the account knows the last (S5).
pub fn chain(chronicle: &Chronicle) -> Result<(), String> {
    let Some(account) = &chronicle.accounts.account else { return Err("the account is gone".to_owned()) };
    let mut seen = BTreeSet::new();
    let repeated = chronicle.accounts.movements.iter().find(|movement| !seen.insert(&movement.hash));
    ensure(repeated.is_none(), || format!("a hash stands twice: {repeated:?}"))?;
    let last = chronicle.accounts.movements.last().map(|movement| &movement.hash);
    ensure(last.is_none_or(|last| *last == account.head_hash), || "the head is not the last hash".to_owned())?;
    ensure(account.frozen_reason.is_none(), || format!("it is frozen: {:?}", account.frozen_reason))
}

/// Each alert tells of the movement that crossed its threshold, once.
pub fn alerts(chronicle: &Chronicle) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for alert in &chronicle.accounts.alerts {
        let movement = usize::try_from(alert.tx_seq - 1).ok().and_then(|index| chronicle.accounts.movements.get(index));
        let movement = movement.ok_or_else(|| format!("movement {} is alerted of, and is none", alert.tx_seq))?;
        let (after, before) = (movement.balance_after_micros, movement.balance_after_micros - movement.amount_micros);
        let is_crossed = after < alert.threshold_micros && alert.threshold_micros <= before;
        let is_as_told = alert.balance_micros == after && alert.crossed_at == movement.at;
        ensure(is_crossed && is_as_told, || format!("{alert:?} is not what movement {} did", alert.tx_seq))?;
        ensure(seen.insert((alert.tx_seq, alert.threshold_micros)), || format!("told twice: {alert:?}"))?;
    }
    Ok(())
}

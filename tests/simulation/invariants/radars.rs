//! Periods, ends, failures, usage.

use std::collections::BTreeMap;

use entity::radar;

use super::ensure;
use crate::chronicle::Chronicle;
use crate::model::month;
use crate::state::{PERIOD, Usage};

pub fn periods(chronicle: &Chronicle) -> Result<(), String> {
    for radar in &chronicle.accounts.radars {
        let is_subscription = radar.model == "subscription";
        let next = radar.created_at + PERIOD * (radar.period_no + 1);
        let expected = (is_subscription && radar.status == "active").then_some(next);
        ensure(radar.next_charge_at == expected, || {
            format!("radar {} is charged next at {:?}, not {expected:?}", radar.radar_id, radar.next_charge_at)
        })?;
        let charged: Vec<_> = ledger_txs_of(chronicle, radar).filter(|tx| tx.kind == "subscription").collect();
        let count = if is_subscription { radar.period_no + 1 } else { 0 };
        ensure(charged.len() as i64 == count, || format!("radar {} paid {} periods", radar.radar_id, charged.len()))?;
        for (period_no, charge) in (0..).zip(charged) {
            let due_at = radar.created_at + PERIOD * period_no;
            let is_right = charge.op_key == format!("sub:{}:{period_no}", radar.radar_id) && charge.due_at == due_at;
            ensure(is_right, || format!("{} stands where period {period_no} should", charge.op_key))?;
        }
    }
    Ok(())
}

pub fn ends(chronicle: &Chronicle) -> Result<(), String> {
    for radar in &chronicle.accounts.radars {
        let is_active = radar.status == "active";
        ensure(is_active == radar.deactivated_at.is_none(), || format!("radar {} ended half", radar.radar_id))?;
        ensure(is_active == radar.status_reason.is_none(), || format!("radar {} has no reason", radar.radar_id))?;
        let Some(ended_at) = radar.deactivated_at else { continue };
        let ended_at = ended_at + chronicle.clocks_differ_by;
        let late = ledger_txs_of(chronicle, radar)
            .filter(|tx| ["subscription", "finding"].contains(&tx.kind.as_str()))
            .find(|tx| tx.due_at > ended_at);
        ensure(late.is_none(), || format!("radar {} was charged after its end: {late:?}", radar.radar_id))?;
        // A DELETE may leave what was paid for (decision 1.4).
        let is_left = radar.model == "subscription"
            && radar.grace_period == "paid_period"
            && radar.status_reason.as_deref() != Some("insufficient_funds");
        let paid_until = radar.created_at + PERIOD * (radar.period_no + 1);
        let last = if is_left { ended_at.max(paid_until - 1) } else { ended_at };
        let found = chronicle.accounts.updates.iter().filter(|update| update.radar_id == radar.radar_id);
        let late = found.filter(|update| update.update_type == "radar_finding").any(|update| update.detected_at > last);
        ensure(!late, || format!("radar {} found something after its end", radar.radar_id))?;
    }
    Ok(())
}

pub fn failures(chronicle: &Chronicle) -> Result<(), String> {
    let mut failures: BTreeMap<_, usize> = BTreeMap::new();
    for update in chronicle.accounts.updates.iter().filter(|update| update.update_type == "radar_failure") {
        *failures.entry(update.radar_id).or_default() += 1;
    }
    for radar in &chronicle.accounts.radars {
        let has_failed = radar.set_up == "failed";
        let is_failure = |reason: &str| ["insufficient_funds", "system_deactivated"].contains(&reason);
        let was_ended = radar.status_reason.as_deref().is_some_and(is_failure);
        let count = failures.remove(&radar.radar_id).unwrap_or_default();
        ensure(count == usize::from(has_failed || was_ended), || {
            format!("radar {} failed {count} times", radar.radar_id)
        })?;
        let entries = ledger_txs_of(chronicle, radar).flat_map(|tx| chronicle.entries(tx.tx_seq));
        let earned: i64 =
            entries.filter(|entry| entry.bucket.starts_with("revenue")).map(|entry| entry.amount_micros).sum();
        ensure(!has_failed || earned == 0, || format!("radar {} failed and earned {earned}", radar.radar_id))?;
    }
    ensure(failures.is_empty(), || "a failure is of no radar".to_owned())
}

pub fn usage(chronicle: &Chronicle) -> Result<(), String> {
    let accounts = &chronicle.accounts;
    let mut months: BTreeMap<String, Usage> = BTreeMap::new();
    for radar in &accounts.radars {
        let has_failed = radar.set_up == "failed";
        months.entry(month(radar.created_at)).or_default().activated += i64::from(!has_failed);
        if let Some(ended_at) = radar.deactivated_at.filter(|_| !has_failed) {
            months.entry(month(ended_at)).or_default().deactivated += 1;
        }
    }
    for update in &accounts.updates {
        let of = months.entry(month(update.discovered_at)).or_default();
        of.found += i64::from(update.update_type == "radar_finding");
        let is_failure = update.update_type == "radar_failure";
        let has_failed = |radar: &radar::Model| radar.set_up == "failed";
        of.failed += i64::from(is_failure && chronicle.radar(update.radar_id).is_some_and(has_failed));
    }
    for tx in &accounts.ledger_txs {
        let charged = match tx.kind.as_str() {
            "subscription" | "finding" => Some(tx),
            "refund" => tx.op_key.strip_prefix("refund:").and_then(|key| chronicle.ledger_tx(key)),
            _ => None,
        };
        if let Some(charge) = charged {
            months.entry(month(charge.at)).or_default().used -= tx.amount_micros;
        }
    }
    let stored = accounts.usage.iter().map(|row| {
        let usage = Usage {
            activated: row.radars_activated,
            deactivated: row.radars_deactivated,
            failed: row.radars_failed,
            found: row.updates_found,
            used: row.used_micros,
        };
        (row.month.clone(), usage)
    });
    let mut stored: BTreeMap<_, _> = stored.collect();
    for months in [&mut months, &mut stored] {
        months.retain(|_, usage| *usage != Usage::default());
    }
    ensure(months == stored, || format!("usage is {stored:?}, not {months:?}"))
}

fn ledger_txs_of<'a>(
    chronicle: &'a Chronicle,
    radar: &radar::Model,
) -> impl Iterator<Item = &'a entity::ledger_tx::Model> {
    let radar_id = radar.radar_id;
    chronicle.accounts.ledger_txs.iter().filter(move |tx| tx.radar_id == Some(radar_id))
}

//! Updates, deliveries, findings, holds, pauses.

use std::collections::{BTreeMap, BTreeSet};

use entity::held_finding;

use super::ensure;
use crate::chronicle::{Chronicle, Hold};

pub fn numbers(chronicle: &Chronicle) -> Result<(), String> {
    for (no, update) in (1..).zip(&chronicle.accounts.updates) {
        ensure(update.update_seq == no, || format!("update {} stands where {no} should", update.update_seq))?;
    }
    let count = chronicle.accounts.updates.len() as i64;
    let counted = chronicle.accounts.account.as_ref().map_or(0, |account| account.update_seq);
    ensure(count == counted, || format!("{count} updates, {counted} on the account"))
}

pub fn instants(chronicle: &Chronicle) -> Result<(), String> {
    let accounts = &chronicle.accounts;
    let moved: Vec<i64> = accounts.ledger_txs.iter().map(|tx| tx.at).collect();
    let discovered: Vec<i64> = accounts.updates.iter().map(|update| update.discovered_at).collect();
    let latest = chronicle.latest + (moved.len() + discovered.len()) as i64;
    for (what, instants) in [("ledger transactions", moved), ("updates", discovered)] {
        ensure(instants.is_sorted_by(|one, next| one < next), || format!("the instants of {what} do not increase"))?;
        ensure(instants.last().is_none_or(|last| *last <= latest), || format!("{what} run ahead of the clock"))?;
    }
    Ok(())
}

pub fn paid(chronicle: &Chronicle) -> Result<(), String> {
    let mut charges: BTreeMap<_, _> =
        chronicle.accounts.ledger_txs.iter().filter(|tx| tx.kind == "finding").map(|tx| (tx.tx_seq, tx)).collect();
    for update in &chronicle.accounts.updates {
        let radar =
            chronicle.radar(update.radar_id).ok_or_else(|| format!("update {} is of no radar", update.update_seq))?;
        let is_charged = radar.model == "update_based" && update.update_type == "radar_finding";
        ensure(is_charged == update.tx_seq.is_some(), || {
            format!("update {} is not paid as it must be", update.update_seq)
        })?;
        if let Some(tx_seq) = update.tx_seq {
            let charge =
                charges.remove(&tx_seq).ok_or_else(|| format!("update {} names no charge", update.update_seq))?;
            ensure(charge.update_id == Some(update.update_id), || {
                format!("ledger transaction {tx_seq} paid another update")
            })?;
        }
    }
    ensure(charges.is_empty(), || format!("charges that paid nothing: {:?}", charges.keys()))
}

pub fn states(chronicle: &Chronicle) -> Result<(), String> {
    let accounts = &chronicle.accounts;
    let published: BTreeSet<_> = accounts.updates.iter().map(|update| update.update_id).collect();
    ensure(published.len() == accounts.updates.len(), || "an update was published twice".to_owned())?;
    let held: BTreeSet<_> = accounts.held.iter().map(|held| (held.radar_id, held.record_id)).collect();
    let mut waiting = BTreeSet::new();
    for row in &accounts.seen {
        if row.outcome == "held" {
            waiting.insert((row.radar_id, row.record_id));
        }
        let is_exact = (row.outcome == "stored") == published.contains(&row.update_id);
        ensure(is_exact, || format!("finding {} is noted as {}", row.update_id, row.outcome))?;
    }
    ensure(held == waiting && held.len() == accounts.held.len(), || {
        format!("held are {held:?}, noted so {waiting:?}")
    })?;
    let findings = accounts.updates.iter().filter(|update| update.update_type == "radar_finding").count();
    let stored = accounts.seen.iter().filter(|row| row.outcome == "stored").count();
    ensure(findings == stored, || format!("{findings} findings were published, {stored} noted as stored"))?;
    deliveries(chronicle)
}

fn deliveries(chronicle: &Chronicle) -> Result<(), String> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for delivery in &chronicle.accounts.deliveries {
        *counts.entry(delivery.update_id).or_default() += 1;
    }
    for update in &chronicle.accounts.updates {
        let has_address = chronicle.radar(update.radar_id).is_some_and(|radar| radar.webhook_url.is_some());
        let count = counts.remove(&update.update_id).unwrap_or_default();
        ensure(count == usize::from(has_address), || format!("update {} has {count} deliveries", update.update_seq))?;
    }
    for alert in &chronicle.accounts.alerts {
        let count = counts.remove(&alert.alert_id).unwrap_or_default();
        ensure(count == 1, || format!("the alert of ledger transaction {} has {count} deliveries", alert.tx_seq))?;
    }
    for alert in &chronicle.accounts.bound_alerts {
        let count = counts.remove(&alert.alert_id).unwrap_or_default();
        ensure(count == 1, || format!("the alert about radar {} has {count} deliveries", alert.radar_id))?;
    }
    ensure(counts.is_empty(), || "a delivery is of no update and of no alert".to_owned())?;
    for endpoint in &chronicle.accounts.endpoints {
        let own = chronicle.accounts.deliveries.iter().filter(|delivery| delivery.endpoint_id == endpoint.endpoint_id);
        let mut sequence: Vec<i64> = own.map(|delivery| delivery.sequence).collect();
        sequence.sort_unstable();
        let is_whole = sequence.iter().copied().eq(1..=endpoint.head_sequence);
        ensure(is_whole, || format!("{} is sent {sequence:?} of {}", endpoint.url, endpoint.head_sequence))?;
    }
    Ok(())
}

pub fn pauses(chronicle: &Chronicle) -> Result<(), String> {
    let paused: BTreeSet<&str> = chronicle.accounts.pauses.iter().map(|pause| pause.radar_type.as_str()).collect();
    let loose = chronicle
        .accounts
        .held
        .iter()
        .find(|held| held.reason == "money" && !paused.contains(held.radar_type.as_str()));
    ensure(loose.is_none(), || format!("held without a pause: {loose:?}"))
}

/// The queue in which a finding is held: of its type while it waits for money, else of its radar.
fn queue(held: &held_finding::Model) -> String {
    if held.reason == "money" { held.radar_type.clone() } else { held.radar_id.to_string() }
}

/// What was held is published in the order in which it was held, and nothing in its queue overtakes it. What has waited for a
/// day of its radar and waits for money now is overtaken by nothing from then on.
pub fn order(chronicle: &Chronicle) -> Result<(), String> {
    let published: BTreeMap<_, i64> =
        chronicle.accounts.updates.iter().map(|update| (update.update_id, update.update_seq)).collect();
    let mut queues: BTreeMap<String, Vec<(&Hold, Option<i64>)>> = BTreeMap::new();
    for row in &chronicle.accounts.seen {
        let update_seq = published.get(&row.update_id).copied();
        let Some(hold) = chronicle.holds.get(&(row.radar_id, row.record_id)) else { continue };
        if row.outcome == "held" || update_seq.is_some() {
            queues.entry(queue(&hold.row)).or_default().push((hold, update_seq));
        }
    }
    for (queue, holds) in &queues {
        for (hold, until) in holds {
            let has_overtaken = |(other, update_seq): &&(&Hold, Option<i64>)| {
                let while_it_waited = hold.joined_at + 1..until.unwrap_or(i64::MAX);
                other.row.hold_seq > hold.row.hold_seq && update_seq.is_some_and(|seq| while_it_waited.contains(&seq))
            };
            if let Some((later, _)) = holds.iter().find(has_overtaken) {
                let (later, earlier) = (later.row.hold_seq, hold.row.hold_seq);
                return Err(format!("hold {later} of {queue} was released before hold {earlier}"));
            }
        }
    }
    Ok(())
}

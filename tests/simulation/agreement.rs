//! Compares the rows of an account with what the oracle holds.

use uuid::Uuid;

use super::chronicle::Chronicle;
use super::model::{HOLD_LIFE, Model};
use super::replay::{shown, update_id};
use super::state::{Alert, Hold, LedgerTx, Radar, Update, Usage};

/// Says where the rows of an account differ from what the oracle holds.
pub fn compare(model: &Model, chronicle: &Chronicle) -> Result<(), String> {
    for (what, expected, stored) in [
        ("lots", lots(model), stored_lots(chronicle)),
        ("ledger transactions", ledger_txs(model), stored_ledger_txs(chronicle)),
        ("radars", radars(model), stored_radars(chronicle)),
        ("updates", updates(model), stored_updates(chronicle)),
        ("holds", holds(model), stored_holds(chronicle)),
        ("pauses", pauses(model), stored_pauses(chronicle)),
        ("usage", usage(model), stored_usage(chronicle)),
        ("findings for approval", approvals(model, chronicle.now), stored_approvals(chronicle)),
        ("alerts", alerts(model), stored_alerts(chronicle)),
        ("bounds", bounds(model), stored_bounds(chronicle)),
        ("alerts about bounds", bound_alerts(model), stored_bound_alerts(chronicle)),
    ] {
        if expected != stored {
            let different = |line: &&String| !(expected.contains(*line) && stored.contains(*line));
            let wanted: Vec<_> = expected.iter().filter(different).collect();
            let found: Vec<_> = stored.iter().filter(different).collect();
            return Err(format!("{what} of {}: stored {found:#?}, expected {wanted:#?}", chronicle.account_id));
        }
    }
    Ok(())
}

fn lots(model: &Model) -> Vec<String> {
    model.lots.iter().map(|lot| format!("{} of {} until {:?}", lot.left, lot.granted, lot.expires_at)).collect()
}

fn stored_lots(chronicle: &Chronicle) -> Vec<String> {
    let shown = |lot: &entity::lot::Model| {
        format!("{} of {} until {:?}", lot.remaining_micros, lot.granted_micros, lot.expires_at)
    };
    chronicle.accounts.lots.iter().map(shown).collect()
}

fn ledger_txs(model: &Model) -> Vec<String> {
    let shown = |tx: &LedgerTx| format!("{} {} at {} due {} {:?}", tx.key, tx.amount, tx.at, tx.due_at, tx.parts);
    model.ledger_txs.iter().map(shown).collect()
}

/// The oracle names a finding's charge by radar and record, the service by the update that these make.
fn stored_ledger_txs(chronicle: &Chronicle) -> Vec<String> {
    let findings: std::collections::BTreeMap<_, _> = chronicle
        .accounts
        .seen
        .iter()
        .map(|row| (format!("find:{}", row.update_id), format!("find:{}:{}", row.radar_id, row.record_id)))
        .collect();
    let shown = |tx: &entity::ledger_tx::Model| {
        let key = findings.get(&tx.op_key).unwrap_or(&tx.op_key);
        let entries = chronicle.entries(tx.tx_seq).iter();
        let parts: Vec<_> = entries.filter_map(|entry| Some((entry.lot_no?, entry.amount_micros))).collect();
        format!("{key} {} at {} due {} {parts:?}", tx.amount_micros, tx.at, tx.due_at)
    };
    chronicle.accounts.ledger_txs.iter().map(shown).collect()
}

fn radars(model: &Model) -> Vec<String> {
    model.radars.iter().map(|(id, radar)| format!("{id} {}", shown(radar))).collect()
}

fn stored_radars(chronicle: &Chronicle) -> Vec<String> {
    let shown = |radar: &entity::radar::Model| {
        let entity::radar::Model { set_up, created_at, deactivated_at, period_no, next_charge_at, .. } = radar;
        let ended = radar.status_reason.as_deref();
        format!("{} {set_up} {ended:?} {created_at} {deactivated_at:?} {period_no} {next_charge_at:?}", radar.radar_id)
    };
    let is_kept = |radar: &&entity::radar::Model| !chronicle.purged.contains(&radar.radar_id);
    let mut shown: Vec<String> = chronicle.accounts.radars.iter().filter(is_kept).map(shown).collect();
    shown.sort_unstable();
    shown
}

fn updates(model: &Model) -> Vec<String> {
    let shown = |update: &Update| match update.record {
        Some(record) => format!("{} {:?} at {}", update_id(update.radar, Some(record)), update.paid_by, update.at),
        None => format!("failure of {} at {}", update.radar, update.at),
    };
    model.updates.iter().map(shown).collect()
}

fn stored_updates(chronicle: &Chronicle) -> Vec<String> {
    let shown = |update: &entity::radar_update::Model| match update.update_type.as_str() {
        "radar_finding" => format!("{} {:?} at {}", update.update_id, update.tx_seq, update.discovered_at),
        _ => format!("failure of {} at {}", update.radar_id, update.discovered_at),
    };
    chronicle.accounts.updates.iter().map(shown).collect()
}

fn holds(model: &Model) -> Vec<String> {
    let reason = |hold: &Hold| if hold.waits_for_day { "daily_bound" } else { "money" };
    model.holds.iter().map(|hold| format!("{} {} {} {}", hold.radar, hold.record, hold.rate, reason(hold))).collect()
}

fn stored_holds(chronicle: &Chronicle) -> Vec<String> {
    let shown = |held: &entity::held_finding::Model| {
        format!("{} {} {} {}", held.radar_id, held.record_id, held.rate_micros, held.reason)
    };
    chronicle.accounts.held.iter().map(shown).collect()
}

fn pauses(model: &Model) -> Vec<String> {
    let mut shown: Vec<_> = model.pauses.iter().map(|(radar_type, since)| format!("{radar_type} {since}")).collect();
    shown.sort_unstable();
    shown
}

fn stored_pauses(chronicle: &Chronicle) -> Vec<String> {
    let pauses = chronicle.accounts.pauses.iter();
    let mut shown: Vec<_> = pauses.map(|pause| format!("{} {}", pause.radar_type, pause.since)).collect();
    shown.sort_unstable();
    shown
}

/// Those that have waited as long as one may wait are removed by and by.
fn approvals(model: &Model, now: i64) -> Vec<String> {
    let kept = model.approvals.iter().filter(|(_, approval)| approval.detected_at + HOLD_LIFE > now);
    kept.map(|((radar, record), approval)| {
        format!("{radar} {record} {}", approval.decision.map_or("pending", |decision| decision.state()))
    })
    .collect()
}

fn stored_approvals(chronicle: &Chronicle) -> Vec<String> {
    let kept = chronicle.accounts.approvals.iter().filter(|row| row.detected_at + HOLD_LIFE > chronicle.now);
    let mut shown: Vec<_> = kept.map(|row| format!("{} {} {}", row.radar_id, row.record_id, row.state)).collect();
    shown.sort_unstable();
    shown
}

fn alerts(model: &Model) -> Vec<String> {
    let shown = |alert: &Alert| format!("{} below {} with {}", alert.balance, alert.threshold, alert.tx);
    let mut shown: Vec<_> = model.alerts.iter().map(shown).collect();
    shown.sort_unstable();
    shown
}

fn stored_alerts(chronicle: &Chronicle) -> Vec<String> {
    let shown = |row: &entity::balance_alert::Model| {
        format!("{} below {} with {}", row.balance_micros, row.threshold_micros, row.tx_seq)
    };
    let mut shown: Vec<_> = chronicle.accounts.alerts.iter().map(shown).collect();
    shown.sort_unstable();
    shown
}

/// Where each radar stands against the bound of its day.
fn bounds(model: &Model) -> Vec<String> {
    let shown = |(id, radar): (&Uuid, &Radar)| {
        let Radar { full_since, release_at, .. } = radar;
        let (from, charged) = radar.day.map_or((None, 0), |(from, charged)| (Some(from), charged));
        format!("{id} {charged} from {from:?} held {} {full_since:?} {release_at:?}", model.held_beyond(*id))
    };
    model.radars.iter().map(shown).collect()
}

fn stored_bounds(chronicle: &Chronicle) -> Vec<String> {
    let shown = |radar: &entity::radar::Model| {
        let entity::radar::Model { radar_id: id, day_charged, day_began_at: from, held_beyond_bound, .. } = radar;
        let (full_since, release_at) = (radar.full_since, radar.release_at);
        format!("{id} {day_charged} from {from:?} held {held_beyond_bound} {full_since:?} {release_at:?}")
    };
    let is_kept = |radar: &&entity::radar::Model| !chronicle.purged.contains(&radar.radar_id);
    let mut shown: Vec<String> = chronicle.accounts.radars.iter().filter(is_kept).map(shown).collect();
    shown.sort_unstable();
    shown
}

fn bound_alerts(model: &Model) -> Vec<String> {
    let mut shown: Vec<_> = model.bound_alerts.iter().map(|alert| format!("{} {}", alert.radar, alert.at)).collect();
    shown.sort_unstable();
    shown
}

fn stored_bound_alerts(chronicle: &Chronicle) -> Vec<String> {
    let alerts = chronicle.accounts.bound_alerts.iter();
    let mut shown: Vec<_> = alerts.map(|row| format!("{} {}", row.radar_id, row.created_at)).collect();
    shown.sort_unstable();
    shown
}

fn usage(model: &Model) -> Vec<String> {
    let months = model.usage.iter().filter(|(_, usage)| **usage != Usage::default());
    months.map(|(month, usage)| format!("{month} {usage:?}")).collect()
}

fn stored_usage(chronicle: &Chronicle) -> Vec<String> {
    let shown = |row: &entity::usage_month::Model| {
        let usage = Usage {
            activated: row.radars_activated,
            deactivated: row.radars_deactivated,
            failed: row.radars_failed,
            found: row.updates_found,
            used: row.used_micros,
        };
        (usage != Usage::default()).then(|| format!("{} {usage:?}", row.month))
    };
    let mut shown: Vec<String> = chronicle.accounts.usage.iter().filter_map(shown).collect();
    shown.sort_unstable();
    shown
}

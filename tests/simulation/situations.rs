//! Which situations a run has seen: a workload in which something never happens proves nothing about it.

use std::collections::BTreeMap;

use domain::account::{Command, CommandRejection, CreatedOnce, Decision, Finding, Outcome, Report};
use entity::{ledger_tx, radar_update};

use super::chronicle::Chronicle;
use super::model::Model;
use super::state::Hold;

/// How often each situation occurred.
pub type Situations = BTreeMap<&'static str, u64>;

/// Tells whether a ledger transaction is one of a situation.
type IsOne = fn(&Chronicle, &ledger_tx::Model) -> bool;

const LEDGER_TXS: &[(&str, IsOne)] = &[
    ("renewals", |_, tx| tx.kind == "subscription" && !tx.op_key.ends_with(":0") && tx.amount_micros < 0),
    ("late renewals", |_, tx| tx.kind == "subscription" && tx.at > tx.due_at + 1_000_000),
    ("missed periods", |chronicle, tx| {
        let next = chronicle.accounts.ledger_txs.get(tx.tx_seq as usize);
        tx.kind == "subscription" && next.is_some_and(|next| next.radar_id == tx.radar_id && next.at == tx.at + 1)
    }),
    ("charged findings", |_, tx| tx.kind == "finding"),
    ("charges from several lots", |chronicle, tx| {
        tx.amount_micros < 0 && chronicle.entries(tx.tx_seq).iter().filter(|entry| entry.lot_no.is_some()).count() > 1
    }),
    ("expiries", |_, tx| tx.kind == "expiry"),
    ("refunds", |_, tx| tx.kind == "refund"),
];

/// Counts the situations in an account's history.
pub fn count(chronicle: &Chronicle, situations: &mut Situations) {
    let accounts = &chronicle.accounts;
    let mut add = |name: &'static str, count: usize| *situations.entry(name).or_default() += count as u64;
    for (name, is_one) in LEDGER_TXS {
        add(name, accounts.ledger_txs.iter().filter(|tx| is_one(chronicle, tx)).count());
    }
    let ended =
        |reason: &str| accounts.radars.iter().filter(|radar| radar.status_reason.as_deref() == Some(reason)).count();
    add("radars ended for lack of funds", ended("insufficient_funds"));
    add("radars ended by their owner", ended("user_deactivated"));
    add("radars ended because no source answered", ended("system_deactivated"));
    add("set-ups that failed", ended("missing_prerequisites"));
    add("refund lots", accounts.lots.iter().filter(|lot| lot.kind == "refund").count());
    add("findings held", chronicle.holds.len());
    let is_stored = |key: &(uuid::Uuid, uuid::Uuid), outcome: &str| {
        accounts.seen.iter().any(|row| (row.radar_id, row.record_id) == *key && row.outcome == outcome)
    };
    add("held findings published", chronicle.holds.keys().filter(|key| is_stored(key, "stored")).count());
    add("held findings dropped", chronicle.holds.keys().filter(|key| is_stored(key, "dropped")).count());
    add("deliveries", accounts.deliveries.len());
    add("alerts", accounts.alerts.len());
    add("alerts about bounds", accounts.bound_alerts.len());
    let beyond: Vec<_> = chronicle.holds.iter().filter(|(_, held)| held.row.reason == "daily_bound").collect();
    add("findings held beyond the bound of a day", beyond.len());
    add("such findings published", beyond.iter().filter(|(key, _)| is_stored(key, "stored")).count());
    add("such findings dropped", beyond.iter().filter(|(key, _)| is_stored(key, "dropped")).count());
    let decided = |state: &str| accounts.approvals.iter().filter(|row| row.state == state).count();
    add("findings that an operator approved", decided("approved"));
    add("findings that an operator rejected", decided("rejected"));
    add("ends of grace", ended("grace_period_ended"));
    let ended_at = |radar_id| chronicle.radar(radar_id).and_then(|radar| radar.deactivated_at);
    let is_in_grace = |update: &&radar_update::Model| {
        update.update_type == "radar_finding" && ended_at(update.radar_id).is_some_and(|at| at < update.discovered_at)
    };
    add("findings in a time of grace", accounts.updates.iter().filter(is_in_grace).count());
}

/// Counts what a decision has met with. `model`: after it.
pub fn count_decision(model: &Model, command: &Command, decision: &Decision, situations: &mut Situations) {
    let is_left = model.left_from.is_some();
    let is_settlement = matches!(command, Command::SettleDue(_));
    let has_overdue = matches!(decision, Err(CommandRejection::Overdue));
    let is_known_event = match (command, decision) {
        (Command::Report(Report { radar_id, findings, .. }), Ok(Outcome::Reported(report)))
            if report.duplicates > 0 =>
        {
            let key = |record_id: uuid::Uuid| (radar_id.0, record_id);
            let is_new = |finding: &Finding| {
                let key = key(finding.record_id);
                !model.settled.contains(&key)
                    && !model.approvals.contains_key(&key)
                    && !model.holds.iter().any(|hold| (hold.radar, hold.record) == key)
            };
            findings.iter().any(is_new)
        }
        _ => false,
    };
    let is_again = model.events.values().any(|at| at.len() > 1 && at.last() == Some(&model.now));
    let is_for_money = |hold: &&Hold| !hold.waits_for_day;
    let is_capped =
        model.cap.is_some() && model.holds.iter().filter(is_for_money).any(|hold| hold.rate <= model.balance());
    let is_full = model.radars.values().any(|radar| radar.full_since == Some(model.now));
    let has_released = matches!(decision, Ok(Outcome::Released(released)) if released.released > 0);
    for (name, is_one) in [
        ("commands that wait for renewals", has_overdue),
        ("commands ahead of renewals", is_left && !is_settlement && !has_overdue),
        ("renewals left to the next transaction", is_left && is_settlement),
        ("findings held for the cap", is_capped),
        ("announcements of a known event", is_known_event),
        ("events announced again after 30 days", is_again && matches!(command, Command::Report(_))),
        ("radars that read no further", is_full),
        ("releases by an operator", has_released),
        ("answers given again", matches!(decision, Ok(Outcome::CreatedOnce(CreatedOnce::AnsweredBefore(_))))),
        ("accounts that were stopped", model.is_stopped && matches!(command, Command::SetStatus(_))),
        ("findings for stopped accounts", model.is_stopped && matches!(command, Command::Report(_))),
        ("keys used for another request", matches!(decision, Err(CommandRejection::IdempotencyKeyReused))),
    ] {
        *situations.entry(name).or_default() += u64::from(is_one);
    }
}

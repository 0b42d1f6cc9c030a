//! Plays what was committed to the oracle, and compares each outcome with what the oracle says.

use chrono::{DateTime, Utc};
use radar::domain::book::{Command, Decision, Outcome, Refusal, SetUpOutcome};
use radar::domain::ids::UpdateId;
use radar::domain::radar::Radar as Stored;
use uuid::Uuid;

use super::model::Model;
use super::state::{Created, Radar, Reported};

/// Plays one command to the oracle; says where the service decided otherwise.
pub fn play(model: &mut Model, command: &Command, decision: &Decision, now: DateTime<Utc>) -> Result<(), String> {
    model.now = now.timestamp_micros();
    model.catch_up();
    let expected = match command {
        Command::TopUp(paid) => {
            let expires_at = paid.expires_at.map(|at| at.timestamp_micros());
            match model.top_up(&paid.payment_ref, paid.amount.micros(), expires_at) {
                Some(is_new) => format!("topped up to {}, new: {is_new}", model.balance()),
                None => "payment reference reused".to_owned(),
            }
        }
        Command::Create(wanted) => {
            let radar_type = wanted.wanted.radar_type;
            match model.create(wanted.radar_id.0, radar_type, wanted.wanted.target.key(radar_type)) {
                Created::Yes => format!("created {}", shown(&model.radars[&wanted.radar_id.0])),
                Created::Duplicate(existing) => format!("duplicate of {existing}"),
                Created::TooPoor => "insufficient balance".to_owned(),
            }
        }
        Command::FinishSetUp { radar_id, outcome } => {
            let failure = match outcome {
                SetUpOutcome::Ready(_) => None,
                SetUpOutcome::Failed { reason, .. } => Some(reason.as_str()),
            };
            model.finish_set_up(radar_id.0, failure);
            known(model, radar_id.0, "set up")
        }
        Command::Report { radar_id, findings, .. } => {
            let findings: Vec<_> =
                findings.iter().map(|finding| (finding.record_id, finding.detected_at.timestamp_micros())).collect();
            if model.radars.contains_key(&radar_id.0) {
                reported(radar_id.0, &model.report(radar_id.0, &findings))
            } else {
                "unknown radar".to_owned()
            }
        }
        Command::Deactivate { radar_id } => {
            model.deactivate(radar_id.0);
            known(model, radar_id.0, "deactivated")
        }
        // Asked for in no run; `tests/it/idempotency.rs` does.
        Command::CreateOnce(_) => "nothing".to_owned(),
        Command::Judge { .. } => "nothing".to_owned(),
        Command::Touch { radar_id } => {
            model.drain();
            let radar = radar_id.and_then(|radar_id| model.radars.get(&radar_id.0));
            format!("touched {}", radar.map(shown).unwrap_or_default())
        }
    };
    let decided = told(decision);
    if decided == expected { Ok(()) } else { Err(format!("{command:?}: decided {decided}, expected {expected}")) }
}

/// A decision in the words that the oracle uses.
pub fn told(decision: &Decision) -> String {
    match decision {
        Ok(Outcome::ToppedUp { balance, is_new, .. }) => format!("topped up to {}, new: {is_new}", balance.micros()),
        Ok(Outcome::Created { radar, .. }) => format!("created {}", shown_stored(radar)),
        Ok(Outcome::SetUpFinished(radar)) => format!("set up {}", shown_stored(radar)),
        Ok(Outcome::Deactivated(radar)) => format!("deactivated {}", shown_stored(radar)),
        Ok(Outcome::Touched { radar, .. }) => {
            format!("touched {}", radar.as_deref().map(shown_stored).unwrap_or_default())
        }
        Ok(Outcome::Reported(report) | Outcome::Judged(report)) => {
            let published: Vec<Uuid> = report.published.iter().map(|update_id| update_id.0).collect();
            format!(
                "published {published:?} held {} duplicates {} dropped {}",
                report.held, report.duplicates, report.dropped
            )
        }
        Ok(Outcome::CreatedOnce { .. } | Outcome::AnsweredBefore(_)) => "created under a key".to_owned(),
        Err(Refusal::Duplicate { existing, .. }) => format!("duplicate of {existing}"),
        Err(Refusal::InsufficientBalance) => "insufficient balance".to_owned(),
        Err(Refusal::UnknownRadar) => "unknown radar".to_owned(),
        Err(Refusal::PaymentRefReused) => "payment reference reused".to_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

fn known(model: &Model, id: Uuid, what: &str) -> String {
    model.radars.get(&id).map_or("unknown radar".to_owned(), |radar| format!("{what} {}", shown(radar)))
}

fn reported(id: Uuid, report: &Reported) -> String {
    let published: Vec<Uuid> = report.published.iter().map(|record| update_id(id, Some(*record)).0).collect();
    format!("published {published:?} held {} duplicates {} dropped {}", report.held, report.duplicates, report.dropped)
}

pub fn shown(radar: &Radar) -> String {
    let Radar { set_up, ended, created_at, ended_at, period, next_charge_at, .. } = radar;
    format!("{set_up} {ended:?} {created_at} {ended_at:?} {period} {next_charge_at:?}")
}

fn shown_stored(radar: &Stored) -> String {
    let micros = |at: Option<DateTime<Utc>>| at.map(|at| at.timestamp_micros());
    let (set_up, ended) = (radar.set_up.as_str(), radar.status_reason.map(|reason| reason.as_str()));
    let created_at = radar.created_at.timestamp_micros();
    let (ended_at, next_charge_at) = (micros(radar.deactivated_at), micros(radar.next_charge_at));
    format!("{set_up} {ended:?} {created_at} {ended_at:?} {} {next_charge_at:?}", radar.period_no)
}

/// The update that tells of a record, or of a radar's failure.
pub fn update_id(radar: Uuid, record: Option<Uuid>) -> UpdateId {
    let key = record.map_or("failure".to_owned(), |record| record.to_string());
    UpdateId::of(radar::domain::ids::RadarId(radar), &key)
}

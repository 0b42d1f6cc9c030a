//! Plays what was committed to the oracle, and compares each outcome with what the oracle says.

use chrono::{DateTime, Utc};
use domain::account::{
    Command, CommandRejection, CreateOnce, Created as NewlyCreated, CreatedOnce, Creation, Deactivate, Deactivated,
    DecideApproval, Decision, EndUnreachable, Finding, FinishSetUp, KeptAnswer, Origin, Outcome, Release, Released,
    Report, SetStatus, SetUpFinished, SetUpOutcome, SettleDue, Settled, ToppedUp,
};
use domain::account_status::AccountStatus;
use domain::approval;
use domain::ids::UpdateId;
use domain::radar::Radar as Stored;
use domain::radar_type::RadarType;
use uuid::Uuid;

use super::model::{HOLD_LIFE, Model};
use super::state::{Answered, ApprovalDecision, Created, DAY, Found, Radar, Reported};

const STOPPED: &str = "the account is stopped";
const KEY_REUSED: &str = "key used for another request";

/// Plays one command of a transaction to the oracle; says where the service decided otherwise.
pub fn play(model: &mut Model, command: &Command, decision: &Decision) -> Result<(), String> {
    model.settle_overdue();
    let decided = described(decision);
    let may_wait = model.left_from.is_some() && !matches!(command, Command::SettleDue(_));
    let has_overdue = matches!(decision, Err(CommandRejection::Overdue));
    if may_wait && std::mem::replace(&mut model.waits, has_overdue) && !has_overdue {
        return Err(format!("{command:?} went ahead of one that waits"));
    }
    if may_wait && !has_overdue && matches!(command, Command::SetStatus(_)) {
        return Err(format!("{command:?} went ahead of what fell due before it"));
    }
    let expected = match (decision, may_wait) {
        // The ledger asks again; nobody else ever hears of it.
        (Err(CommandRejection::Overdue), true) => return Ok(()),
        (_, false) => ask(model, command),
        (_, true) => {
            let now_or_later = ahead(model, command);
            if now_or_later.0 != now_or_later.1 {
                let (now, later) = now_or_later;
                return Err(format!("{command:?} went ahead: {now}; after what was due earlier it is {later}"));
            }
            now_or_later.0
        }
    };
    if decided == expected { Ok(()) } else { Err(format!("{command:?}: decided {decided}, expected {expected}")) }
}

/// Carries out a command before renewals that were due earlier; answers its outcome, and the one that it would
/// have had after them: they must be the same (decision 4.9), but for the balance.
fn ahead(model: &mut Model, command: &Command) -> (String, String) {
    let mut caught_up = model.clone();
    caught_up.begin(model.now, usize::MAX);
    caught_up.settle_overdue();
    if let Some(radar) = radar_of(model, command) {
        model.renew_ahead(radar);
    }
    let (now, later) = (ask(model, command), ask(&mut caught_up, command));
    if matches!(command, Command::TopUp(_)) { (now.clone(), now) } else { (now, later) }
}

fn radar_of(model: &Model, command: &Command) -> Option<Uuid> {
    match command {
        Command::FinishSetUp(FinishSetUp { radar_id, .. })
        | Command::Report(Report { radar_id, .. })
        | Command::EndUnreachable(EndUnreachable { radar_id, .. })
        | Command::Release(Release { radar_id })
        | Command::Deactivate(Deactivate { radar_id }) => Some(radar_id.0),
        Command::DecideApproval(DecideApproval { update_id, .. }) => {
            approval_key(model, *update_id).map(|(radar, _)| radar)
        }
        Command::TopUp(_)
        | Command::Create(_)
        | Command::CreateOnce(_)
        | Command::SetStatus(_)
        | Command::SettleDue(_) => None,
    }
}

/// The radar and the record of a finding that waits or has waited for an operator, and not longer than it may.
fn approval_key(model: &Model, wanted: UpdateId) -> Option<(Uuid, Uuid)> {
    let mut kept = model.approvals.iter().filter(|(_, approval)| model.now < approval.detected_at + HOLD_LIFE);
    kept.find(|((radar, record), _)| update_id(*radar, Some(*record)) == wanted).map(|(key, _)| *key)
}

/// What the oracle says to a command.
fn ask(model: &mut Model, command: &Command) -> String {
    match command {
        Command::TopUp(paid) => {
            let expires_at = paid.expires_at.map(|at| at.timestamp_micros());
            match model.top_up(&paid.payment_ref, paid.amount.micros(), expires_at) {
                Some(is_new) => format!("topped up to {}, new: {is_new}", model.balance()),
                None => "payment reference reused".to_owned(),
            }
        }
        Command::Create(wanted) => create(model, wanted),
        Command::CreateOnce(once) => create_once(model, once),
        Command::FinishSetUp(FinishSetUp { radar_id, outcome, .. }) => {
            let failure = match outcome {
                SetUpOutcome::Ready(_) => None,
                SetUpOutcome::Failed { reason, .. } => Some(reason.as_str()),
            };
            model.finish_set_up(radar_id.0, failure);
            known(model, radar_id.0, "set up")
        }
        Command::Report(Report { radar_id, findings, .. }) => {
            if let Some(radar) = model.radars.get(&radar_id.0) {
                let read = |finding: &Finding| {
                    let detected_at = finding.detected_at.timestamp_micros();
                    let (is_web, event) = (finding.origin == Origin::Web, event(radar.radar_type, &finding.content));
                    Found { record: finding.record_id, detected_at, is_web, event }
                };
                let findings: Vec<_> = findings.iter().map(read).collect();
                reported(radar_id.0, &model.report(radar_id.0, &findings))
            } else {
                "unknown radar".to_owned()
            }
        }
        Command::DecideApproval(DecideApproval { update_id, decision }) => {
            decide_approval(model, *update_id, *decision)
        }
        Command::Release(Release { radar_id }) if !model.radars.contains_key(&radar_id.0) => "unknown radar".to_owned(),
        Command::Release(_) if model.is_stopped => STOPPED.to_owned(),
        Command::Release(Release { radar_id }) => {
            let released = model.release(radar_id.0, true);
            format!("released {released}, held {}", model.held_beyond(radar_id.0))
        }
        Command::Deactivate(Deactivate { radar_id }) => {
            model.deactivate(radar_id.0);
            known(model, radar_id.0, "deactivated")
        }
        Command::EndUnreachable(EndUnreachable { radar_id, period_no }) => {
            match model.end_unreachable(radar_id.0, *period_no) {
                Some(has_ended) => format!("unreachable: {has_ended}"),
                None => "unknown radar".to_owned(),
            }
        }
        Command::SetStatus(SetStatus { status }) => {
            model.is_stopped = *status == AccountStatus::Inactive;
            model.drain();
            "status set".to_owned()
        }
        Command::SettleDue(SettleDue { radar_id }) => {
            model.drain();
            if let Some(radar_id) = radar_id {
                model.end_grace_when_over(radar_id.0);
            }
            let radar = radar_id.and_then(|radar_id| model.radars.get(&radar_id.0));
            format!("settled {}", radar.map(shown).unwrap_or_default())
        }
    }
}

/// The event that a finding of a move tells of: the first and the last name of whom it is about.
fn event(radar_type: RadarType, content: &str) -> Option<String> {
    let content: serde_json::Value = serde_json::from_str(content).ok()?;
    let name = content["full_name"].as_str().filter(|_| radar_type == RadarType::CompanyPromotions)?.to_lowercase();
    Some(format!("{} {}", name.split(' ').next()?, name.split(' ').next_back()?))
}

fn create(model: &mut Model, Creation { radar_id, wanted, .. }: &Creation) -> String {
    match model.create(radar_id.0, wanted.radar_type, wanted.target.key(wanted.radar_type)) {
        Created::Yes => format!("created {}", shown(&model.radars[&radar_id.0])),
        Created::Duplicate(existing) => format!("duplicate of {existing}"),
        Created::TooPoor => "insufficient balance".to_owned(),
        Created::Stopped => STOPPED.to_owned(),
    }
}

/// Once under its key within a day, and then the same answer (decision 2.9).
fn create_once(model: &mut Model, once: &CreateOnce) -> String {
    let (key, request) = (&once.request.key_hash, &once.request.request_hash);
    if let Some(before) = model.answers.get(key).filter(|before| model.now < before.used_at + DAY) {
        return match before.request == *request {
            true => "answered before".to_owned(),
            false => KEY_REUSED.to_owned(),
        };
    }
    let text = once.creations.iter().map(|creation| create(model, creation)).collect::<Vec<_>>().join("; ");
    if text.contains("created") {
        let used_at = model.now;
        model.answers.insert(key.clone(), Answered { request: request.clone(), text: text.clone(), used_at });
    }
    text
}

/// What a request under a key is answered, in the words that the oracle uses.
pub fn kept(decisions: &[Decision<NewlyCreated>], _: DateTime<Utc>) -> Option<KeptAnswer> {
    Some(KeptAnswer { status: 201, body: described_all(decisions) })
}

/// The answer to a request under a key is the first one that it got (decision 2.9). `model`: after the request.
pub fn is_kept(model: &Model, command: &Command, decision: &Decision) -> Result<(), String> {
    let Command::CreateOnce(once) = command else { return Ok(()) };
    let expected = match decision {
        Ok(Outcome::CreatedOnce(CreatedOnce::New { decisions, .. })) if decisions.iter().all(Result::is_err) => None,
        Ok(_) => model.answers.get(&once.request.key_hash).map(|kept| kept.text.as_str()),
        Err(_) => None,
    };
    let answer = kept_answer(decision).map(|answer| answer.body.as_str());
    if answer == expected { Ok(()) } else { Err(format!("C1 answered {answer:?}, expected {expected:?}")) }
}

/// The answer that is kept under a key.
fn kept_answer(decision: &Decision) -> Option<&KeptAnswer> {
    match decision {
        Ok(Outcome::CreatedOnce(CreatedOnce::New { answer, .. })) => answer.as_ref(),
        Ok(Outcome::CreatedOnce(CreatedOnce::AnsweredBefore(answer))) => Some(answer),
        _ => None,
    }
}

fn described_all(decisions: &[Decision<NewlyCreated>]) -> String {
    decisions.iter().map(|decision| described(&decision.clone().map(Outcome::Created))).collect::<Vec<_>>().join("; ")
}

fn decide_approval(model: &mut Model, update_id: UpdateId, decision: approval::ApprovalDecision) -> String {
    let decision = match decision {
        approval::ApprovalDecision::Approve => ApprovalDecision::Approve,
        approval::ApprovalDecision::Reject => ApprovalDecision::Reject,
    };
    let waits = approval_key(model, update_id).is_some_and(|key| model.approvals[&key].decision.is_none());
    if waits && decision == ApprovalDecision::Approve && model.is_stopped {
        return STOPPED.to_owned();
    }
    let decided = approval_key(model, update_id).and_then(|key| Some((key.0, model.decide_approval(key, decision)?)));
    match decided {
        None => "unknown finding".to_owned(),
        Some((radar, Ok(report))) => reported(radar, &report),
        Some((_, Err(before))) => format!("{} before", before.state()),
    }
}

/// A decision with the answer that is kept.
pub fn described_with_answer(decision: &Decision) -> String {
    kept_answer(decision)
        .map_or_else(|| described(decision), |answer| format!("{}, answered: {}", described(decision), answer.body))
}

/// A decision in the words that the oracle uses.
pub fn described(decision: &Decision) -> String {
    match decision {
        Ok(Outcome::ToppedUp(ToppedUp { balance, is_new, .. })) => {
            format!("topped up to {}, new: {is_new}", balance.micros())
        }
        Ok(Outcome::Created(NewlyCreated { radar, .. })) => format!("created {}", shown_stored(radar)),
        Ok(Outcome::SetUpFinished(SetUpFinished(radar))) => format!("set up {}", shown_stored(radar)),
        Ok(Outcome::Deactivated(Deactivated(radar))) => format!("deactivated {}", shown_stored(radar)),
        Ok(Outcome::Settled(Settled { radar, .. })) => {
            format!("settled {}", radar.as_deref().map(shown_stored).unwrap_or_default())
        }
        Ok(Outcome::Reported(report) | Outcome::ApprovalDecided(report)) => {
            let published: Vec<Uuid> = report.published.iter().map(|update_id| update_id.0).collect();
            counts(&published, [report.held, report.pending, report.duplicates, report.dropped])
        }
        Ok(Outcome::Released(Released { released, held, .. })) => format!("released {released}, held {held}"),
        Ok(Outcome::CreatedOnce(CreatedOnce::New { decisions, .. })) => described_all(decisions),
        Ok(Outcome::CreatedOnce(CreatedOnce::AnsweredBefore(_))) => "answered before".to_owned(),
        Ok(Outcome::UnreachableEnded(has_ended)) => format!("unreachable: {has_ended}"),
        Ok(Outcome::StatusSet(_)) => "status set".to_owned(),
        Err(CommandRejection::Stopped) => STOPPED.to_owned(),
        Err(CommandRejection::IdempotencyKeyReused) => KEY_REUSED.to_owned(),
        Err(CommandRejection::Duplicate { existing, .. }) => format!("duplicate of {existing}"),
        Err(CommandRejection::InsufficientBalance) => "insufficient balance".to_owned(),
        Err(CommandRejection::UnknownRadar) => "unknown radar".to_owned(),
        Err(CommandRejection::UnknownFinding) => "unknown finding".to_owned(),
        Err(CommandRejection::DecidedOtherwise(state)) => format!("{} before", state.as_str()),
        Err(CommandRejection::PaymentRefReused) => "payment reference reused".to_owned(),
        Err(rejection) => rejection.to_string(),
    }
}

fn known(model: &Model, id: Uuid, what: &str) -> String {
    model.radars.get(&id).map_or("unknown radar".to_owned(), |radar| format!("{what} {}", shown(radar)))
}

fn reported(id: Uuid, report: &Reported) -> String {
    let published: Vec<Uuid> = report.published.iter().map(|record| update_id(id, Some(*record)).0).collect();
    counts(&published, [report.held, report.pending, report.duplicates, report.dropped])
}

fn counts(published: &[Uuid], [held, pending, duplicates, dropped]: [usize; 4]) -> String {
    format!("published {published:?} held {held} pending {pending} duplicates {duplicates} dropped {dropped}")
}

pub fn shown(radar: &Radar) -> String {
    let Radar { set_up, ended, created_at, ended_at, period, next_charge_at, .. } = radar;
    format!("{set_up} {ended:?} {created_at} {ended_at:?} {period} {next_charge_at:?}")
}

pub fn shown_stored(radar: &Stored) -> String {
    let micros = |at: Option<DateTime<Utc>>| at.map(|at| at.timestamp_micros());
    let (set_up, ended) = (radar.set_up.as_str(), radar.status_reason.map(|reason| reason.as_str()));
    let created_at = radar.created_at.timestamp_micros();
    let (ended_at, next_charge_at) = (micros(radar.deactivated_at), micros(radar.next_charge_at));
    format!("{set_up} {ended:?} {created_at} {ended_at:?} {} {next_charge_at:?}", radar.period_no)
}

/// The update that tells of a record, or of a radar's failure.
pub fn update_id(radar: Uuid, record: Option<Uuid>) -> UpdateId {
    let key = record.map_or("failure".to_owned(), |record| record.to_string());
    UpdateId::of(domain::ids::RadarId(radar), &key)
}

//! `GET /operator/v1/findings`, `POST …/findings/{id}/approve` and `…/reject` (decision 4.10).
//!
//! A finding goes by the identifier that its update gets.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::push::outcome;
use crate::domain::account::{self, FindingToJudge, Judge, Judged, Refusal};
use crate::domain::approval::{ApprovalState, Verdict};
use crate::domain::ids::{AccountId, UpdateId};
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::operator::call::Call;
use crate::store::JudgedFilter;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::cursor::FindingCursor;
use crate::wire::operator::page::{LIMIT_DEFAULT, LIMIT_MAX, Page};
use crate::wire::operator::values::word;
use crate::wire::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::wire::time::Instant;

/// A finding that waits for an operator or that one has judged.
#[derive(Debug, Serialize)]
struct FindingRecord {
    finding_id: Uuid,
    account_id: Uuid,
    radar_id: Uuid,
    radar_type: &'static str,
    record_id: Uuid,
    state: &'static str,
    detected_at: Instant,
    judged_at: Option<Instant>,
    content: Box<RawValue>,
}

/// What came of a verdict.
#[derive(Debug, Serialize)]
struct VerdictRecord {
    finding_id: Uuid,
    account_id: Uuid,
    state: &'static str,
    /// `published`, `held`, `dropped` or `rejected`; `duplicate` when it had been judged so before.
    outcome: &'static str,
}

/// What is asked for.
#[derive(Debug, PartialEq)]
struct ListQuery {
    state: ApprovalState,
    account_id: Option<AccountId>,
    after: Option<FindingCursor>,
    limit: u32,
}

/// A page of findings in one state, the oldest first.
pub(crate) async fn list(call: Call) -> Answer {
    let ListQuery { state, account_id, after, limit } = parse(call.query())?;
    let after = after.map(|cursor| (cursor.detected_at, cursor.update_id));
    let filter = JudgedFilter { state, account_id, from: oldest(call.now()), after };
    let (found, has_more) = call.state.shared.store.sweep_judged(&filter, limit as usize).await?;
    let last = found.last().filter(|_| has_more);
    let next = last.map(|(_, found)| {
        FindingCursor { detected_at: found.finding.detected_at, update_id: found.update_id }.encode()
    });
    let records = found.into_iter().map(|(account_id, found)| FindingRecord::of(account_id, found));
    call.fields(200, "Findings", Page::of(records.collect::<Result<_, _>>()?, next))
}

/// Lets a finding through: it is charged where that is the model, and published.
pub(crate) async fn approve(call: Call) -> Answer {
    judge(call, Verdict::Approve).await
}

/// Turns a finding down: nothing is charged, and it never becomes an update.
pub(crate) async fn reject(call: Call) -> Answer {
    judge(call, Verdict::Reject).await
}

async fn judge(call: Call, verdict: Verdict) -> Answer {
    let update_id = UpdateId(call.id("id")?);
    let owner = call.state.shared.store.sweep_judged_owner(update_id).await?;
    let account_id = owner.ok_or(Rejection::NotFound(Missing::Finding))?;
    let decision = call.state.shared.ledger.ask(account_id, Judge { update_id, verdict }).await?;
    if let Err(refusal @ Refusal::Stopped) = decision {
        return Err(Rejection::Conflict(FieldError::new("account", refusal)).into());
    }
    let Judged(report) = decision?;
    let outcome = match (verdict, report.duplicates) {
        (Verdict::Reject, 0) => "rejected",
        _ => outcome(&report),
    };
    let record =
        VerdictRecord { finding_id: update_id.0, account_id: account_id.0, state: verdict.state().as_str(), outcome };
    call.data(200, "Finding judged", record)
}

/// What was detected before this is gone, swept or not.
fn oldest(now: DateTime<Utc>) -> DateTime<Utc> {
    now.checked_sub_signed(account::Settings::default().hold_life).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

fn parse(query: &str) -> Result<ListQuery, Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["state", "account_id", "cursor", "limit"]);
    let words: Vec<&str> = ApprovalState::ALL.iter().map(|state| state.as_str()).collect();
    let state = parameters.one("state", |text| word(text, ApprovalState::from_stored, &words));
    let account_id = parameters.one("account_id", |text| uuid_text(text).map(AccountId));
    let after = parameters.one("cursor", |text| FindingCursor::decode(text).ok_or(NOT_A_CURSOR));
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish(ListQuery { state: state.unwrap_or(ApprovalState::Pending), account_id, after, limit })
}

impl FindingRecord {
    fn of(account_id: AccountId, found: FindingToJudge) -> Result<Self, Failure> {
        Ok(Self {
            finding_id: found.update_id.0,
            account_id: account_id.0,
            radar_id: found.radar_id.0,
            radar_type: found.radar_type.as_str(),
            record_id: found.finding.record_id,
            state: found.state.as_str(),
            detected_at: Instant(found.finding.detected_at),
            judged_at: found.judged_at.map(Instant),
            content: RawValue::from_string(found.finding.content).map_err(Failure::internal)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ListQuery, parse};
    use crate::domain::approval::ApprovalState;
    use crate::wire::operator::page::LIMIT_DEFAULT;

    #[test]
    fn pending_findings_are_the_default() {
        let query = parse("").expect("a query");
        assert_eq!(
            query,
            ListQuery { state: ApprovalState::Pending, account_id: None, after: None, limit: LIMIT_DEFAULT }
        );
        let fields = |raw: &str| {
            let errors = parse(raw).expect_err("errors");
            errors.into_iter().map(|error| error.field).collect::<Vec<_>>()
        };
        assert_eq!(fields("state=held&account_id=7&cursor=x&limit=0"), ["state", "account_id", "cursor", "limit"]);
        assert_eq!(fields("radar_id=7"), ["radar_id"]);
    }
}

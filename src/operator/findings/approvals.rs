//! `GET /operator/v1/findings`, `POST …/findings/{id}/approve` and `…/reject` (decision 4.10).
//!
//! A finding goes by the identifier that its update gets.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::value::RawValue;

use super::pushed::outcome;
use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::account::{self, DecideApproval};
use domain::{AccountId, ApprovalDecision, CommandRejection, FindingForApproval, Missing, UpdateId};
use store::ApprovalFilter;
use wire::operator::findings::{self, ListQuery};
use wire::{FindingCursor, Instant, Page, object};

/// A page of findings in one state, the oldest first.
pub(crate) async fn list(call: Call) -> Answer {
    let ListQuery { state, account_id, after, limit } = findings::parse(call.query())?;
    let after = after.map(|cursor| (cursor.at, UpdateId(cursor.id)));
    let filter = ApprovalFilter { state, account_id, from: oldest(call.now()), after };
    let (found, has_more) = call.store().all_approvals(&filter, limit as usize).await?;
    let last = found.last().filter(|_| has_more);
    let next = last.map(|(_, found)| FindingCursor { at: found.finding.detected_at, id: found.update_id.0 }.encode());
    let records = found.into_iter().map(|(account_id, found)| record(account_id, found));
    let page = Page::of(records.collect::<Result<_, _>>().map_err(Failure::internal)?, next);
    call.page("Findings", page)
}

/// Approves a finding: it is published, and charged if the radar is paid per finding.
pub(crate) async fn approve(call: Call) -> Answer {
    decide(call, ApprovalDecision::Approve).await
}

/// Rejects a finding: nothing is charged, and it never becomes an update.
pub(crate) async fn reject(call: Call) -> Answer {
    decide(call, ApprovalDecision::Reject).await
}

async fn decide(call: Call, decision: ApprovalDecision) -> Answer {
    let update_id = UpdateId(call.id("id")?);
    let owner = call.store().any_approval_owner(update_id).await?;
    let account_id = owner.ok_or(Missing::Finding)?;
    let decided = call.shared().ledger.ask(account_id, DecideApproval { update_id, decision }).await?;
    if let Err(rejection @ CommandRejection::Stopped) = decided {
        return Err(Failure::conflict("account", rejection));
    }
    let report = decided?;
    let outcome = match (decision, report.duplicates) {
        (ApprovalDecision::Reject, 0) => "rejected",
        _ => outcome(&report),
    };
    let state = decision.state();
    call.data(200, "Finding judged", object! { finding_id: update_id, account_id, state, outcome })
}

fn record(account_id: AccountId, found: FindingForApproval) -> serde_json::Result<impl Serialize> {
    Ok(object! {
        finding_id: found.update_id,
        account_id,
        radar_id: found.radar_id,
        radar_type: found.radar_type,
        record_id: found.finding.record_id,
        state: found.state,
        detected_at: Instant(found.finding.detected_at),
        judged_at: found.decided_at.map(Instant),
        content: RawValue::from_string(found.finding.content)?,
    })
}

/// Findings detected before this instant have expired, even if they are not removed yet.
fn oldest(now: DateTime<Utc>) -> DateTime<Utc> {
    now.checked_sub_signed(account::Settings::default().hold_life).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

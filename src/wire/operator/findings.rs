//! Findings that operators approve or reject.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::domain::account::FindingForApproval;
use crate::domain::approval::ApprovalState;
use crate::domain::ids::AccountId;
use crate::domain::rejection::FieldError;
use crate::wire::cursor::FindingCursor;
use crate::wire::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::wire::time::Instant;

/// A finding that waits for approval, or that an operator has approved or rejected.
#[derive(Debug, Serialize)]
pub(crate) struct FindingRecord {
    pub(crate) finding_id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) radar_id: Uuid,
    pub(crate) radar_type: &'static str,
    pub(crate) record_id: Uuid,
    pub(crate) state: &'static str,
    pub(crate) detected_at: Instant,
    #[serde(rename = "judged_at")]
    pub(crate) decided_at: Option<Instant>,
    pub(crate) content: Box<RawValue>,
}

/// What came of a release.
#[derive(Debug, Serialize)]
pub(crate) struct ReleaseRecord {
    pub(crate) radar_id: Uuid,
    /// Findings that were charged and published, or given up because their time is over.
    pub(crate) released: usize,
    /// Findings that the radar still holds beyond the bound of its day, because there is no money for them.
    pub(crate) held: i64,
}

/// The outcome of an approval or rejection.
#[derive(Debug, Serialize)]
pub(crate) struct ApprovalRecord {
    pub(crate) finding_id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) state: &'static str,
    /// `published`, `held`, `dropped` or `rejected`; `duplicate` when the same was decided before.
    pub(crate) outcome: &'static str,
}

/// Which findings are asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct ListQuery {
    pub(crate) state: ApprovalState,
    pub(crate) account_id: Option<AccountId>,
    pub(crate) after: Option<FindingCursor>,
    pub(crate) limit: u32,
}

impl FindingRecord {
    /// # Errors
    /// The content is not JSON.
    pub(crate) fn of(account_id: AccountId, found: FindingForApproval) -> serde_json::Result<Self> {
        Ok(Self {
            finding_id: found.update_id.0,
            account_id: account_id.0,
            radar_id: found.radar_id.0,
            radar_type: found.radar_type.as_str(),
            record_id: found.finding.record_id,
            state: found.state.as_str(),
            detected_at: Instant(found.finding.detected_at),
            decided_at: found.decided_at.map(Instant),
            content: RawValue::from_string(found.finding.content)?,
        })
    }
}

/// Reads which findings are asked for.
pub(crate) fn parse(query: &str) -> Result<ListQuery, Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["state", "account_id", "cursor", "limit"]);
    let state = parameters.one("state", str::parse::<ApprovalState>);
    let account_id = parameters.one("account_id", |text| uuid_text(text).map(AccountId));
    let after = parameters.one("cursor", |text| FindingCursor::decode(text).ok_or(NOT_A_CURSOR));
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish(ListQuery { state: state.unwrap_or(ApprovalState::Pending), account_id, after, limit })
}

#[cfg(test)]
mod tests {
    use super::{LIMIT_DEFAULT, ListQuery, parse};
    use crate::domain::approval::ApprovalState;

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

//! Findings that operators approve or reject.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::cursor::FindingCursor;
use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::time::Instant;
use domain::account::FindingForApproval;
use domain::approval::ApprovalState;
use domain::ids::AccountId;
use domain::rejection::FieldError;

/// A finding that waits for approval, or that an operator has approved or rejected.
#[derive(Debug, Serialize)]
pub struct FindingRecord {
    pub finding_id: Uuid,
    pub account_id: Uuid,
    pub radar_id: Uuid,
    pub radar_type: &'static str,
    pub record_id: Uuid,
    pub state: &'static str,
    pub detected_at: Instant,
    #[serde(rename = "judged_at")]
    pub decided_at: Option<Instant>,
    pub content: Box<RawValue>,
}

/// What came of a release.
#[derive(Debug, Serialize)]
pub struct ReleaseRecord {
    pub radar_id: Uuid,
    /// Findings that were charged and published, or given up because their time is over.
    pub released: usize,
    /// Findings that the radar still holds beyond the bound of its day, because there is no money for them.
    pub held: i64,
}

/// The outcome of an approval or rejection.
#[derive(Debug, Serialize)]
pub struct ApprovalRecord {
    pub finding_id: Uuid,
    pub account_id: Uuid,
    pub state: &'static str,
    /// `published`, `held`, `dropped` or `rejected`; `duplicate` when the same was decided before.
    pub outcome: &'static str,
}

/// Which findings are asked for.
#[derive(Debug, PartialEq)]
pub struct ListQuery {
    pub state: ApprovalState,
    pub account_id: Option<AccountId>,
    pub after: Option<FindingCursor>,
    pub limit: u32,
}

impl FindingRecord {
    /// # Errors
    /// The content is not JSON.
    pub fn of(account_id: AccountId, found: FindingForApproval) -> serde_json::Result<Self> {
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
pub fn parse(query: &str) -> Result<ListQuery, Vec<FieldError>> {
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
    use domain::approval::ApprovalState;

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

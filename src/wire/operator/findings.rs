//! Which findings operators approve or reject.

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::cursor::FindingCursor;
use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use domain::{AccountId, ApprovalState, FieldError};

/// Which findings are asked for.
#[derive(Debug, PartialEq)]
pub struct ListQuery {
    pub state: ApprovalState,
    pub account_id: Option<AccountId>,
    pub after: Option<FindingCursor>,
    pub limit: u32,
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
    use domain::ApprovalState;

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

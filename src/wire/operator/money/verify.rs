//! Which accounts are audited.

use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use domain::{AccountId, FieldError};

/// Accounts that are audited at once when no `limit` is given, and the most that can be asked for.
const ACCOUNTS_DEFAULT: u32 = 20;
const ACCOUNTS_MAX: u32 = 100;

/// Reads the query: this account, or from after which account on, and how many at most.
pub fn parse(raw: &str) -> Result<(Option<AccountId>, Option<AccountId>, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["account_id", "cursor", "limit"]);
    let account_id = parameters.one("account_id", |text| uuid_text(text).map(AccountId));
    let after = parameters.one("cursor", |text| uuid_text(text).map(AccountId).map_err(|_| NOT_A_CURSOR));
    let limit = parameters.limit(ACCOUNTS_DEFAULT, ACCOUNTS_MAX);
    parameters.finish((account_id, after, limit))
}

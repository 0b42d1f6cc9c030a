//! Which actions of operators are asked for.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::parameters::{NOT_A_CURSOR, Parameters, instant, uuid_text};
use domain::FieldError;

/// Which actions are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    pub about: Option<String>,
    pub since: Option<DateTime<Utc>>,
    pub before: Option<Uuid>,
    pub limit: u32,
}

/// Reads the query of `GET /operator/v1/audit`.
pub fn parse(query: &str) -> Result<ListQuery, Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["about", "since", "cursor", "limit"]);
    let about = parameters.one("about", |text| Ok::<_, &str>(text.to_owned()));
    let since = parameters.one("since", instant);
    let before = parameters.one("cursor", |text| uuid_text(text).map_err(|_| NOT_A_CURSOR));
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish(ListQuery { about, since, before, limit })
}

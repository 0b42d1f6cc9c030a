//! What a page was asked for beside its path, and where the next page of a list is.

use std::collections::HashMap;

use actix_web::web::Query;

use crate::api::with_query;
use crate::record::Record;

/// The fields of the query.
pub(crate) type Asked = Query<HashMap<String, String>>;

/// The value of a field of a search; empty where it was not asked for.
pub(crate) fn given<'a>(asked: &'a Asked, name: &str) -> &'a str {
    asked.get(name).map(|value| value.trim()).unwrap_or_default()
}

/// What is given of these fields, as a query has it.
pub(crate) fn given_of<'a>(asked: &'a Asked, names: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    names.iter().map(|name| (*name, given(asked, name))).collect()
}

/// Where the next page of a list is; empty on the last one.
pub(crate) fn next_page(path: &str, found: &Record, asked: &[(&str, &str)]) -> String {
    let cursor = found.text("next_cursor");
    if cursor.is_empty() {
        return cursor;
    }
    let others = asked.iter().copied().filter(|(name, _)| *name != "cursor");
    with_query(path, &others.chain([("cursor", cursor.as_str())]).collect::<Vec<_>>())
}

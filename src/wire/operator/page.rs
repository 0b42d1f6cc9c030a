//! A page of records.

use serde::Serialize;

/// Records on a page when no `limit` is given, and the most that can be asked for.
pub(crate) const LIMIT_DEFAULT: u32 = 100;
pub(crate) const LIMIT_MAX: u32 = 1000;

/// One page of records; stands beside the common fields of the envelope.
#[derive(Debug, Serialize)]
pub(crate) struct Page<T> {
    data: Vec<T>,
    has_more: bool,
    next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The page of `data`; `next` is what to pass as `cursor` for the next page, `None` on the last one.
    pub(crate) fn of(data: Vec<T>, next: Option<String>) -> Self {
        Self { data, has_more: next.is_some(), next_cursor: next }
    }
}

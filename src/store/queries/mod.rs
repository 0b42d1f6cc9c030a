//! What customers and operators read: radars, updates, findings, the ledger.

pub(super) mod approvals;
mod attention;
pub(super) mod evidence;
pub(super) mod ledger;
pub(super) mod paging;
pub(super) mod radar_by_id;
pub(super) mod radar_cache;
pub(super) mod radar_pages;
pub(super) mod radar_search;
pub(super) mod radar_timeline;
pub(super) mod radars;
pub(super) mod statements;
pub(super) mod updates;
pub(super) mod watchers;

#[cfg(test)]
mod tests;

//! What the outbox is to be looked through for, seen with one statement: nearly always nothing.

use chrono::{DateTime, Utc};

use crate::{Result, Store};

/// Whether anything is pending, when the first recovery goes on, and when the first alert about an endpoint is due.
pub(super) const OUTLOOK: &str = "
    select (select count(*) from (
            select endpoint_id from delivery where due_at is not null order by endpoint_id limit 1) as first),
        (select min(coalesce(resumes_at, 0)) from job where finished_at is null and search is null),
        (select min(alert_at) from endpoint_health where alert_at is not null)";

/// What the outbox is to be looked through for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxOutlook {
    /// Whether any delivery is pending.
    pub has_pending: bool,
    /// When the first recovery goes on.
    pub recovery_at: Option<DateTime<Utc>>,
    /// When the first alert about an endpoint is due.
    pub alert_at: Option<DateTime<Utc>>,
}

impl Store {
    /// What the outbox is to be looked through for.
    pub async fn all_outbox_outlook(&self) -> Result<OutboxOutlook> {
        let (has_pending, recovery_at, alert_at) = self.look(self.sql(OUTLOOK)).await?.pop().unwrap_or_default();
        Ok(OutboxOutlook { has_pending, recovery_at, alert_at })
    }
}

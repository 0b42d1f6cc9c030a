//! What needs a human, over all accounts. Each count walks an index of what is counted, and no further than is shown.

use crate::outbox::counts::bounded_counts;
use crate::{Result, Store, StoreError};
use domain::radar::search::COUNT_MAX;

/// What is counted, in the very words of its index.
const COUNTED: [(&str, &str); 8] = [
    ("endpoints_failing", "endpoint_health where breaker_open_until is not null"),
    ("endpoints_disabled", "endpoint_health where disabled_at is not null"),
    ("deliveries_held", "delivery where state = 'held'"),
    ("deliveries_exhausted", "delivery where state in ('held', 'exhausted') and state = 'exhausted'"),
    ("findings_pending", "approval where state = 'pending'"),
    ("accounts_frozen", "account where frozen_at is not null"),
    ("accounts_stopped", "account where status <> 'active'"),
    ("types_paused", "type_pause"),
];

impl Store {
    /// How many of each kind there are; one more than [`COUNT_MAX`] stands for any number beyond that.
    pub async fn all_attention(&self) -> Result<Vec<(&'static str, u64)>> {
        let mut sql = self.sql(&bounded_counts(&COUNTED, COUNT_MAX + 1));
        let rows = self.deadline.io(sql.rows(&self.read)).await?;
        let counts = rows.first().ok_or_else(|| StoreError::corrupt("account", "counts without a row"))?;
        COUNTED.iter().map(|&(what, _)| Ok((what, counts.try_get::<i64>("", what)?.unsigned_abs()))).collect()
    }
}

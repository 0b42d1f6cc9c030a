//! How much is in the outbox, as operators see it. Each count walks an index of what is counted, and no further than
//! [`COUNTED_MAX`].

use crate::database::columns::in_order;
use crate::{Result, Store, StoreError};

/// Rows of a kind that are counted at most, so that looking takes the same time however many there are.
pub const COUNTED_MAX: u64 = 100_000;

/// How much is in the outbox of all accounts, each count at most [`COUNTED_MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxCounts {
    /// Deliveries that are due now or later, or under way.
    pub pending: u64,
    /// Deliveries held for disabled endpoints.
    pub held: u64,
    /// Deliveries whose attempts are used up.
    pub exhausted: u64,
    /// Endpoints whose breaker is open.
    pub open_breakers: u64,
    /// Endpoints that are disabled.
    pub disabled_endpoints: u64,
}

in_order!(OutboxCounts { pending, held, exhausted, open_breakers, disabled_endpoints });

impl Store {
    /// How much is in the outbox of all accounts.
    pub async fn all_outbox_counts(&self) -> Result<OutboxCounts> {
        let counts = self.first(&statement(), ()).await?;
        counts.ok_or_else(|| StoreError::corrupt("delivery", "counts without a row"))
    }
}

/// The statement of [`OutboxCounts`]. The conditions are in the very words of the indexes.
pub(super) fn statement() -> String {
    let counts = [
        ("pending", "delivery where due_at is not null"),
        ("held", "delivery where state = 'held'"),
        ("exhausted", "delivery where state in ('held', 'exhausted') and state = 'exhausted'"),
        ("open_breakers", "endpoint_health where breaker_open_until is not null"),
        ("disabled_endpoints", "endpoint_health where disabled_at is not null"),
    ];
    bounded_counts(&counts, COUNTED_MAX)
}

/// Counts rows of each kind, by its name, up to `most`.
pub(crate) fn bounded_counts(kinds: &[(&str, &str)], most: u64) -> String {
    let count = |(name, rows): &(&str, &str)| {
        format!("(select count(*) from (select 1 as one from {rows} limit {most}) as {name}_rows) as {name}")
    };
    format!("select {}", kinds.iter().map(count).collect::<Vec<_>>().join(", "))
}

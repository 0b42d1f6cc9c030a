//! The part of `GET /metrics` that is about the database: its connections, its files, and feeds that are due.

use chrono::{DateTime, Utc};
use prometheus::{IntGaugeVec, Opts, Registry};

use actors::runtime::registered::{registered, set};
use store::{FileSizes, Store};

/// Adds what is known of the database; what only it knows is left out while it is away.
pub(super) async fn add_database(registry: &Registry, store: &Store, now: DateTime<Utc>) -> prometheus::Result<()> {
    let connections = Opts::new("radar_database_connections", "Connections to the database, by pool and state");
    let connections = registered(registry, IntGaugeVec::new(connections, &["pool", "state"]))?;
    for (pool, counts) in store.pools() {
        for (state, count) in [("idle", counts.idle), ("used", counts.open.saturating_sub(counts.idle))] {
            connections.with_label_values(&[pool, state]).set(i64::from(count));
        }
    }
    if let Ok(Some(FileSizes { database, log })) = store.file_sizes().await {
        set(registry, "radar_database_bytes", "Length of the SQLite file", database as f64)?;
        set(registry, "radar_database_log_bytes", "Length of the log of the SQLite file", log as f64)?;
    }
    if let Ok(oldest) = store.oldest_due_feed().await {
        let lag_s = oldest.map_or(0.0, |due_at| (now - due_at).as_seconds_f64().max(0.0));
        set(
            registry,
            "radar_feed_due_lag_seconds",
            "How long the feed is due that has waited longest for its poll",
            lag_s,
        )?;
    }
    Ok(())
}

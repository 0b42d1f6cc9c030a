//! Metrics of the processes that share the database, as this one sees them.

use prometheus::{Registry, Result};

use actors::runtime::registered::set;
use store::Store;

/// Adds them; `nodes` is how many there are, where the database answers.
pub(super) fn add_nodes(registry: &Registry, store: &Store, nodes: Option<usize>) -> Result<()> {
    if let Some(nodes) = nodes {
        set(registry, "radar_nodes", "Processes that share the database", nodes as f64)?;
    }
    let membership = store.membership();
    let help = "Shards of the work that this process owns";
    set(registry, "radar_node_shards_owned", help, membership.shards_owned() as f64)?;
    let help = "Age of the last heartbeat of this process that the database has taken";
    set(registry, "radar_node_lease_age_seconds", help, membership.lease_age().as_secs_f64())
}

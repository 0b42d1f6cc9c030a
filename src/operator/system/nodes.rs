//! `/operator/v1/nodes`: the processes that share the database, and the shards that each owns.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::Missing;
use store::Node;
use wire::{Instant, object};

/// `GET /operator/v1/nodes`
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let store = call.store();
    let (this, now) = (store.membership().node_id(), call.now());
    let nodes = store.all_nodes().await?;
    call.data(200, "Nodes", nodes.iter().map(|node| record(node, this == Some(node.node_id), now)).collect::<Vec<_>>())
}

/// `POST /operator/v1/nodes/{id}/drain`: its shards go to the others at once; what it has begun it finishes.
pub(crate) async fn drain(call: Call) -> Answer {
    call.no_query()?;
    let node_id = call.id("id")?;
    if !call.store().drain_node(node_id).await? {
        return Err(Missing::Node.into());
    }
    call.data(200, "Node drained", object! { node_id: node_id.to_string() })
}

fn record(node: &Node, is_this: bool, now: DateTime<Utc>) -> impl Serialize + use<> {
    let state = match node {
        Node { expires_at, .. } if *expires_at <= now => "silent",
        Node { is_draining: true, .. } => "draining",
        _ => "active",
    };
    object! {
        node_id: node.node_id.to_string(),
        name: node.name.clone(),
        version: node.version.clone(),
        state,
        started_at: Instant(node.started_at),
        shards: node.shards.len(),
        shard_ranges: ranges(&node.shards),
        lease_age_seconds: node.lease_age(now).map(|age| age.as_seconds_f64()),
        this_process: is_this,
    }
}

/// Numbers in ascending order, those that follow each other together.
fn ranges(numbers: &[i64]) -> Vec<String> {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let text = |run: &[i64]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    runs.map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn what_follows_each_other_is_one_range() {
        assert_eq!(ranges(&[]), Vec::<String>::new());
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), ["0-2", "5", "7-8"]);
    }
}

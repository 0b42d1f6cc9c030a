//! `/operator/v1/nodes`: the processes that share the database, and the shards that each owns.

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::operator::call::Call;
use crate::web::call::Answer;
use domain::rejection::Missing;
use store::Node;
use wire::object;
use wire::time::Instant;

/// `GET /operator/v1/nodes`
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let store = &call.state.shared.store;
    let (this, now) = (store.membership().node_id(), call.now());
    let nodes = store.all_nodes().await?;
    call.data(200, "Nodes", nodes.iter().map(|node| record(node, this == Some(node.node_id), now)).collect::<Vec<_>>())
}

/// `POST /operator/v1/nodes/{id}/drain`: its shards go to the others at once; what it has begun it finishes.
pub(crate) async fn drain(call: Call) -> Answer {
    call.no_query()?;
    let node_id = call.id("id")?;
    if !call.state.shared.store.drain_node(node_id).await? {
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
        shards: node.shards,
        this_process: is_this,
    }
}

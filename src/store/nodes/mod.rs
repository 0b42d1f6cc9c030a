//! The processes that share the database: each is a node, which owns shards of the work.
//!
//! A node lives for as long as it says so again and again ([`Store::heartbeat`]), judged by the database's clock. One that has
//! fallen silent is removed by another, in the transaction that frees its shards and what it had claimed; commits hold the
//! row of their node ([`Sql::fenced`]), so that none ends after that. Who owns a shard polls the hosts that fall into it,
//! looks ahead for what is due there, and sends what waits; none of this is needed for being right, since what is due is
//! claimed row by row (`claims`). A database file, and one with a simulated clock, belongs to one process.
//!
//! Duty: who lives, who owns what, and whose turn it is at a host. Never here: what an owner does (`actors::nodes`).

mod heartbeat;
mod hints;
mod host_turns;
mod membership;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

pub use heartbeat::Heartbeat;
pub use hints::Hints;
pub use host_turns::HostTurn;
pub use membership::Membership;

use heartbeat::LEASE;

use crate::database::{Run, Sql};
use crate::{Result, Store};

/// A process that shares the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The identifier of its start.
    pub node_id: Uuid,
    /// Where it runs: the machine, and where it listens there.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// When it was started.
    pub started_at: DateTime<Utc>,
    /// Until when it is taken to live.
    pub expires_at: DateTime<Utc>,
    /// Whether it gives its shards to others and takes none.
    pub is_draining: bool,
    /// The shards that it owns, in order.
    pub shards: Vec<i64>,
}

impl Node {
    /// How long ago it last said that it lives; `None` of one that shares its database with nobody, which need not say so.
    pub fn lease_age(&self, now: DateTime<Utc>) -> Option<TimeDelta> {
        let lease = TimeDelta::from_std(LEASE).unwrap_or_default();
        let age = now - (self.expires_at - lease);
        (age > -lease).then_some(age.max(TimeDelta::zero()))
    }
}

impl Store {
    /// The place of this process among those that share the database.
    pub fn membership(&self) -> &Membership {
        &self.membership
    }

    /// The processes that share the database, the oldest first.
    pub async fn all_nodes(&self) -> Result<Vec<Node>> {
        let nodes = "select node_id, name, version, started_at, expires_at, is_draining from node
            order by started_at, node_id";
        let found = self.all(nodes, ()).await?.into_iter();
        let owned = "select node_id, shard from shard where node_id is not null order by shard";
        let owned: Vec<(Uuid, i64)> = self.all(owned, ()).await?;
        let node = |(node_id, name, version, started_at, expires_at, is_draining)| {
            let shards = owned.iter().filter(|(owner, _)| *owner == node_id).map(|(_, shard)| *shard).collect();
            Node { node_id, name, version, started_at, expires_at, is_draining, shards }
        };
        Ok(found.map(node).collect())
    }

    /// Has a node give its shards to the others and take none any more; whether there is such a node.
    pub async fn drain_node(&self, node_id: Uuid) -> Result<bool> {
        self.in_transaction(async |transaction| {
            let is_known = transaction.run("update node set is_draining = 1 where node_id = ?", node_id).await? > 0;
            transaction.run(HAND_OVER, (node_id, self.leases.now(), node_id)).await?;
            Ok(is_known)
        })
        .await
    }

    /// Gives all shards to the other nodes, before an orderly stop.
    pub async fn hand_over(&self) -> Result<()> {
        let Some(node_id) = self.membership.node_id() else { return Ok(()) };
        self.drain_node(node_id).await?;
        if self.is_shared() {
            self.membership.disown();
        }
        Ok(())
    }

    /// Is no node any more: what it still claims is free.
    pub async fn leave(&self) -> Result<()> {
        let Some(node_id) = self.membership.node_id() else { return Ok(()) };
        self.in_transaction(async |transaction| self.remove_nodes(transaction, vec![node_id]).await.map(drop)).await
    }
}

/// Gives the shards of a node to those that live and take some, to each as many; in one statement, so that no shard is
/// without an owner in between. With no other they stay.
const HAND_OVER: &str = "update shard set node_id = live.node_id from (
        select node_id, row_number() over (order by node_id) - 1 as place, count(*) over () as places from node
        where is_draining = 0 and node_id <> ? and expires_at > ?) as live
    where shard.node_id = ? and shard.shard % live.places = live.place";

impl Sql {
    /// Appends that the node lives whose process commits. Its row is held until the commit ends, so that no
    /// other process takes over before.
    pub(crate) fn fenced(&mut self, node_id: Uuid) -> &mut Self {
        self.add("exists (select 1 from node where node_id = ?", node_id).hold_key().push(")")
    }
}

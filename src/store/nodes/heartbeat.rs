//! A heartbeat, and what is looked after on that occasion: nodes that have fallen silent, and an even share of the shards.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;

use crate::claims::DueTable;
use crate::database::{List, Run, WriteTransaction};
use crate::{Result, Store};
use domain::scheduling::shards::share_of;

/// How long a node is taken to live after a heartbeat.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// The same where no other process can take its place.
const LEASE_ALONE: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// What a heartbeat has come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heartbeat {
    /// Whether this process had been given up, and is a new node now: what it had claimed is lost.
    pub was_removed: bool,
    /// How many other nodes were given up.
    pub removed: usize,
    /// The shards that came or went.
    pub changed: Vec<i64>,
}

impl Store {
    /// Whether other processes may work on the same database.
    pub fn is_shared(&self) -> bool {
        self.leases.are_shared()
    }

    /// Becomes a node in the place of those before it that cannot live any more: of all where this process is alone, else of
    /// those with its name. `name` says where it runs, and is no other living process's.
    pub async fn join(&self, name: &str, version: &str) -> Result<()> {
        self.in_transaction(async |transaction| {
            let mut before = self.sql("select node_id from node");
            if self.is_shared() {
                before.push(" where name = ").bind(name);
            }
            let before: Vec<Uuid> = before.all(transaction).await?;
            self.remove_nodes(transaction, before).await.map(drop)
        })
        .await?;
        self.register(name, version).await
    }

    async fn register(&self, name: &str, version: &str) -> Result<()> {
        let (node_id, is_alone, began_at) = (Uuid::new_v4(), !self.is_shared(), self.membership.steady_now());
        self.in_transaction(async |transaction| {
            let insert = "insert into node (node_id, name, version, is_draining, started_at, expires_at)
                values (?, ?, ?, 0, ?, ";
            let mut insert = self.sql_with(insert, (node_id, name, version, self.leases.now()));
            insert.now_after(self.leases.now(), if is_alone { LEASE_ALONE } else { LEASE }).push(")");
            insert.run(transaction).await?;
            if is_alone {
                transaction.run("update shard set node_id = ?", node_id).await?;
            }
            Ok(())
        })
        .await?;
        self.membership.begin(node_id, is_alone, began_at);
        Ok(())
    }

    /// Says that this node lives, gives up those that do not, and takes or leaves shards until each has its share. A process
    /// that was given up meanwhile joins again.
    pub async fn heartbeat(&self, name: &str, version: &str) -> Result<Heartbeat> {
        let Some(node_id) = self.membership.node_id() else { return Ok(Heartbeat::default()) };
        let began_at = self.membership.steady_now();
        let renewed = self.in_transaction(async |transaction| {
            let mut renew = self.sql("update node set expires_at = ");
            renew.now_after(self.leases.now(), LEASE).add(" where node_id = ? returning is_draining", node_id);
            let is_draining: Option<bool> = renew.first(transaction).await?;
            let Some(is_draining) = is_draining else { return Ok(None) };
            let mut silent = self.sql_with("select node_id from node where expires_at <= ?", self.leases.now());
            // One whose commit is under way holds its row, and is given up later.
            let silent: Vec<Uuid> = silent.lock_skipping().all(transaction).await?;
            let removed = self.remove_nodes(transaction, silent).await?;
            let (shards, has_peers) = self.take_share(transaction, node_id, is_draining).await?;
            Ok(Some((removed, shards, has_peers)))
        });
        match renewed.await? {
            Some((removed, shards, has_peers)) => {
                let changed = self.membership.go_on(began_at, shards, has_peers);
                Ok(Heartbeat { removed, changed, was_removed: false })
            }
            None => {
                let changed = self.membership.lose();
                self.register(name, version).await?;
                Ok(Heartbeat { removed: 0, changed, was_removed: true })
            }
        }
    }

    /// Removes nodes; their shards and what they had claimed are free. A claim has another number then, so that its result is
    /// refused.
    pub(super) async fn remove_nodes(&self, transaction: &WriteTransaction, nodes: Vec<Uuid>) -> Result<usize> {
        if nodes.is_empty() {
            return Ok(0);
        }
        for table in DueTable::ALL {
            self.free_claims(transaction, table, &nodes).await?;
        }
        for remove in ["update shard set node_id = null where node_id in ?", "delete from node where node_id in ?"] {
            transaction.run(remove, List(nodes.iter().copied())).await?;
        }
        Ok(nodes.len())
    }

    /// Takes free shards, or leaves some, until this node has its share; those that it has then, and whether there are other
    /// nodes.
    async fn take_share(
        &self,
        transaction: &WriteTransaction,
        node_id: Uuid,
        is_draining: bool,
    ) -> Result<(BTreeSet<i64>, bool)> {
        let owned: Vec<i64> =
            transaction.all("select shard from shard where node_id = ? order by shard", node_id).await?;
        let count = "select count(*), count(case when is_draining = 0 then 1 end) from node";
        let (nodes, staying): (i64, i64) = transaction.first(count, ()).await?.unwrap_or_default();
        let others = staying - i64::from(!is_draining);
        let share = match (is_draining, others) {
            // It goes on until there is another.
            (true, 0) => owned.len(),
            (true, _) => 0,
            (false, others) => share_of(others + 1),
        };
        let mut owned: BTreeSet<i64> = owned.into_iter().collect();
        if owned.len() > share {
            let surplus: Vec<i64> = owned.iter().copied().skip(share).collect();
            owned.retain(|shard| !surplus.contains(shard));
            transaction.run("update shard set node_id = null where shard in ?", List(surplus)).await?;
        } else if owned.len() < share {
            let take = "update shard set node_id = ? where shard in (
                select shard from shard where node_id is null order by shard limit ?";
            let mut take = self.sql_with(take, (node_id, (share - owned.len()) as u64));
            take.lock_skipping().push(") returning shard");
            owned.extend(take.all::<i64>(transaction).await?);
        }
        Ok((owned, nodes > 1))
    }
}

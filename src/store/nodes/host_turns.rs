//! Turns at the hosts that several processes ask, so that all of them together keep the manners that a host is owed (decision
//! 7.4).
//!
//! Turns of a host are numbered: each has an instant of its own, a gap after the one before, and is open until its request has
//! ended or its node is gone. One is taken with one statement, and nothing is held during the request.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::database::leases::micros;
use crate::database::{LeaseNow, Sql};
use crate::{Result, Store, StoreError};

/// How long after its instant a turn is open at most: for one whose taker never heard of it. No request takes as long.
const LOST_AFTER: Duration = Duration::from_secs(5 * 60);

/// A turn at a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostTurn {
    /// Its place in the order of the host's turns.
    pub turn_no: i64,
    /// How long it is until its instant.
    pub wait: Duration,
    /// How many turns before it are open at most.
    pub open_before: u64,
}

impl Store {
    /// Whether other processes ask hosts as well.
    pub fn has_peers(&self) -> bool {
        self.membership.has_peers()
    }

    /// Takes the next turn at `host`, whose turns are `gap` apart.
    pub async fn take_host_turn(&self, host: &str, gap: Duration) -> Result<HostTurn> {
        let (now, gap) = (self.leases.now(), micros(gap));
        let next = "with turn as (insert into asked_host as h (host, last_turn_no, next_at) values (?, 1, ? + ?)
            on conflict (host) do update set last_turn_no = h.last_turn_no + 1, next_at = ";
        let mut sql = self.sql_with(next, (host, now, gap));
        let taken = "(h.next_at, ?) + ? returning last_turn_no as turn_no, next_at - ? - ? as wait),
            taken as (insert into host_turn (host, turn_no, node_id, lost_at) select ?, turn_no, ?, wait + ";
        sql.larger().add(taken, (now, gap, gap, now, host, self.membership.node_id())).now_after(now, LOST_AFTER);
        // The statement does not see the turns that were taken while it waited for the host's row: they count as open.
        let open_before = " from turn) select turn_no, wait,
            turn_no - 1 - coalesce((select last_turn_no from asked_host where host = ?), 0)
            + (select count(*) from host_turn where host = ? and ";
        sql.add(open_before, (host, host)).is_open(now).push(") from turn");
        let taken: Option<(i64, i64, i64)> = self.deadline.io(sql.first(&self.write)).await?;
        let (turn_no, wait, open_before) =
            taken.ok_or_else(|| StoreError::corrupt("host_turn", "no turn was taken"))?;
        let wait = Duration::from_micros(u64::try_from(wait).unwrap_or_default());
        Ok(HostTurn { turn_no, wait, open_before: u64::try_from(open_before).unwrap_or_default() })
    }

    /// How many turns at `host` before this one are open.
    pub async fn open_host_turns_before(&self, host: &str, turn_no: i64) -> Result<u64> {
        let mut sql =
            self.sql_with("select count(*) from host_turn where host = ? and turn_no < ? and ", (host, turn_no));
        sql.is_open(self.leases.now());
        Ok(self.deadline.io(sql.first(&self.write)).await?.unwrap_or_default())
    }

    /// Ends a turn of this process.
    pub async fn end_host_turn(&self, host: &str, turn_no: i64) -> Result<()> {
        let end = "delete from host_turn where host = ? and turn_no = ? and node_id = ?";
        self.run(end, (host, turn_no, self.membership.node_id())).await.map(drop)
    }

    /// Forgets turns that were never ended, and hosts that were not asked since `before`.
    pub async fn forget_hosts(&self, now: DateTime<Utc>, before: DateTime<Utc>) -> Result<usize> {
        let turns = self.remove_before("host_turn", "lost_at", now).await?;
        Ok(turns + self.remove_before("asked_host", "next_at", before).await?)
    }
}

impl Sql {
    /// Appends that a turn is open.
    fn is_open(&mut self, now: LeaseNow) -> &mut Self {
        self.add("lost_at > ? and exists (select 1 from node n where n.node_id = host_turn.node_id)", now)
    }
}

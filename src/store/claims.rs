//! Claims: how one process at a time works at what is due, however many share the database.
//!
//! What is due waits in a table at an instant of its own, its durable timer. A claim moves that instant to the end of a
//! lease, so that what a dead process had claimed is due again by itself. Claims of a row are numbered, and each statement
//! that renews one, gives it back or ends it names its number ([`Sql::held`]): under a claim that was lost nothing is
//! written. A claim says whose it is, so that what a node had claimed that has fallen silent is freed before its lease
//! ends (`nodes`). Work that can end the process is counted when it is claimed (`domain::scheduling::attempts`).
//!
//! Duty: the words of every claim, and what holds of all of them. Never here: which rows are claimed, and how work ends.

use std::time::Duration;

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::Value;
use uuid::Uuid;

use crate::database::{LeaseNow, List, Run, Sql, WriteTransaction, in_few_lengths};
use crate::{Result, Store};

/// A table whose rows become due, are claimed and worked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DueTable {
    /// Feeds, which are polled.
    Feeds,
    /// Set-ups, which are attempted.
    SetUps,
    /// Deliveries, which are sent. Their leases outlast an attempt and are not renewed, and no attempt can end the process.
    Deliveries,
}

/// A row that this process alone works at until its lease ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The row.
    pub id: Uuid,
    /// Counts the claims of the row; a result under an old number is refused.
    pub lease_no: i64,
    /// How many attempts in a row had begun and not ended before this claim.
    pub open_attempts: u32,
}

/// How long it is until work is due; nothing at all when it is due already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextDue {
    /// For the next piece of work without an open attempt.
    pub unsuspected_in: Option<Duration>,
    /// For the next one whose last attempt has not ended, or the end of its lease if that still runs.
    pub suspect_in: Option<Duration>,
}

/// A claim that is given back, and after how long its work is due again.
pub(crate) type GivenBack = (DueTable, Claim, Duration);

impl DueTable {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Feeds, Self::SetUps, Self::Deliveries];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Feeds => "feed",
            Self::SetUps => "set_up",
            Self::Deliveries => "delivery",
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Feeds => "feed_id",
            Self::SetUps => "radar_id",
            Self::Deliveries => "update_id",
        }
    }

    const fn due_at(self) -> &'static str {
        match self {
            Self::Feeds => "next_poll_at",
            Self::SetUps | Self::Deliveries => "due_at",
        }
    }

    /// Asks when the next row without an open attempt is due, and the next with one, of those that `also` says; followed by
    /// the present instant. It runs often, so both databases must answer it from an index.
    pub fn next_due(self, also: &str) -> String {
        let (table, due_at) = (self.name(), self.due_at());
        let first = |open| {
            format!("(select min({due_at}) from {table} where {due_at} is not null and open_attempts {open}{also})")
        };
        format!("select {} as due_at, {} as suspect_at, ", first("= 0"), first("> 0"))
    }
}

impl Claim {
    /// The next claim of a row that is read before it is claimed.
    pub(crate) fn next(id: Uuid, lease_no: i64, open_attempts: i64) -> Self {
        Self { id, lease_no: lease_no + 1, open_attempts: u32::try_from(open_attempts).unwrap_or(u32::MAX) }
    }

    /// The same claim, whose attempt has ended.
    #[must_use]
    pub const fn ended(self) -> Self {
        Self { open_attempts: 0, ..self }
    }
}

impl NextDue {
    /// Whether work without an open attempt is due.
    pub fn has_unsuspected(&self) -> bool {
        self.unsuspected_in.is_some_and(|wait| wait.is_zero())
    }

    /// Whether a suspect is due.
    pub fn has_suspect(&self) -> bool {
        self.suspect_in.is_some_and(|wait| wait.is_zero())
    }

    /// How long it is until the first thing is due that is not due yet.
    pub fn next_in(&self) -> Option<Duration> {
        [self.unsuspected_in, self.suspect_in].into_iter().flatten().filter(|wait| !wait.is_zero()).min()
    }
}

impl Store {
    /// How long a claim lasts that is not renewed.
    pub fn lease_length(&self) -> Duration {
        self.leases.length()
    }

    /// How long it is until something of a table is due.
    pub async fn next_due(&self, table: DueTable) -> Result<NextDue> {
        let mut sql = self.sql(&table.next_due(&self.ours(table)));
        sql.now(self.leases.now()).push(" as now_at");
        let mut found: Vec<(Option<i64>, Option<i64>, i64)> = self.look(sql).await?;
        let Some((due_at, suspect_at, now_at)) = found.pop() else { return Ok(NextDue::default()) };
        let wait =
            |due_at: i64| Duration::from_micros(u64::try_from(due_at.saturating_sub(now_at)).unwrap_or_default());
        Ok(NextDue { unsuspected_in: due_at.map(wait), suspect_in: suspect_at.map(wait) })
    }

    /// That a row of a table is in a shard of ours, where that matters. The shards seldom change, so that the database knows
    /// the statement all the same.
    pub(crate) fn ours(&self, table: DueTable) -> String {
        let narrowed = if table == DueTable::Feeds { self.membership.narrowed() } else { None };
        match narrowed.as_deref() {
            None => String::new(),
            Some([]) => " and false".to_owned(),
            Some(shards) => {
                let shards: Vec<String> = shards.iter().map(i64::to_string).collect();
                format!(" and shard in ({})", shards.join(", "))
            }
        }
    }

    /// Frees what nodes had claimed that live no more: it is due at once, under another number.
    pub(crate) async fn free_claims(
        &self,
        transaction: &WriteTransaction,
        table: DueTable,
        nodes: &[Uuid],
    ) -> Result<u64> {
        let (due_at, now) = (table.due_at(), self.leases.now());
        // The rows that are due some time are few, and there is an index of them.
        let free = format!(
            "update {} set lease_no = lease_no + 1, lease_until = ?, {due_at} = ?
            where {due_at} is not null and lease_until > ? and claimed_by in ?",
            table.name()
        );
        transaction.run(&free, (now, now, now, List(nodes.iter().copied()))).await
    }

    /// Keeps claims for longer; answers the rows of those that had been lost.
    pub async fn renew_claims(&self, table: DueTable, claims: &[Claim]) -> Result<Vec<Uuid>> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = self.sql(&format!("update {} set ", table.name()));
        sql.leased(table, self.leases.now(), self.leases.length()).push(" where ").held(table, claims);
        sql.push(&format!(" returning {}", table.key()));
        let renewed: Vec<Uuid> = self.deadline.io(sql.all(&self.write)).await?;
        Ok(claims.iter().map(|claim| claim.id).filter(|id| !renewed.contains(id)).collect())
    }

    /// Gives a claim back: its work is due again after `wait`, unless it is never due, and counts as little as it did
    /// before. Claims that are given back at the same time are written together.
    pub async fn give_back(&self, table: DueTable, claim: Claim, wait: Duration) -> Result<()> {
        let giving_back = self.given_back.run((table, claim, wait), async |all| self.give_all_back(all).await);
        self.deadline.io(giving_back).await.map(drop)
    }

    async fn give_all_back(&self, mut given_back: Vec<GivenBack>) -> Result<Vec<()>> {
        // In one order, so that two processes never wait for one another.
        given_back.sort_by_key(|(table, claim, _)| (*table, claim.id));
        let transaction = self.begin().await?;
        for (table, claim, wait) in &given_back {
            let mut sql = self.sql(&format!("update {} set lease_until = null, open_attempts = ", table.name()));
            sql.bind(i64::from(claim.open_attempts)).push(", ").due(*table, self.leases.now(), *wait);
            sql.push(" where ").held(*table, [claim]).run(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(vec![(); given_back.len()])
    }

    /// Begins claims of rows that `transaction` has locked; each counts as so many attempts.
    pub(crate) async fn lease(
        &self,
        transaction: &WriteTransaction,
        table: DueTable,
        ids: impl IntoIterator<Item = Uuid>,
        attempts: i64,
    ) -> Result<()> {
        let ids = in_few_lengths(ids);
        if ids.is_empty() {
            return Ok(());
        }
        let mut sql =
            self.sql(&format!("update {} set lease_no = lease_no + 1, open_attempts = open_attempts + ", table.name()));
        sql.bind(attempts).push(", claimed_by = ").bind(self.membership.node_id()).push(", ");
        sql.leased(table, self.leases.now(), self.leases.length());
        sql.push(&format!(" where {} in ", table.key())).bind_list(ids).run(transaction).await.map(drop)
    }
}

/// Claims a new delivery in the transaction that writes it, until an instant by the clock of the leases.
pub(crate) fn lease_new(row: &mut delivery::Model, claimed_by: Option<Uuid>, until: DateTime<Utc>) {
    row.lease_no += 1;
    row.claimed_by = claimed_by;
    row.lease_until = Some(until.timestamp_micros());
    row.due_at = row.lease_until;
}

impl Sql {
    /// Appends the columns of a row whose lease begins or goes on now; it is due again when the lease ends.
    pub(crate) fn leased(&mut self, table: DueTable, now: LeaseNow, length: Duration) -> &mut Self {
        self.push("lease_until = ").now_after(now, length).push(", ").due(table, now, length)
    }

    /// Appends when a row is due, unless it is never due.
    fn due(&mut self, table: DueTable, now: LeaseNow, wait: Duration) -> &mut Self {
        let due_at = table.due_at();
        self.push(&format!("{due_at} = case when {due_at} is null then null else "));
        self.now_after(now, wait).push(" end")
    }

    /// Appends that a row is under no lease.
    pub(crate) fn unleased(&mut self, now: LeaseNow) -> &mut Self {
        self.add("(lease_until is null or lease_until <= ?)", now)
    }

    /// Appends that a row is under one of these claims: the fence before all that is written under a claim. The rows alone
    /// are looked up, since a database may read a whole table for pairs.
    pub(crate) fn held<'a>(&mut self, table: DueTable, claims: impl IntoIterator<Item = &'a Claim>) -> &mut Self {
        let (key, claims) = (table.key(), in_few_lengths(claims));
        self.push(&format!("{key} in ")).bind_list(claims.iter().map(|claim| claim.id));
        let pairs = claims.into_iter().map(|claim| -> [Value; 2] { [claim.id.into(), claim.lease_no.into()] });
        self.push(&format!(" and ({key}, lease_no) in (values ")).bind_rows(pairs).push(")")
    }

    /// Appends the same fence where the claims are rows of the statement: that a row is under the claim whose identifier and
    /// number those columns hold.
    pub(crate) fn held_by(&mut self, table: DueTable, [id, lease_no]: [&str; 2]) -> &mut Self {
        let (name, key) = (table.name(), table.key());
        self.push(&format!("{name}.{key} = {id} and {name}.lease_no = {lease_no}"))
    }
}

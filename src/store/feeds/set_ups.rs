//! Set-ups that wait for an attempt, and the claims by which one process at a time makes it (decision 1.3).
//!
//! A radar that is created with sources to be found has a row here until they are found or given up; the row goes in the
//! transaction that settles the radar, and only under the claim that still holds. Never here: money, and what a failure
//! means.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use entity::set_up;
use uuid::Uuid;

use crate::claims::{Claim, DueTable};
use crate::database::{InColumn, List, Sql, Statements, WriteTransaction, in_few_lengths};
use crate::{Result, Store};
use domain::{AccountId, FailedAttempts, RadarId};

/// A set-up that this process alone may attempt until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedSetUp {
    /// The radar.
    pub radar_id: RadarId,
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The claim.
    pub claim: Claim,
    /// What the attempts that did end have come to.
    pub failed: FailedAttempts,
}

/// Hops from account to account along the index, however many set-ups each has waiting.
pub(crate) const WAITING: &str = "
    with recursive waiting(account_id) as (
        select * from (
            select account_id from set_up where open_attempts = 0 order by account_id limit 1) as lowest
        union all
        select (
            select s.account_id from set_up s
            where s.open_attempts = 0 and s.account_id > w.account_id order by s.account_id limit 1)
        from waiting w where w.account_id is not null)
    select * from (
        select w.account_id,
            (select s.due_at from set_up s where s.account_id = w.account_id and s.open_attempts = 0
                order by s.due_at, s.radar_id limit 1) as due_at,
            (select s.radar_id from set_up s where s.account_id = w.account_id and s.open_attempts = 0
                order by s.due_at, s.radar_id limit 1) as radar_id
        from waiting w where w.account_id is not null) as earliest
    where account_id not in (select account_id from account where status <> 'active') and due_at <= ?";

impl Store {
    /// The active accounts (decision 4.12) with due set-ups that have no open attempt, the longest waiting first.
    pub async fn all_accounts_with_set_ups(&self) -> Result<Vec<AccountId>> {
        let mut found: Vec<(AccountId, i64, Uuid)> = self.all(WAITING, self.leases.now()).await?;
        // Identifiers of radars increase with the time of their creation.
        found.sort_unstable_by_key(|&(_, due_at, radar_id)| (due_at, radar_id));
        Ok(found.into_iter().map(|(account_id, ..)| account_id).collect())
    }

    /// Claims due set-ups of the accounts in `shares`, no more of each than its share.
    pub async fn claim_set_ups(&self, shares: &[(AccountId, usize)]) -> Result<Vec<ClaimedSetUp>> {
        if shares.is_empty() {
            return Ok(Vec::new());
        }
        let due = "select * from set_up where open_attempts = 0 and due_at <= ? and radar_id in (";
        let mut due = self.sql_with(due, self.leases.now());
        for (index, (account_id, count)) in shares.iter().enumerate() {
            due.push(if index == 0 { "" } else { " union all " });
            let share = format!(
                "select * from (select radar_id from set_up where open_attempts = 0 and account_id = ? and due_at <= ?
                order by due_at, radar_id limit ?) as share_{index}"
            );
            due.add(&share, (*account_id, self.leases.now(), *count as u64));
        }
        due.push(") order by due_at, radar_id").lock_skipping();
        self.claim_selected(due).await
    }

    /// Claims the due set-up with the fewest open attempts of those that have any.
    pub async fn claim_suspect_set_up(&self) -> Result<Option<ClaimedSetUp>> {
        let due = "select * from set_up where open_attempts > 0 and due_at <= ?
            and account_id not in (select account_id from account where status <> 'active')
            order by open_attempts, due_at, radar_id limit 1";
        let mut due = self.sql_with(due, self.leases.now());
        due.lock_skipping();
        Ok(self.claim_selected(due).await?.pop())
    }

    /// Ends an attempt that has failed; the next one is due after `wait`.
    pub async fn postpone_set_up(
        &self,
        claimed: &ClaimedSetUp,
        failed: FailedAttempts,
        error: &str,
        wait: Duration,
    ) -> Result<()> {
        let mut sql = self.sql("update set_up set lease_until = null, open_attempts = 0, due_at = ");
        let FailedAttempts { failures, failing_since, unknown_names, unknown_since } = failed;
        sql.now_after(self.leases.now(), wait).add(
            ", failures = ?, failing_since = ?, unknown_names = ?, unknown_since = ?, last_error = ? where ",
            (failures, failing_since, unknown_names, unknown_since, error),
        );
        sql.held(DueTable::SetUps, [&claimed.claim]);
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }

    /// Forgets the set-up of a radar that watches no more.
    pub async fn forget_set_up(&self, claimed: &ClaimedSetUp) -> Result<()> {
        let mut sql = self.sql("delete from set_up where ");
        self.deadline.io(sql.held(DueTable::SetUps, [&claimed.claim]).run(&self.write)).await.map(drop)
    }

    async fn claim_selected(&self, mut due: Sql) -> Result<Vec<ClaimedSetUp>> {
        let found = self.in_transaction(async |transaction| {
            let found: Vec<set_up::Model> = due.models(transaction).await?;
            self.lease(transaction, DueTable::SetUps, found.iter().map(|row| row.radar_id), 1).await?;
            Ok(found)
        });
        found.await?.into_iter().map(claimed).collect()
    }
}

/// Reads under which claims the set-ups are that a commit settles. They are locked: a claim waits for the commit or comes
/// first, and then the commit sees it.
pub(crate) async fn load(
    transaction: &WriteTransaction,
    radars: BTreeSet<RadarId>,
) -> Result<BTreeMap<AccountId, BTreeMap<RadarId, i64>>> {
    let mut leases: BTreeMap<AccountId, BTreeMap<RadarId, i64>> = BTreeMap::new();
    if radars.is_empty() {
        return Ok(leases);
    }
    let radars = List(in_few_lengths(radars.into_iter().map(Uuid::from)));
    let those = "select account_id, radar_id, lease_no from set_up where radar_id in ? order by radar_id";
    let mut sql = transaction.sql_with(those, radars);
    for (account_id, radar_id, lease_no) in sql.lock_no_key().all(transaction).await? {
        leases.entry(account_id).or_default().insert(radar_id, lease_no);
    }
    Ok(leases)
}

fn claimed(row: set_up::Model) -> Result<ClaimedSetUp> {
    Ok(ClaimedSetUp {
        radar_id: RadarId(row.radar_id),
        account_id: AccountId(row.account_id),
        claim: Claim::next(row.radar_id, row.lease_no, row.open_attempts),
        failed: FailedAttempts {
            failures: InColumn::read(row.failures, "set_up")?,
            failing_since: InColumn::read(row.failing_since, "set_up")?,
            unknown_names: InColumn::read(row.unknown_names, "set_up")?,
            unknown_since: InColumn::read(row.unknown_since, "set_up")?,
        },
    })
}

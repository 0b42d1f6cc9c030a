//! Sending deliveries again, no more of them than accounts and hosts may have sent again (decision 5.8).
//!
//! Lock order: the account, deliveries, hosts.
//!
//! A recovery goes past deliveries whose host has no free turn, and notes them as left; it comes back for them.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect, Value};
use uuid::Uuid;

use crate::accounts::lock_account;
use crate::database::{List, Run, Statements, WriteTransaction, in_few_lengths};
use crate::tables::deliveries;
use crate::{Result, Store};
use domain::delivery::redelivery::{AHEAD_MAX, HostTurns, QuotaUsedUp, RedeliveryDay, host_of};
use domain::{AccountId, RedeliveryLimits, UpdateId};

/// Held by whoever begins a recovery of all accounts, until the transaction ends; the number is ours and means nothing.
const OPERATORS_TURN: &str = "select pg_advisory_xact_lock(5176320421)";

/// What one transaction sends again.
pub(super) struct Redeliveries {
    limits: RedeliveryLimits,
    now: DateTime<Utc>,
    /// Whose day it counts on; what the operator sends again for all accounts together is on nobody's day.
    account_id: Option<AccountId>,
    day: RedeliveryDay,
    has_counted: bool,
    turns: BTreeMap<String, HostTurns>,
    due: Vec<(Uuid, DateTime<Utc>)>,
}

impl Store {
    /// Sends a delivery of an account again, as soon as its host has a turn. One that is under way, held, or not attempted
    /// yet is left alone, and so is one that does not exist or whose update is kept no longer.
    pub async fn resend(
        &self,
        account_id: AccountId,
        update_id: UpdateId,
        now: DateTime<Utc>,
    ) -> Result<Result<(), QuotaUsedUp>> {
        let of_account = delivery::Entity::find_by_id(update_id.0).filter(delivery::Column::AccountId.eq(account_id.0));
        self.in_transaction(async |transaction| {
            let mut redeliveries = self.redeliveries(transaction, Some(account_id), now).await?;
            let lease_now = self.leases.instant(transaction).await?.timestamp_micros();
            let found = of_account.lock(LockType::NoKeyUpdate).one(transaction).await?;
            let Some(row) = found else { return Ok(Ok(())) };
            let is_under_way = row.lease_until.is_some_and(|until| until > lease_now);
            let is_over = row.published_at < self.rules.redeliveries.kept_from(now).timestamp_micros();
            if is_over || is_under_way || !deliveries::delivery(&row)?.can_be_resent() {
                return Ok(Ok(()));
            }
            let url = transaction.first("select url from endpoint where endpoint_id = ?", row.endpoint_id).await?;
            let url: String = url.unwrap_or_default();
            redeliveries.lock_hosts(transaction, [url.as_str()]).await?;
            if let Err(used_up) = redeliveries.add(row.update_id, &url) {
                return Ok(Err(used_up));
            }
            redeliveries.write(transaction).await?;
            Ok(Ok(()))
        })
        .await
    }

    /// Forgets hosts whose turns were all over before `before`, and at which no recovery has left anything.
    pub async fn forget_redelivery_hosts(&self, before: DateTime<Utc>) -> Result<usize> {
        let forget = "delete from redelivery_host where next_at < ?
            and not exists (select 1 from recovery_left l where l.host = redelivery_host.host)";
        Ok(usize::try_from(self.run(forget, before).await?).unwrap_or(usize::MAX))
    }

    /// Locks the account, and reads what it has sent again today.
    pub(super) async fn redeliveries(
        &self,
        transaction: &WriteTransaction,
        account_id: Option<AccountId>,
        now: DateTime<Utc>,
    ) -> Result<Redeliveries> {
        let mut day = RedeliveryDay::default();
        if let Some(account_id) = account_id {
            lock_account(transaction, account_id).await?;
            let today = "select day, used from redelivery_day where account_id = ?";
            if let Some((known, used)) = transaction.first(today, account_id).await? {
                day = RedeliveryDay { day: known, used };
            }
        }
        let (turns, due) = (BTreeMap::new(), Vec::new());
        let limits = self.rules.redeliveries;
        Ok(Redeliveries { limits, now, account_id, day, has_counted: false, turns, due })
    }
}

impl Redeliveries {
    /// Locks the hosts of endpoints, those alone that [`Self::add`] may be asked about; one that is new gets its row here.
    pub(super) async fn lock_hosts<'a>(
        &mut self,
        transaction: &WriteTransaction,
        urls: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        // In ascending order, so that two transactions never wait for one another.
        let hosts: BTreeMap<String, i64> =
            urls.into_iter().map(|url| (host_of(url), self.now.timestamp_micros())).collect();
        if hosts.is_empty() {
            return Ok(());
        }
        let mut sql = transaction.sql("insert into redelivery_host (host, next_at) values ");
        sql.bind_rows(hosts.into_iter().map(|(host, next_at)| -> [Value; 2] { [host.into(), next_at.into()] }));
        sql.push(" on conflict (host) do update set next_at = redelivery_host.next_at returning host, next_at");
        for (host, next_at) in sql.all::<(String, DateTime<Utc>)>(transaction).await? {
            self.turns.insert(host, HostTurns::new(self.limits, next_at, self.now));
        }
        Ok(())
    }

    /// Gives a delivery to `url` the next turn of its host.
    pub(super) fn add(&mut self, update_id: Uuid, url: &str) -> Result<(), QuotaUsedUp> {
        self.count()?;
        let turn = self.turns.get_mut(&host_of(url)).map_or(self.now, HostTurns::take);
        self.due.push((update_id, turn));
        Ok(())
    }

    /// Counts one more on the day of the account.
    fn count(&mut self) -> Result<(), QuotaUsedUp> {
        if self.account_id.is_some() {
            self.day.take(self.limits, self.now)?;
            self.has_counted = true;
        }
        Ok(())
    }

    /// Gives a delivery to `url`, which was counted, the next turn of its host; `false` when none is free for a recovery.
    fn take_free_turn(&mut self, update_id: Uuid, url: &str) -> bool {
        let turns = self.turns.get_mut(&host_of(url)).filter(|turns| turns.is_free_for_recovery(self.now));
        let turn = turns.map(HostTurns::take);
        self.due.extend(turn.map(|turn| (update_id, turn)));
        turn.is_some()
    }

    /// Comes back for deliveries that a recovery has `left`: those of them that are still sent again take turns as far as
    /// there are free ones, and stay left otherwise.
    pub(super) async fn come_back(
        &mut self,
        transaction: &WriteTransaction,
        recovery_id: Uuid,
        mut left: BTreeSet<Uuid>,
        again: Vec<(Uuid, String)>,
    ) -> Result<()> {
        for (update_id, url) in again {
            if !self.take_free_turn(update_id, &url) {
                left.remove(&update_id);
            }
        }
        if left.is_empty() {
            return Ok(());
        }
        let come_back = "delete from recovery_left where recovery_id = ? and update_id in ?";
        transaction.run(come_back, (recovery_id, List(in_few_lengths(left)))).await.map(drop)
    }

    /// Takes turns for the next deliveries of a recovery as far as the day of the account allows, and lets `passed` end
    /// before the first that it does not; answers the next day if that is waited for. What finds no free turn is left.
    pub(super) async fn go_on(
        &mut self,
        transaction: &WriteTransaction,
        recovery_id: Uuid,
        passed: &mut Vec<(i64, Uuid)>,
        next: Vec<(Uuid, String)>,
    ) -> Result<Option<DateTime<Utc>>> {
        let (mut left, mut next_day) = (Vec::new(), None);
        for (update_id, url) in next {
            if let Err(used_up) = self.count() {
                let first = passed.iter().position(|(_, passed)| *passed == update_id);
                passed.truncate(first.unwrap_or_default());
                next_day = Some(used_up.resumes_at);
                break;
            }
            if !self.take_free_turn(update_id, &url) {
                left.push((update_id, host_of(&url)));
            }
        }
        if !left.is_empty() {
            let row = |(update_id, host): (Uuid, String)| -> [Value; 3] {
                [recovery_id.into(), update_id.into(), host.into()]
            };
            let mut sql = transaction.sql("insert into recovery_left (recovery_id, update_id, host) values ");
            sql.bind_rows(left.into_iter().map(row)).run(transaction).await?;
        }
        Ok(next_day)
    }

    /// Makes the deliveries due, each with a whole schedule of attempts before it, and answers how many those are.
    pub(super) async fn write(self, transaction: &WriteTransaction) -> Result<u64> {
        if let Some(account_id) = self.account_id.filter(|_| self.has_counted) {
            let count = "insert into redelivery_day (account_id, day, used) values (?, ?, ?)
                on conflict (account_id) do update set day = excluded.day, used = excluded.used";
            transaction.run(count, (account_id, self.day.day, self.day.used)).await?;
        }
        if self.due.is_empty() {
            return Ok(0);
        }
        let mut sql = transaction.sql("update redelivery_host set next_at = turns.column2 from (values ");
        let turns = self.turns.into_iter();
        sql.bind_rows(
            turns.map(|(host, turns)| -> [Value; 2] { [host.into(), turns.next_at().timestamp_micros().into()] }),
        );
        sql.push(") as turns where redelivery_host.host = turns.column1").run(transaction).await?;
        let mut sql = transaction.sql(
            "update delivery set state = 'pending', attempts = 0, due_at = again.column2, lease_until = null, \
             finished_at = null from (values ",
        );
        let due = self.due.into_iter();
        sql.bind_rows(due.map(|(update_id, at)| -> [Value; 2] { [update_id.into(), at.timestamp_micros().into()] }));
        sql.push(") as again where delivery.update_id = again.column1").run(transaction).await
    }
}

/// Some of the deliveries that a recovery has left whose hosts have a free turn.
pub(super) async fn left_with_turns(
    transaction: &WriteTransaction,
    recovery_id: Uuid,
    now: DateTime<Utc>,
    limit: u64,
) -> Result<BTreeSet<Uuid>> {
    // From host to host, so that no more is read of what is left than these.
    let free = "select found.update_id from (select r.job_id as of_recovery, h.host as at_host
        from job r cross join redelivery_host h where r.job_id = ? and h.next_at <= ?) free";
    let mut sql = transaction.sql_with(free, (recovery_id, now + AHEAD_MAX));
    sql.look_up("recovery_left", "host = at_host and recovery_id = of_recovery").push(" limit ").count(limit);
    Ok(sql.all(transaction).await?.into_iter().collect())
}

/// Whether a recovery has left deliveries.
pub(super) async fn has_left(transaction: &WriteTransaction, recovery_id: Uuid) -> Result<bool> {
    let left = "select update_id from recovery_left where recovery_id = ? limit 1";
    Ok(transaction.first::<Uuid>(left, recovery_id).await?.is_some())
}

/// One at a time begins a job of an account, or one of the operator.
pub(super) async fn take_turn(transaction: &WriteTransaction, account_id: Option<AccountId>) -> Result<()> {
    match account_id {
        Some(account_id) => lock_account(transaction, account_id).await,
        None if transaction.get_database_backend() == DbBackend::Postgres => {
            transaction.execute_unprepared(OPERATORS_TURN).await?;
            Ok(())
        }
        None => Ok(()),
    }
}

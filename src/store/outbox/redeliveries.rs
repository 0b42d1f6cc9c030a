//! Sending deliveries again, no more of them than accounts and hosts may have sent again (decision 5.8).
//!
//! Lock order: the account, deliveries, hosts.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect, Value};
use uuid::Uuid;

use super::claimed_delivery::delivery_of;
use crate::accounts::lock_account;
use crate::database::rows;
use crate::database::statement::Statements;
use crate::database::write_transaction::WriteTransaction;
use crate::{Store, StoreError};
use domain::delivery::redelivery::{HostTurns, QuotaUsedUp, RedeliveryDay, RedeliveryLimits, host_of};
use domain::ids::{AccountId, UpdateId};

/// Held by whoever begins a recovery of all accounts, until the transaction ends; the number is ours and means nothing.
const OPERATORS_TURN: &str = "select pg_advisory_xact_lock(5176320421)";

/// What one transaction sends again.
pub(super) struct Redeliveries {
    limits: RedeliveryLimits,
    now: DateTime<Utc>,
    /// Whose day it counts on; what the operator sends again for all accounts together is on nobody's day.
    account_id: Option<AccountId>,
    day: RedeliveryDay,
    turns: BTreeMap<String, HostTurns>,
    due: Vec<(Uuid, DateTime<Utc>)>,
}

impl Store {
    /// Sends a delivery of an account again, as soon as its host has a turn. One that is under way, held, or not attempted
    /// yet is left alone, and so is one that does not exist.
    pub async fn resend(
        &self,
        account_id: AccountId,
        update_id: UpdateId,
        now: DateTime<Utc>,
    ) -> Result<Result<(), QuotaUsedUp>, StoreError> {
        let of_account = delivery::Entity::find_by_id(update_id.0).filter(delivery::Column::AccountId.eq(account_id.0));
        self.in_transaction(async |transaction| {
            let mut redeliveries = self.redeliveries(transaction, Some(account_id), now).await?;
            let lease_now = self.leases.instant(transaction).await?.timestamp_micros();
            let found = of_account.lock(LockType::NoKeyUpdate).one(transaction).await?;
            let Some(row) = found else { return Ok(Ok(())) };
            let is_under_way = row.lease_until.is_some_and(|until| until > lease_now);
            if is_under_way || !delivery_of(&row)?.can_be_resent() {
                return Ok(Ok(()));
            }
            let mut url = transaction.sql("select url from endpoint where endpoint_id = ");
            let url: String = url.bind(row.endpoint_id).all(transaction).await?.pop().unwrap_or_default();
            redeliveries.lock_hosts(transaction, [url.as_str()]).await?;
            if let Err(used_up) = redeliveries.add(row.update_id, &url) {
                return Ok(Err(used_up));
            }
            redeliveries.write(transaction).await?;
            Ok(Ok(()))
        })
        .await
    }

    /// Forgets hosts whose turns were all over before `before`.
    pub async fn forget_redelivery_hosts(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        self.remove_before("redelivery_host", "next_at", before).await
    }

    /// Locks the account, and reads what it has sent again today.
    pub(super) async fn redeliveries(
        &self,
        transaction: &WriteTransaction,
        account_id: Option<AccountId>,
        now: DateTime<Utc>,
    ) -> Result<Redeliveries, StoreError> {
        let mut day = RedeliveryDay::default();
        if let Some(account_id) = account_id {
            lock_account(transaction, account_id).await?;
            let mut sql = transaction.sql("select day, used from redelivery_day where account_id = ");
            if let Some((known, used)) = sql.bind(account_id.0).all::<(i64, i64)>(transaction).await?.pop() {
                day = RedeliveryDay { day: known, used: u32::try_from(used).unwrap_or(u32::MAX) };
            }
        }
        let (turns, due) = (BTreeMap::new(), Vec::new());
        Ok(Redeliveries { limits: self.rules.redeliveries, now, account_id, day, turns, due })
    }
}

impl Redeliveries {
    /// Locks the hosts of endpoints, those alone that [`Self::add`] may be asked about; one that is new gets its row here.
    pub(super) async fn lock_hosts<'a>(
        &mut self,
        transaction: &WriteTransaction,
        urls: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), StoreError> {
        // In ascending order, so that two transactions never wait for one another.
        let hosts: BTreeMap<String, i64> =
            urls.into_iter().map(|url| (host_of(url), self.now.timestamp_micros())).collect();
        if hosts.is_empty() {
            return Ok(());
        }
        let mut sql = transaction.sql("insert into redelivery_host (host, next_at) values ");
        sql.bind_rows(hosts.into_iter().map(|(host, next_at)| -> [Value; 2] { [host.into(), next_at.into()] }));
        sql.push(" on conflict (host) do update set next_at = redelivery_host.next_at returning host, next_at");
        for (host, next_at) in sql.all::<(String, i64)>(transaction).await? {
            let next_at = rows::instant("redelivery_host", next_at)?;
            self.turns.insert(host, HostTurns::new(self.limits, next_at, self.now));
        }
        Ok(())
    }

    /// When a recovery may go on with a delivery to `url`; `None` when it may now.
    pub(super) fn wait_of_recovery(&self, url: &str) -> Option<DateTime<Utc>> {
        self.turns.get(&host_of(url))?.wait_of_recovery(self.now)
    }

    /// Gives a delivery to `url` the next turn of its host.
    pub(super) fn add(&mut self, update_id: Uuid, url: &str) -> Result<(), QuotaUsedUp> {
        if self.account_id.is_some() {
            self.day.take(self.limits, self.now)?;
        }
        let turn = self.turns.get_mut(&host_of(url)).map_or(self.now, HostTurns::take);
        self.due.push((update_id, turn));
        Ok(())
    }

    /// Makes the deliveries due, each with a whole schedule of attempts before it, and answers how many those are.
    pub(super) async fn write(self, transaction: &WriteTransaction) -> Result<u64, StoreError> {
        if self.due.is_empty() {
            return Ok(0);
        }
        if let Some(account_id) = self.account_id {
            let mut sql = transaction.sql("insert into redelivery_day (account_id, day, used) values (");
            sql.bind(account_id.0).push(", ").bind(self.day.day).push(", ").bind(i64::from(self.day.used));
            sql.push(") on conflict (account_id) do update set day = excluded.day, used = excluded.used");
            sql.run(transaction).await?;
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

/// One at a time begins a recovery of an account, or one of all of them.
pub(super) async fn take_turn(transaction: &WriteTransaction, account_id: Option<AccountId>) -> Result<(), StoreError> {
    match account_id {
        Some(account_id) => lock_account(transaction, account_id).await,
        None if transaction.get_database_backend() == DbBackend::Postgres => {
            transaction.execute_unprepared(OPERATORS_TURN).await?;
            Ok(())
        }
        None => Ok(()),
    }
}

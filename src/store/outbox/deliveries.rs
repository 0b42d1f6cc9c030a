//! Claiming what is due in the outbox (decisions 5.1, 5.5).
//!
//! No transaction is open during a network call. How a claim is written and fenced: `claims`. Lock order: health, then
//! deliveries.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, Value};
use uuid::Uuid;

use super::claimed_delivery::{ClaimedDelivery, Common};
use super::waiting_endpoints::next_due;
use crate::claims::DueTable;
use crate::database::{LeaseNow, List, Run, Sql, Statements, WriteTransaction, in_few_lengths};
use crate::secrets::webhook_secrets::{EncryptedSecrets, secrets_of};
use crate::{Result, Store};
use domain::{EndpointClaim, EndpointId};

/// What a claim comes to.
#[derive(Clone, Debug, Default)]
pub struct Claimed {
    /// What was claimed.
    pub deliveries: Vec<ClaimedDelivery>,
    /// Of each share that could be used, when its endpoint's next delivery is due after that, if there is one.
    pub next: Vec<(EndpointId, Option<DateTime<Utc>>)>,
    /// How many of the deliveries had been claimed before under a lease that ran out without a result.
    pub expired_leases: usize,
}

impl Store {
    /// Claims due deliveries of the endpoints in `shares`, no more of each than its share, until `lease_until` by the
    /// clock of this process; the row notes it by the database's. What waits for a stopped account is left alone
    /// (decision 4.12).
    ///
    /// # Errors
    /// The database did not answer. What was claimed all the same is due again when the lease ends.
    pub async fn claim_deliveries(
        &self,
        shares: &[EndpointClaim],
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Claimed> {
        self.deadline
            .io(async {
                let transaction = self.begin().await?;
                // Nothing is attempted for other accounts.
                let accounts = shares.iter().map(|share| share.account_id.0).collect();
                let active = active_accounts(accounts, &transaction).await?;
                let secrets = by_account(secrets_of(&active, &transaction).await?);
                let mut shares = shares.to_vec();
                shares.retain(|share| secrets.contains_key(&share.account_id.0));
                let shares = won_shares(&transaction, shares, lease_until).await?;
                let length = (lease_until - now).to_std().unwrap_or_default();
                let claimed_by = self.membership.node_id();
                let lease = (claimed_by, self.leases.now(), length);
                let claimed = claim_due(&transaction, &shares, now, lease).await?;
                let next = next_due(&transaction, &shares).await?;
                transaction.commit().await?;
                let probes: HashSet<_> = shares
                    .iter()
                    .filter(|share| share.probe_since.is_some())
                    .map(|share| share.endpoint_id.0)
                    .collect();
                let expired_leases = claimed.iter().filter(|row| row.lease_until.is_some()).count();
                let urls = if claimed.is_empty() { HashMap::new() } else { self.urls(&claimed).await? };
                let common = Common { urls, secrets };
                let deliveries = self.complete(claimed, &common, &probes, (claimed_by, now, lease_until)).await?;
                Ok(Claimed { deliveries, next, expired_leases })
            })
            .await
    }

    /// Adds to claimed rows what is sent. A delivery whose update has been purged has nothing left to deliver.
    async fn complete(
        &self,
        claimed: Vec<delivery::Model>,
        common: &Common,
        probes: &HashSet<Uuid>,
        (claimed_by, now, lease_until): (Option<Uuid>, DateTime<Utc>, DateTime<Utc>),
    ) -> Result<Vec<ClaimedDelivery>> {
        if claimed.is_empty() {
            return Ok(Vec::new());
        }
        let published: Vec<(Uuid, i64)> = claimed.iter().map(|row| (row.update_id, row.published_at)).collect();
        let mut bodies = self.bodies(&published).await?;
        let mut complete = Vec::with_capacity(claimed.len());
        let mut empty = Vec::new();
        for row in claimed {
            let is_probe = probes.contains(&row.endpoint_id);
            let body = bodies.remove(&row.update_id);
            match body
                .map(|body| common.claimed(&row, body, (claimed_by, lease_until), is_probe))
                .transpose()?
                .flatten()
            {
                Some(delivery) => complete.push(delivery),
                None => empty.push(row.update_id),
            }
        }
        if !empty.is_empty() {
            tracing::warn!(deliveries = empty.len(), "deliveries without their update are given up");
            self.give_up(empty, now).await?;
        }
        Ok(complete)
    }

    async fn urls(&self, claimed: &[delivery::Model]) -> Result<HashMap<Uuid, Arc<str>>> {
        let endpoint_ids: HashSet<Uuid> = claimed.iter().map(|row| row.endpoint_id).collect();
        let urls = "select endpoint_id, url from endpoint where endpoint_id in ?";
        let urls: Vec<(Uuid, String)> = self.read.all(urls, List(in_few_lengths(endpoint_ids))).await?;
        Ok(urls.into_iter().map(|(endpoint_id, url)| (endpoint_id, Arc::from(url))).collect())
    }

    async fn give_up(&self, update_ids: Vec<Uuid>, now: DateTime<Utc>) -> Result<()> {
        let give_up = "update delivery set state = 'exhausted', due_at = null, lease_until = null, finished_at = ?
            where update_id in ?";
        self.write.run(give_up, (now, List(update_ids))).await.map(drop)
    }
}

/// Those of the accounts that are active.
pub(super) async fn active_accounts(accounts: HashSet<Uuid>, connection: &impl ConnectionTrait) -> Result<Vec<Uuid>> {
    let active = "select account_id from account where status = 'active' and account_id in ?";
    connection.all(active, List(in_few_lengths(accounts))).await
}

pub(super) fn by_account(secrets: Vec<EncryptedSecrets>) -> HashMap<Uuid, Arc<EncryptedSecrets>> {
    secrets.into_iter().map(|secrets| (secrets.account_id.0, Arc::new(secrets))).collect()
}

/// The shares that this process may use: a probe belongs to the process that moves the breaker's instant first.
async fn won_shares(
    transaction: &WriteTransaction,
    mut shares: Vec<EndpointClaim>,
    lease_until: DateTime<Utc>,
) -> Result<Vec<EndpointClaim>> {
    shares.sort_by_key(|share| share.endpoint_id);
    let mut won = Vec::new();
    for share in shares {
        if let Some(since) = share.probe_since {
            let probe =
                "update endpoint_health set breaker_open_until = ? where endpoint_id = ? and breaker_open_until = ?";
            if transaction.run(probe, (lease_until, share.endpoint_id, since)).await? == 0 {
                continue;
            }
        }
        won.push(share);
    }
    Ok(won)
}

/// Claims the first due deliveries of each endpoint, up to its share, for a lease by the clock that leases are compared
/// with; the rows as they were.
async fn claim_due(
    transaction: &WriteTransaction,
    shares: &[EndpointClaim],
    now: DateTime<Utc>,
    (claimed_by, lease_now, length): (Option<Uuid>, LeaseNow, Duration),
) -> Result<Vec<delivery::Model>> {
    let Some(statement) = due(transaction.get_database_backend(), shares, now, lease_now) else {
        return Ok(Vec::new());
    };
    let found = delivery::Entity::find().from_raw_sql(statement).all(transaction).await?;
    if !found.is_empty() {
        let mut sql = transaction.sql_with("update delivery set lease_no = lease_no + 1, claimed_by = ?, ", claimed_by);
        let claimed = found.iter().map(|row| -> [Value; 2] { [row.update_id.into(), row.published_at.into()] });
        sql.leased(DueTable::Deliveries, lease_now, length).push(" from (values ").bind_rows(in_few_lengths(claimed));
        let those =
            ") as claimed where delivery.update_id = claimed.column1 and delivery.published_at = claimed.column2";
        sql.push(those).run(transaction).await?;
    }
    Ok(found)
}

/// Reads, and on PostgreSQL locks, what is due of each share. Shares come in few numbers, so that the database knows the
/// statement; those that fill up ask for nothing.
pub(super) fn due(
    backend: DbBackend,
    shares: &[EndpointClaim],
    now: DateTime<Utc>,
    lease_now: LeaseNow,
) -> Option<sea_orm::Statement> {
    let filler = EndpointClaim { count: 0, ..*shares.last()? };
    let mut sql = Sql::new(backend, "");
    let fillers = std::iter::repeat_n(&filler, shares.len().next_power_of_two() - shares.len());
    for (number, share) in shares.iter().chain(fillers).enumerate() {
        sql.push(if number == 0 { "" } else { " union all " });
        let due = "select * from (select * from delivery where endpoint_id = ? and due_at <= ? and ";
        sql.add(due, (share.endpoint_id, now)).unleased(lease_now);
        sql.add(" order by due_at, sequence limit ?", share.count as u64);
        sql.lock_skipping().push(&format!(") as share_{number}"));
    }
    Some(sql.finish())
}

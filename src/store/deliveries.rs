//! The outbox at work: which endpoints wait, and claiming what is due (decisions 5.1, 5.5).
//!
//! No transaction is open during a network call. A claim moves `due_at` to the end of its lease, so that what a dead
//! process had claimed is simply due again; a result under an old lease is refused. Lock order: health, then deliveries.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use entity::{delivery, endpoint, endpoint_health, radar_update};
use sea_orm::sea_query::{Expr, LockBehavior, LockType};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement, Value};
use uuid::Uuid;

use super::database::write_transaction::WriteTransaction;
use super::endpoint_health::health_of;
use super::webhook_secrets::{SealedSecrets, secrets_of};
use super::{Store, StoreError, rows};
use crate::domain::delivery::{Delivery, DeliveryState};
use crate::domain::delivery_lanes::{Share, WaitingEndpoint};
use crate::domain::ids::{AccountId, EndpointId, UpdateId};

/// Endpoints that are looked up with one statement.
const CHUNK: usize = 5_000;
/// Endpoints that one claim takes at most: SQLite joins no more than 500 selects.
const SHARES_MAX: usize = 400;

/// A delivery that this process alone may send until its lease ends.
#[derive(Clone, Debug)]
pub struct ClaimedDelivery {
    /// Whose update it is.
    pub account_id: AccountId,
    /// Where it goes.
    pub endpoint_id: EndpointId,
    /// The delivery as it stood before the claim.
    pub delivery: Delivery,
    /// The update's number at the endpoint.
    pub sequence: i64,
    /// The endpoint's address.
    pub url: String,
    /// The frozen payload.
    pub body: String,
    /// The account's secrets, sealed.
    pub secrets: SealedSecrets,
    /// Counts the claims; a result under an old number is refused.
    pub lease_no: i64,
    /// Whether it is the probe of an open breaker.
    pub is_probe: bool,
}

/// By identifier: the bodies of updates, the addresses of endpoints, the secrets of accounts.
type ParcelParts = (HashMap<Uuid, String>, HashMap<Uuid, String>, HashMap<Uuid, SealedSecrets>);

/// Hops from endpoint to endpoint along the index, whatever the length of their queues.
const WAITING: &str = "
    with recursive waiting(endpoint_id) as (
        select * from (
            select endpoint_id from delivery where due_at is not null order by endpoint_id limit 1) as lowest
        union all
        select (
            select d.endpoint_id from delivery d
            where d.due_at is not null and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
        from waiting w where w.endpoint_id is not null)
    select w.endpoint_id as endpoint_id, (
        select min(d.due_at) from delivery d where d.endpoint_id = w.endpoint_id and d.due_at is not null) as due_at
    from waiting w where w.endpoint_id is not null";

impl Store {
    /// Every endpoint with pending deliveries, and how it fares. Deliveries under way count as due when their lease ends.
    ///
    /// # Errors
    /// The database did not answer.
    pub async fn sweep_waiting_endpoints(&self) -> Result<Vec<WaitingEndpoint>, StoreError> {
        self.clock.io(self.waiting_endpoints()).await
    }

    async fn waiting_endpoints(&self) -> Result<Vec<WaitingEndpoint>, StoreError> {
        let statement = Statement::from_string(self.read.get_database_backend(), WAITING);
        let mut found: Vec<(Uuid, i64)> = Vec::new();
        for row in self.read.query_all_raw(statement).await? {
            if let Some(due_at) = row.try_get("", "due_at")? {
                found.push((row.try_get("", "endpoint_id")?, due_at));
            }
        }
        let mut health = HashMap::new();
        for chunk in found.chunks(CHUNK) {
            let ids = chunk.iter().map(|(endpoint_id, _)| *endpoint_id);
            let query = endpoint_health::Entity::find().filter(endpoint_health::Column::EndpointId.is_in(ids));
            for row in query.all(&self.read).await? {
                health.insert(row.endpoint_id, health_of(&row)?);
            }
        }
        found
            .into_iter()
            .map(|(id, due_at)| {
                let health = health.remove(&id).unwrap_or_default();
                Ok(WaitingEndpoint { endpoint_id: EndpointId(id), due_at: rows::instant("delivery", due_at)?, health })
            })
            .collect()
    }

    /// Claims due deliveries of the endpoints in `shares`, no more of each than its share, until `lease_until`.
    ///
    /// # Errors
    /// The database did not answer. What was claimed all the same is due again when the lease ends.
    pub async fn sweep_claim_deliveries(
        &self,
        shares: &[Share],
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<ClaimedDelivery>, StoreError> {
        self.clock
            .io(async {
                let shares = &shares[..shares.len().min(SHARES_MAX)];
                let transaction = self.begin().await?;
                let shares = won_shares(&transaction, shares, lease_until).await?;
                let claimed = self.claim_deliveries(&transaction, &shares, now, lease_until).await?;
                transaction.commit().await?;
                let probes: HashSet<_> =
                    shares.iter().filter(|share| share.probe_since.is_some()).map(|share| share.endpoint_id).collect();
                self.with_parcels(claimed, &probes, now).await
            })
            .await
    }

    async fn claim_deliveries(
        &self,
        transaction: &WriteTransaction,
        shares: &[Share],
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<delivery::Model>, StoreError> {
        let ids = due_ids(transaction, shares, now).await?;
        let mut query = delivery::Entity::find()
            .filter(delivery::Column::UpdateId.is_in(ids))
            .filter(delivery::Column::DueAt.lte(now.timestamp_micros()))
            .order_by_asc(delivery::Column::DueAt)
            .order_by_asc(delivery::Column::Sequence);
        if !self.is_sqlite() {
            query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
        }
        let found = query.all(transaction).await?;
        if !found.is_empty() {
            delivery::Entity::update_many()
                .col_expr(delivery::Column::DueAt, Expr::value(lease_until.timestamp_micros()))
                .col_expr(delivery::Column::LeaseUntil, Expr::value(lease_until.timestamp_micros()))
                .col_expr(delivery::Column::LeaseNo, Expr::cust("lease_no + 1"))
                .filter(delivery::Column::UpdateId.is_in(found.iter().map(|row| row.update_id)))
                .exec(transaction)
                .await?;
        }
        Ok(found)
    }

    /// Adds to claimed rows what is sent. A delivery whose update has been purged has nothing left to deliver.
    async fn with_parcels(
        &self,
        claimed: Vec<delivery::Model>,
        probes: &HashSet<EndpointId>,
        now: DateTime<Utc>,
    ) -> Result<Vec<ClaimedDelivery>, StoreError> {
        if claimed.is_empty() {
            return Ok(Vec::new());
        }
        let (mut bodies, urls, secrets) = self.parcel_parts(&claimed).await?;
        let mut parcels = Vec::new();
        let mut empty = Vec::new();
        for row in claimed {
            let parts = (bodies.remove(&row.update_id), urls.get(&row.endpoint_id), secrets.get(&row.account_id));
            let (Some(body), Some(url), Some(secrets)) = parts else {
                empty.push(row.update_id);
                continue;
            };
            parcels.push(ClaimedDelivery {
                account_id: AccountId(row.account_id),
                endpoint_id: EndpointId(row.endpoint_id),
                sequence: row.sequence,
                url: url.clone(),
                body,
                secrets: secrets.clone(),
                lease_no: row.lease_no + 1,
                is_probe: probes.contains(&EndpointId(row.endpoint_id)),
                delivery: delivery_of(&row)?,
            });
        }
        if !empty.is_empty() {
            tracing::warn!(deliveries = empty.len(), "deliveries without their update are given up");
            self.give_up(empty, now).await?;
        }
        Ok(parcels)
    }

    async fn parcel_parts(&self, claimed: &[delivery::Model]) -> Result<ParcelParts, StoreError> {
        let update_ids: Vec<Uuid> = claimed.iter().map(|row| row.update_id).collect();
        let endpoint_ids: HashSet<Uuid> = claimed.iter().map(|row| row.endpoint_id).collect();
        let account_ids: HashSet<Uuid> = claimed.iter().map(|row| row.account_id).collect();
        let mut bodies: HashMap<Uuid, String> = radar_update::Entity::find()
            .select_only()
            .columns([radar_update::Column::UpdateId, radar_update::Column::Body])
            .filter(radar_update::Column::UpdateId.is_in(update_ids.clone()))
            .into_tuple()
            .all(&self.read)
            .await?
            .into_iter()
            .collect();
        let alerts = update_ids.into_iter().filter(|update_id| !bodies.contains_key(update_id)).collect();
        bodies.extend(self.alert_bodies(alerts).await?);
        let urls: HashMap<Uuid, String> = endpoint::Entity::find()
            .select_only()
            .columns([endpoint::Column::EndpointId, endpoint::Column::Url])
            .filter(endpoint::Column::EndpointId.is_in(endpoint_ids))
            .into_tuple()
            .all(&self.read)
            .await?
            .into_iter()
            .collect();
        let account_ids: Vec<Uuid> = account_ids.into_iter().collect();
        let secrets = secrets_of(&account_ids, &self.read).await?;
        let secrets = secrets.into_iter().map(|secrets| (secrets.account_id().0, secrets)).collect();
        Ok((bodies, urls, secrets))
    }

    async fn give_up(&self, update_ids: Vec<Uuid>, now: DateTime<Utc>) -> Result<(), StoreError> {
        delivery::Entity::update_many()
            .col_expr(delivery::Column::State, Expr::value(DeliveryState::Exhausted.as_str()))
            .col_expr(delivery::Column::DueAt, Expr::value(Option::<i64>::None))
            .col_expr(delivery::Column::LeaseUntil, Expr::value(Option::<i64>::None))
            .col_expr(delivery::Column::FinishedAt, Expr::value(now.timestamp_micros()))
            .filter(delivery::Column::UpdateId.is_in(update_ids))
            .exec(&self.write)
            .await?;
        Ok(())
    }
}

/// The shares that this process may use: a probe belongs to whoever moves the breaker's instant first.
async fn won_shares(
    transaction: &WriteTransaction,
    shares: &[Share],
    lease_until: DateTime<Utc>,
) -> Result<Vec<Share>, StoreError> {
    let mut sorted = shares.to_vec();
    sorted.sort_by_key(|share| share.endpoint_id);
    let mut won = Vec::new();
    for share in sorted {
        if let Some(since) = share.probe_since {
            let moved = endpoint_health::Entity::update_many()
                .col_expr(endpoint_health::Column::BreakerOpenUntil, Expr::value(lease_until.timestamp_micros()))
                .filter(endpoint_health::Column::EndpointId.eq(share.endpoint_id.0))
                .filter(endpoint_health::Column::BreakerOpenUntil.eq(since.timestamp_micros()))
                .exec(transaction)
                .await?;
            if moved.rows_affected == 0 {
                continue;
            }
        }
        won.push(share);
    }
    Ok(won)
}

/// The first due deliveries of each endpoint, up to its share, in one statement.
async fn due_ids(
    transaction: &WriteTransaction,
    shares: &[Share],
    now: DateTime<Utc>,
) -> Result<Vec<Uuid>, StoreError> {
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: Vec<Value> = vec![now.timestamp_micros().into()];
    let selects: Vec<String> = shares
        .iter()
        .map(|share| {
            values.push(share.endpoint_id.0.into());
            let (place, count) = (values.len(), share.count);
            format!(
                "select * from (select update_id from delivery where endpoint_id = ${place} and due_at <= $1
                 order by due_at, sequence limit {count}) as share_{place}"
            )
        })
        .collect();
    let statement =
        Statement::from_sql_and_values(transaction.get_database_backend(), selects.join(" union all "), values);
    let found = transaction.query_all_raw(statement).await?;
    found.into_iter().map(|row| Ok(row.try_get("", "update_id")?)).collect()
}

pub(super) fn delivery_of(row: &delivery::Model) -> Result<Delivery, StoreError> {
    Ok(Delivery {
        update_id: UpdateId(row.update_id),
        state: rows::closed("delivery", &row.state, DeliveryState::from_stored)?,
        attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        due_at: rows::instant_option("delivery", row.due_at)?,
    })
}

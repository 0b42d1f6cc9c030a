//! How endpoints fare, and what follows from it for their deliveries (decisions 5.5, 5.6).
//!
//! Lock order: an endpoint's health before its deliveries.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use entity::{endpoint, endpoint_health};
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use crate::database::if_present::{IfPresent, Overwritten, Then};
use crate::database::statement::{Statements, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;
use crate::database::{bulk, rows};
use crate::{Store, StoreError};
use domain::delivery::endpoint_health::EndpointHealth;
use domain::ids::{AccountId, EndpointId};

const ENABLED: &str = "enabled";
const DISABLED: &str = "disabled";

/// Whose endpoint it is stays; how it fares is replaced.
impl Overwritten for endpoint_health::Entity {
    fn then(column: endpoint_health::Column) -> Then {
        use endpoint_health::Column;
        match column {
            Column::EndpointId => Then::Key,
            Column::AccountId => Then::Kept,
            Column::State
            | Column::DisabledReason
            | Column::DisabledAt
            | Column::ConsecutiveFailures
            | Column::AttemptsSinceSuccess
            | Column::FailingSince
            | Column::LastSuccessAt
            | Column::BreakerOpenUntil
            | Column::BreakerOpens
            | Column::NextAllowedAt
            | Column::AlertAt => Then::Replaced,
        }
    }
}

/// Endpoints, and whose they are.
pub(super) type Endpoints = BTreeSet<(EndpointId, AccountId)>;

impl Store {
    /// Holds what is due at those of `endpoints` that are disabled.
    pub async fn hold_deliveries(&self, endpoints: &[EndpointId], now: DateTime<Utc>) -> Result<(), StoreError> {
        let mut sql =
            self.sql("update delivery set state = 'held', due_at = null, lease_until = null where due_at <= ");
        sql.bind(now.timestamp_micros()).push(" and endpoint_id in ");
        self.in_transaction(async |transaction| {
            let disabled = endpoint_health::Entity::find()
                .filter(endpoint_health::Column::EndpointId.is_in(endpoints.iter().map(|id| id.0)))
                .filter(endpoint_health::Column::State.eq(DISABLED))
                .order_by_asc(endpoint_health::Column::EndpointId)
                .lock_exclusive()
                .all(transaction)
                .await?;
            sql.bind_list(disabled.into_iter().map(|row| row.endpoint_id)).run(transaction).await.map(drop)
        })
        .await
    }

    /// Enables an endpoint and releases what was held for it; how many those are, or `None` when there is no such.
    pub async fn enable_endpoint(
        &self,
        account_id: AccountId,
        endpoint_id: EndpointId,
        now: DateTime<Utc>,
    ) -> Result<Option<u64>, StoreError> {
        let mut release = self.sql("update delivery set state = 'pending', due_at = ");
        // In words, so that the index of held deliveries is known to have them all.
        release.bind(now.timestamp_micros()).push(" where state = 'held' and endpoint_id = ").bind(endpoint_id.0);
        self.in_transaction(async |transaction| {
            let known =
                endpoint::Entity::find_by_id(endpoint_id.0).filter(endpoint::Column::AccountId.eq(account_id.0));
            if known.one(transaction).await?.is_none() {
                return Ok(None);
            }
            let locked = lock_healths(transaction, &Endpoints::from([(endpoint_id, account_id)])).await?;
            let health = locked.into_values().next().unwrap_or_default().enabled();
            write_healths(transaction, &[(account_id, endpoint_id, &health)]).await?;
            Ok(Some(release.run(transaction).await?))
        })
        .await
    }
}

/// What is known of how `endpoints` fare; nothing of those that nothing was sent to.
pub(super) async fn healths(
    connection: &impl ConnectionTrait,
    endpoints: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<EndpointId, EndpointHealth>, StoreError> {
    let of_endpoints = endpoint_health::Column::EndpointId.is_in(in_few_lengths(endpoints));
    let rows = endpoint_health::Entity::find().filter(of_endpoints).all(connection).await?;
    rows.iter().map(|row| Ok((EndpointId(row.endpoint_id), health_of(row)?))).collect()
}

/// How endpoints fare, under their locks; one that nothing was sent to gets its row here.
pub(super) async fn lock_healths(
    transaction: &WriteTransaction,
    endpoints: &Endpoints,
) -> Result<HashMap<EndpointId, EndpointHealth>, StoreError> {
    if endpoints.is_empty() {
        return Ok(HashMap::new());
    }
    let fresh = EndpointHealth::default();
    let rows = endpoints.iter().map(|(endpoint_id, account_id)| health_row(*account_id, *endpoint_id, &fresh));
    bulk::insert(transaction, rows.collect(), IfPresent::leave()).await?;
    let rows = endpoint_health::Entity::find()
        .filter(endpoint_health::Column::EndpointId.is_in(in_few_lengths(endpoints.iter().map(|(id, _)| id.0))))
        .order_by_asc(endpoint_health::Column::EndpointId)
        .lock(LockType::NoKeyUpdate)
        .all(transaction)
        .await?;
    let owned = |row: &endpoint_health::Model| {
        if endpoints.contains(&(EndpointId(row.endpoint_id), AccountId(row.account_id))) {
            return Ok((EndpointId(row.endpoint_id), health_of(row)?));
        }
        Err(StoreError::corrupt("endpoint_health", "an endpoint of another account"))
    };
    rows.iter().map(owned).collect()
}

/// Writes back how endpoints fare, whose rows are locked.
pub(super) async fn write_healths(
    transaction: &WriteTransaction,
    changed: &[(AccountId, EndpointId, &EndpointHealth)],
) -> Result<(), StoreError> {
    let rows = changed.iter().map(|(account_id, endpoint_id, health)| health_row(*account_id, *endpoint_id, health));
    bulk::insert(transaction, rows.collect(), IfPresent::overwrite()).await
}

/// Brings back what was noted later than `latest` of how endpoints fare ([`EndpointHealth::brought_back`]); answers of how
/// many.
pub(crate) async fn bring_back_healths(
    transaction: &WriteTransaction,
    lease: TimeDelta,
    (now, latest): (DateTime<Utc>, DateTime<Utc>),
) -> Result<u64, StoreError> {
    let mut ahead = transaction.rows_of::<endpoint_health::Entity>();
    let latest = latest.timestamp_micros();
    for (column, or) in [
        ("disabled_at", " or "),
        ("failing_since", " or "),
        ("last_success_at", " or "),
        ("breaker_open_until", " or "),
        ("next_allowed_at", " or "),
        ("alert_at", ""),
    ] {
        ahead.push(column).push(" > ").bind(latest).push(or);
    }
    let found: Vec<endpoint_health::Model> = ahead.models(transaction).await?;
    let endpoints: Endpoints =
        found.into_iter().map(|row| (EndpointId(row.endpoint_id), AccountId(row.account_id))).collect();
    let known = lock_healths(transaction, &endpoints).await?;
    let back = endpoints.iter().filter_map(|(endpoint_id, account_id)| {
        let known = known.get(endpoint_id)?;
        let back = known.clone().brought_back(now, lease);
        (back != *known).then_some((*account_id, *endpoint_id, back))
    });
    let back: Vec<_> = back.collect();
    let changed: Vec<_> =
        back.iter().map(|(account_id, endpoint_id, health)| (*account_id, *endpoint_id, health)).collect();
    write_healths(transaction, &changed).await?;
    Ok(changed.len() as u64)
}

pub(super) fn health_of(row: &endpoint_health::Model) -> Result<EndpointHealth, StoreError> {
    const TABLE: &str = "endpoint_health";
    let count = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let disabled_at = rows::instant_option(TABLE, row.disabled_at)?;
    let disabled = match (disabled_at, &row.disabled_reason) {
        (Some(at), Some(reason)) => Some((rows::closed(TABLE, reason)?, at)),
        (None, None) => None,
        _ => return Err(StoreError::corrupt(TABLE, "disabled without reason or instant")),
    };
    Ok(EndpointHealth {
        disabled,
        consecutive_failures: count(row.consecutive_failures),
        attempts_since_success: count(row.attempts_since_success),
        failing_since: rows::instant_option(TABLE, row.failing_since)?,
        last_success_at: rows::instant_option(TABLE, row.last_success_at)?,
        breaker_open_until: rows::instant_option(TABLE, row.breaker_open_until)?,
        breaker_opens: count(row.breaker_opens),
        next_allowed_at: rows::instant_option(TABLE, row.next_allowed_at)?,
        alert_at: rows::instant_option(TABLE, row.alert_at)?,
    })
}

fn health_row(account_id: AccountId, endpoint_id: EndpointId, health: &EndpointHealth) -> endpoint_health::Model {
    let micros = |at: Option<DateTime<Utc>>| at.map(|at| at.timestamp_micros());
    endpoint_health::Model {
        endpoint_id: endpoint_id.0,
        account_id: account_id.0,
        state: if health.disabled.is_some() { DISABLED } else { ENABLED }.to_owned(),
        disabled_reason: health.disabled.map(|(reason, _)| reason.as_str().to_owned()),
        disabled_at: micros(health.disabled.map(|(_, at)| at)),
        consecutive_failures: i64::from(health.consecutive_failures),
        attempts_since_success: i64::from(health.attempts_since_success),
        failing_since: micros(health.failing_since),
        last_success_at: micros(health.last_success_at),
        breaker_open_until: micros(health.breaker_open_until),
        breaker_opens: i64::from(health.breaker_opens),
        next_allowed_at: micros(health.next_allowed_at),
        alert_at: micros(health.alert_at),
    }
}

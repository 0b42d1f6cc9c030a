//! How endpoints fare, and what follows from it for their deliveries (decisions 5.5, 5.6).
//!
//! Lock order: an endpoint's health before its deliveries.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use entity::endpoint_health;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::database::{IfPresent, List, Run, Statements, WriteTransaction, bulk, in_few_lengths};
use crate::tables::stored::{Stored, overwritten, stored};
use crate::{Result, Store, StoreError};
use domain::{AccountId, EndpointHealth, EndpointId};

stored! {
    /// Whose endpoint it is stays; how it fares is replaced.
    endpoint_health {
        Key: endpoint_id;
        Kept: account_id;
        Replaced: disabled_reason, disabled_at, consecutive_failures, attempts_since_success, failing_since, last_success_at,
            breaker_open_until, breaker_opens, next_allowed_at, alert_at;
    }
    ((EndpointId, AccountId), EndpointHealth) = ((endpoint_id, account_id), EndpointHealth {
        disabled,
        consecutive_failures,
        attempts_since_success,
        failing_since,
        last_success_at,
        breaker_open_until,
        breaker_opens,
        next_allowed_at,
        alert_at,
    })
    with disabled of disabled_reason and disabled_at
}

/// Endpoints, and whose they are.
pub(super) type Endpoints = BTreeSet<(EndpointId, AccountId)>;

impl Store {
    /// Holds what is due at those of `endpoints` that are disabled.
    pub async fn hold_deliveries(&self, endpoints: &[EndpointId], now: DateTime<Utc>) -> Result<()> {
        let disabled = "select endpoint_id from endpoint_health
            where endpoint_id in ? and disabled_at is not null order by endpoint_id";
        let hold = "update delivery set state = 'held', due_at = null, lease_until = null
            where due_at <= ? and endpoint_id in ?";
        self.in_transaction(async |transaction| {
            let mut disabled = transaction.sql_with(disabled, List(endpoints.iter().map(|id| id.0)));
            let disabled: Vec<Uuid> = disabled.lock_no_key().all(transaction).await?;
            transaction.run(hold, (now, List(disabled))).await.map(drop)
        })
        .await
    }

    /// Enables an endpoint and releases what was held for it; how many those are, or `None` when there is no such.
    pub async fn enable_endpoint(
        &self,
        account_id: AccountId,
        endpoint_id: EndpointId,
        now: DateTime<Utc>,
    ) -> Result<Option<u64>> {
        // In words, so that the index of held deliveries is known to have them all.
        let release = "update delivery set state = 'pending', due_at = ? where state = 'held' and endpoint_id = ?";
        self.in_transaction(async |transaction| {
            let owner = transaction.first("select account_id from endpoint where endpoint_id = ?", endpoint_id).await?;
            if owner != Some(account_id) {
                return Ok(None);
            }
            let locked = lock_healths(transaction, &Endpoints::from([(endpoint_id, account_id)])).await?;
            let health = locked.into_values().next().unwrap_or_default().enabled();
            write_healths(transaction, [((endpoint_id, account_id), health)]).await?;
            Ok(Some(transaction.run(release, (now, endpoint_id)).await?))
        })
        .await
    }
}

/// What is known of how `endpoints` fare; nothing of those that nothing was sent to.
pub(super) async fn healths(
    connection: &impl ConnectionTrait,
    endpoints: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<EndpointId, EndpointHealth>> {
    let ids = List(in_few_lengths(endpoints));
    let found = endpoint_health::Entity::values_where(connection, "endpoint_id in ?", ids).await?;
    Ok(found.into_iter().map(|((endpoint_id, _), health)| (endpoint_id, health)).collect())
}

/// How endpoints fare, under their locks; one that nothing was sent to gets its row here.
pub(super) async fn lock_healths(
    transaction: &WriteTransaction,
    endpoints: &Endpoints,
) -> Result<HashMap<EndpointId, EndpointHealth>> {
    if endpoints.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = endpoints.iter().map(|owned| endpoint_health::Entity::row((*owned, EndpointHealth::default())));
    bulk::insert(transaction, rows.collect(), IfPresent::leave()).await?;
    let mut sql = transaction.rows_of::<endpoint_health::Entity>();
    let ids = in_few_lengths(endpoints.iter().map(|(id, _)| id.0));
    let rows = sql.add("endpoint_id in ? order by endpoint_id", List(ids)).lock_no_key().models(transaction).await?;
    let owned = |row| match endpoint_health::Entity::value(row)? {
        (owned, health) if endpoints.contains(&owned) => Ok((owned.0, health)),
        _ => Err(StoreError::corrupt("endpoint_health", "an endpoint of another account")),
    };
    rows.into_iter().map(owned).collect()
}

/// Writes back how endpoints fare, whose rows are locked.
pub(super) async fn write_healths(
    transaction: &WriteTransaction,
    changed: impl IntoIterator<Item = ((EndpointId, AccountId), EndpointHealth)>,
) -> Result<()> {
    let rows = changed.into_iter().map(endpoint_health::Entity::row).collect();
    bulk::insert(transaction, rows, IfPresent::overwrite()).await
}

/// Brings back what was noted later than `latest` of how endpoints fare ([`EndpointHealth::brought_back`]); answers of how
/// many.
pub(crate) async fn bring_back_healths(
    transaction: &WriteTransaction,
    lease: TimeDelta,
    (now, latest): (DateTime<Utc>, DateTime<Utc>),
) -> Result<u64> {
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
    let back = endpoints.into_iter().filter_map(|owned| {
        let known = known.get(&owned.0)?;
        let back = known.clone().brought_back(now, lease);
        (back != *known).then_some((owned, back))
    });
    let back: Vec<_> = back.collect();
    let count = back.len() as u64;
    write_healths(transaction, back).await?;
    Ok(count)
}

//! Which endpoints have something in the outbox (decision 5.5).

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use entity::endpoint_health;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Statement};
use uuid::Uuid;

use super::endpoint_health::health_of;
use crate::domain::delivery::waiting_endpoints::{EndpointClaim, WaitingEndpoint};
use crate::domain::ids::{AccountId, EndpointId};
use crate::store::database::rows;
use crate::store::database::statement::{Sql, in_few_lengths};
use crate::store::database::write_transaction::WriteTransaction;
use crate::store::{Store, StoreError};

/// Endpoints that are looked up with one statement.
const CHUNK: usize = 4_096;

/// Hops from endpoint to endpoint along the index, whatever the length of their queues. What waits for a stopped account
/// is not looked at (decision 4.12).
pub(super) const WAITING: &str = "
    with recursive waiting(endpoint_id) as (
        select * from (
            select endpoint_id from delivery where due_at is not null order by endpoint_id limit 1) as lowest
        union all
        select (
            select d.endpoint_id from delivery d
            where d.due_at is not null and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
        from waiting w where w.endpoint_id is not null)
    select w.endpoint_id as endpoint_id, e.account_id as account_id, (
        select min(d.due_at) from delivery d where d.endpoint_id = w.endpoint_id and d.due_at is not null) as due_at
    from waiting w
    join endpoint e on e.endpoint_id = w.endpoint_id
    join account a on a.account_id = e.account_id and a.status = 'active'";

impl Store {
    /// Every endpoint of an active account with pending deliveries, and its health. Deliveries under way count as due
    /// when their lease ends.
    pub async fn all_waiting_endpoints(&self) -> Result<Vec<WaitingEndpoint>, StoreError> {
        self.clock.io(self.waiting_endpoints()).await
    }

    async fn waiting_endpoints(&self) -> Result<Vec<WaitingEndpoint>, StoreError> {
        let statement = Statement::from_string(self.read.get_database_backend(), WAITING);
        let mut found: Vec<(Uuid, Uuid, i64)> = Vec::new();
        for row in self.read.query_all_raw(statement).await? {
            if let Some(due_at) = row.try_get("", "due_at")? {
                found.push((row.try_get("", "endpoint_id")?, row.try_get("", "account_id")?, due_at));
            }
        }
        let mut health = HashMap::new();
        for chunk in found.chunks(CHUNK) {
            let ids = in_few_lengths(chunk.iter().map(|(endpoint_id, ..)| *endpoint_id));
            let query = endpoint_health::Entity::find().filter(endpoint_health::Column::EndpointId.is_in(ids));
            for row in query.all(&self.read).await? {
                health.insert(row.endpoint_id, health_of(&row)?);
            }
        }
        let known = |(endpoint_id, account_id, due_at): (Uuid, Uuid, i64)| {
            Ok(WaitingEndpoint {
                endpoint_id: EndpointId(endpoint_id),
                account_id: AccountId(account_id),
                due_at: rows::instant("delivery", due_at)?,
                health: health.remove(&endpoint_id).unwrap_or_default(),
            })
        };
        found.into_iter().map(known).collect()
    }
}

/// When the first delivery of each share's endpoint is due, those under way counted at the end of their leases.
pub(in crate::store) async fn next_due(
    transaction: &WriteTransaction,
    shares: &[EndpointClaim],
) -> Result<Vec<(EndpointId, Option<DateTime<Utc>>)>, StoreError> {
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new(transaction.get_database_backend());
    sql.push(
        "select asked.column1 as endpoint_id, (select min(due_at) from delivery \
         where endpoint_id = asked.column1 and due_at is not null) as due_at from (values ",
    );
    let endpoint_ids = in_few_lengths(shares.iter().map(|share| share.endpoint_id.0));
    for (number, endpoint_id) in endpoint_ids.into_iter().enumerate() {
        sql.push(if number == 0 { "(" } else { ", (" }).bind(endpoint_id).push(")");
    }
    sql.push(") as asked group by asked.column1");
    let rows = transaction.query_all_raw(sql.finish()).await?;
    rows.iter()
        .map(|row| {
            let due_at = rows::instant_option("delivery", row.try_get("", "due_at")?)?;
            Ok((EndpointId(row.try_get("", "endpoint_id")?), due_at))
        })
        .collect()
}

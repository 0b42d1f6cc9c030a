//! Which endpoints have something in the outbox (decision 5.5).

use std::collections::HashMap;

use chrono::{DateTime, Utc};

use super::endpoint_health::healths;
use crate::database::{Statements, WriteTransaction, in_few_lengths};
use crate::{Result, Store};
use domain::scheduling::shards::shard_of;
use domain::{AccountId, EndpointClaim, EndpointId, WaitingEndpoint};

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
    /// Every endpoint of an active account in our shards with pending deliveries, and its health. Deliveries under way count as
    /// due when their lease ends.
    pub async fn all_waiting_endpoints(&self) -> Result<Vec<WaitingEndpoint>> {
        let mut found: Vec<(EndpointId, AccountId, Option<DateTime<Utc>>)> = self.all(WAITING, ()).await?;
        found.retain(|(_, account_id, _)| self.membership.owns(shard_of(*account_id)));
        let mut health = HashMap::new();
        for chunk in found.chunks(CHUNK) {
            let healths = healths(&self.read, chunk.iter().map(|(endpoint_id, ..)| endpoint_id.0));
            health.extend(self.deadline.io(healths).await?);
        }
        let known = |(endpoint_id, account_id, due_at)| {
            let health = health.remove(&endpoint_id).unwrap_or_default();
            Option::map(due_at, |due_at| WaitingEndpoint { endpoint_id, account_id, due_at, health })
        };
        Ok(found.into_iter().filter_map(known).collect())
    }
}

/// When the first delivery of each share's endpoint is due, those under way counted at the end of their leases.
pub(crate) async fn next_due(
    transaction: &WriteTransaction,
    shares: &[EndpointClaim],
) -> Result<Vec<(EndpointId, Option<DateTime<Utc>>)>> {
    if shares.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = transaction.sql(
        "select asked.column1 as endpoint_id, (select min(due_at) from delivery \
         where endpoint_id = asked.column1 and due_at is not null) as due_at from (values ",
    );
    sql.bind_rows(in_few_lengths(shares.iter().map(|share| share.endpoint_id.0)).into_iter().map(|id| [id]));
    sql.push(") as asked group by asked.column1").all(transaction).await
}

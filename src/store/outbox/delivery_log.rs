//! The log of deliveries: what was to be sent where, how it stands, and every attempt (decision 5.7).

use std::collections::{HashMap, HashSet};

use entity::delivery;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::counts::bounded_counts;
use super::deliveries::active_accounts;
use crate::database::{List, Run, Sql, Statements, in_order, rows};
use crate::tables::deliveries;
use crate::{Result, Store, StoreError};
use domain::radar::search::COUNT_MAX;
use domain::{
    AccountId, DeliveryFilter, DeliveryState, EndpointId, LoggedAttempt, LoggedDelivery, Outcome, RadarId, RadarType,
    UpdateId,
};

in_order!(LoggedAttempt { attempt_no, started_at, duration_ms, outcome, status, remote, response, response_truncated });

impl Store {
    /// Deliveries of an account, the newest first.
    pub async fn deliveries(
        &self,
        account_id: AccountId,
        filter: DeliveryFilter,
        limit: u64,
    ) -> Result<Vec<LoggedDelivery>> {
        self.all_deliveries(DeliveryFilter { account_id: Some(account_id), ..filter }, limit).await
    }

    /// Deliveries, the newest first.
    pub async fn all_deliveries(&self, mut filter: DeliveryFilter, limit: u64) -> Result<Vec<LoggedDelivery>> {
        // The log has an index by account; a radar belongs to one, and so does an endpoint.
        let owned = match (filter.radar_id, filter.endpoint_id) {
            (Some(radar_id), _) => Some(("select account_id from radar where radar_id = ?", radar_id.0)),
            (None, Some(endpoint_id)) => Some(("select account_id from endpoint where endpoint_id = ?", endpoint_id.0)),
            (None, None) => None,
        };
        if let Some((owner, id)) = owned {
            let owner = self
                .first(owner, id)
                .await?
                .map(AccountId)
                .filter(|owner| filter.account_id.is_none_or(|wanted| wanted == *owner));
            let Some(owner) = owner else { return Ok(Vec::new()) };
            filter.account_id = Some(owner);
            if let (Some(radar_id), None | Some(DeliveryState::Delivered)) = (filter.radar_id, filter.state) {
                return self.radar_deliveries(owner, radar_id, &filter, limit as usize).await;
            }
        }
        self.deadline
            .io(async {
                let mut page = match filter.state {
                    Some(DeliveryState::Pending) if self.are_few_pending().await? => {
                        few_pending_page(&self.read, &filter, limit)
                    }
                    _ => page(&self.read, &filter, limit),
                };
                self.logged(page.models(&self.read).await?).await
            })
            .await
    }

    /// Whether those that wait are soon sorted. They are too many only where they are many of the newest, too.
    async fn are_few_pending(&self) -> Result<bool> {
        let count = bounded_counts(&[("pending", "delivery where due_at is not null")], COUNT_MAX + 1);
        let pending: Option<u64> = self.read.first(&count, ()).await?;
        Ok(pending.is_some_and(|pending| pending <= COUNT_MAX))
    }

    /// One delivery of an account; `None` when it has no such.
    pub async fn delivery(&self, account_id: AccountId, update_id: UpdateId) -> Result<Option<LoggedDelivery>> {
        let filter = DeliveryFilter { update_id: Some(update_id), ..DeliveryFilter::default() };
        Ok(self.deliveries(account_id, filter, 1).await?.pop())
    }

    /// One delivery, of whatever account.
    pub async fn any_delivery(&self, update_id: UpdateId) -> Result<Option<LoggedDelivery>> {
        let filter = DeliveryFilter { update_id: Some(update_id), ..DeliveryFilter::default() };
        Ok(self.all_deliveries(filter, 1).await?.pop())
    }

    /// The deliveries of these updates, whosever they are.
    pub(crate) async fn all_deliveries_of(
        &self,
        update_ids: impl Iterator<Item = Uuid>,
    ) -> Result<Vec<LoggedDelivery>> {
        let those = self.read.rows_where::<delivery::Entity>("update_id in ?", List(update_ids));
        self.deadline.io(async { self.logged(those.await?).await }).await
    }

    /// The attempts of a delivery, in order.
    pub async fn attempts(&self, account_id: AccountId, update_id: UpdateId) -> Result<Vec<LoggedAttempt>> {
        let attempts =
            "select attempt_no, started_at, duration_ms, outcome, status, remote, response, response_truncated
            from attempt where account_id = ? and update_id = ? order by attempt_no";
        self.all(attempts, (account_id, update_id)).await
    }

    /// Adds to rows of the log what stands in other tables.
    async fn logged(&self, found: Vec<delivery::Model>) -> Result<Vec<LoggedDelivery>> {
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let published: Vec<(Uuid, i64)> = found.iter().map(|row| (row.update_id, row.published_at)).collect();
        let endpoints: HashSet<Uuid> = found.iter().map(|row| row.endpoint_id).collect();
        let endpoints = self.endpoints_with_health(endpoints).await?;
        let accounts: HashSet<Uuid> = found.iter().map(|row| row.account_id).collect();
        let active: HashSet<Uuid> = active_accounts(accounts, &self.read).await?.into_iter().collect();
        let radars = self.radars_of(&published).await?;
        let outcomes = self.last_outcomes(&published).await?;
        let logged = |row: delivery::Model| {
            let known = endpoints.get(&row.endpoint_id);
            let (url, health) = known.ok_or_else(|| StoreError::corrupt("delivery", "a delivery without endpoint"))?;
            Ok(LoggedDelivery {
                account_id: AccountId(row.account_id),
                is_account_active: active.contains(&row.account_id),
                radar: radars.get(&row.update_id).copied(),
                endpoint_id: EndpointId(row.endpoint_id),
                url: url.clone(),
                sequence: row.sequence,
                delivery: deliveries::delivery(&row)?,
                lease_until: rows::instant_option("delivery", row.lease_until)?,
                created_at: rows::instant("delivery", row.created_at)?,
                finished_at: rows::instant_option("delivery", row.finished_at)?,
                last_outcome: outcomes.get(&row.update_id).copied(),
                health: health.clone(),
            })
        };
        found.into_iter().map(logged).collect()
    }

    async fn radars_of(&self, published: &[(Uuid, i64)]) -> Result<HashMap<Uuid, (RadarId, RadarType)>> {
        let radars = "select update_id, radar_id, radar_type from radar_update where update_id in ?";
        let mut sql = self.read.sql_with(radars, List(published.iter().map(|(update_id, _)| *update_id)));
        sql.about("discovered_at", published.iter().map(|(_, at)| *at));
        Ok(sql.all(&self.read).await?.into_iter().collect())
    }

    async fn last_outcomes(&self, published: &[(Uuid, i64)]) -> Result<HashMap<Uuid, Outcome>> {
        let last = "select a.update_id, a.outcome from attempt a where a.update_id in ?
            and a.attempt_no = (select max(b.attempt_no) from attempt b where b.update_id = a.update_id)";
        Ok(self.read.all(last, List(published.iter().map(|(update_id, _)| *update_id))).await?.into_iter().collect())
    }
}

/// The deliveries that `filter` wants, the newest first.
pub(super) fn page(connection: &impl ConnectionTrait, filter: &DeliveryFilter, limit: u64) -> Sql {
    let mut sql = wanted(connection, filter);
    sql.add(" order by created_at desc, update_id desc limit ?", limit);
    sql
}

/// The same where few wait: they are found by the index of what is due and sorted, for the newest deliveries of all are
/// delivered ones.
pub(super) fn few_pending_page(connection: &impl ConnectionTrait, filter: &DeliveryFilter, limit: u64) -> Sql {
    let mut sql = wanted(connection, filter);
    // In an order that no index has: the database finds the rows by another one and sorts them.
    sql.add(" and due_at is not null order by created_at + 0 desc, update_id desc limit ?", limit);
    sql
}

fn wanted(connection: &impl ConnectionTrait, filter: &DeliveryFilter) -> Sql {
    let mut sql = connection.rows_of::<delivery::Entity>();
    let is_failed = matches!(filter.state, Some(DeliveryState::Held | DeliveryState::Exhausted));
    // In the very words of the index of those that failed. PostgreSQL sees that by itself, and would expect fewer rows.
    sql.push(if is_failed && !sql.is_of_server() { "state in ('held', 'exhausted')" } else { "true" });
    sql.add_if_some(" and account_id = ?", filter.account_id);
    sql.add_if_some(" and endpoint_id = ?", filter.endpoint_id);
    sql.add_if_some(" and update_id = ?", filter.update_id);
    sql.add_if_some(" and state = ?", filter.state);
    sql.add_if_some(" and created_at >= ?", filter.since);
    sql.add_if_some(" and created_at < ?", filter.until);
    // Looked up for each row of an index of the deliveries: a radar may have any number of updates.
    let of_radar = " and (select u.radar_id from radar_update u where u.update_id = delivery.update_id) = ?";
    sql.add_if_some(of_radar, filter.radar_id);
    // The first condition says nothing new, but bounds the part of the index that is read.
    let before = filter.before.map(|(created_at, update_id)| (created_at, created_at, created_at, update_id));
    sql.add_if_some(" and created_at <= ? and (created_at < ? or created_at = ? and update_id < ?)", before);
    sql
}

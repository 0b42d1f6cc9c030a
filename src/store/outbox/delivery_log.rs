//! Looking at deliveries and endpoints, and resending (decisions 5.7, 5.8).

use chrono::{DateTime, Utc};
use entity::{attempt, delivery, endpoint, endpoint_health};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::deliveries::delivery_of;
use super::endpoint_health::health_of;
use crate::domain::delivery::endpoint_health::EndpointHealth;
use crate::domain::delivery::{Delivery, DeliveryState, Outcome};
use crate::domain::ids::{AccountId, EndpointId, UpdateId};
use crate::store::database::rows;
use crate::store::{Store, StoreError};

/// Which deliveries are wanted. What is `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeliveryFilter {
    /// Of this account.
    pub account_id: Option<AccountId>,
    /// To this endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// Of this update.
    pub update_id: Option<UpdateId>,
    /// In this state.
    pub state: Option<DeliveryState>,
    /// Older than the last one of the page before.
    pub before: Option<(DateTime<Utc>, UpdateId)>,
}

/// A delivery in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// Whose it is.
    pub account_id: AccountId,
    /// Where it goes.
    pub endpoint_id: EndpointId,
    /// The endpoint's address.
    pub url: String,
    /// Its number at the endpoint.
    pub sequence: i64,
    /// Where it stands. While an attempt is under way, `due_at` is the end of its lease.
    pub delivery: Delivery,
    /// Set while an attempt is under way.
    pub lease_until: Option<DateTime<Utc>>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// When it was delivered or given up.
    pub finished_at: Option<DateTime<Utc>>,
    /// How the endpoint fares: why nothing is sent yet shows in its gate.
    pub health: EndpointHealth,
}

/// An attempt in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedAttempt {
    /// Its number, from 1.
    pub attempt_no: i64,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How long it took.
    pub duration_ms: i64,
    /// What became of it.
    pub outcome: Outcome,
    /// The status, if there was an answer.
    pub status: Option<i64>,
    /// The address that was dialled.
    pub remote: Option<String>,
    /// The beginning of the answer.
    pub response: Option<String>,
    /// Whether the answer was longer.
    pub response_truncated: bool,
}

/// What to send again.
#[derive(Clone, Copy, Debug)]
pub enum Resend {
    /// One update, whatever became of it.
    Update(UpdateId),
    /// What was published from the first instant to before the second.
    Between {
        /// From.
        since: DateTime<Utc>,
        /// Until.
        until: DateTime<Utc>,
        /// Whether also what was delivered; otherwise only what was given up.
        with_delivered: bool,
    },
}

impl Store {
    /// Deliveries, the newest first.
    pub async fn sweep_deliveries(
        &self,
        filter: DeliveryFilter,
        limit: u64,
    ) -> Result<Vec<LoggedDelivery>, StoreError> {
        use delivery::Column::{AccountId as Account, CreatedAt, EndpointId as Endpoint, State, UpdateId as Update};
        let mut query = delivery::Entity::find();
        if let Some(account_id) = filter.account_id {
            query = query.filter(Account.eq(account_id.0));
        }
        if let Some(endpoint_id) = filter.endpoint_id {
            query = query.filter(Endpoint.eq(endpoint_id.0));
        }
        if let Some(update_id) = filter.update_id {
            query = query.filter(Update.eq(update_id.0));
        }
        if let Some(state) = filter.state {
            query = query.filter(State.eq(state.as_str()));
        }
        if let Some((created_at, update_id)) = filter.before {
            let micros = created_at.timestamp_micros();
            let same_instant = Condition::all().add(CreatedAt.eq(micros)).add(Update.lt(update_id.0));
            query = query.filter(Condition::any().add(CreatedAt.lt(micros)).add(same_instant));
        }
        let page = query.order_by_desc(CreatedAt).order_by_desc(Update).limit(limit);
        self.clock
            .io(async {
                let found = page.all(&self.read).await?;
                let ids: Vec<_> = found.iter().map(|row| row.endpoint_id).collect();
                let endpoints =
                    endpoint::Entity::find().filter(endpoint::Column::EndpointId.is_in(ids)).all(&self.read).await?;
                let endpoints = self.with_health(endpoints).await?;
                found.iter().map(|row| logged_delivery(row, &endpoints)).collect()
            })
            .await
    }

    /// The attempts of a delivery, in order.
    pub async fn attempts(&self, account_id: AccountId, update_id: UpdateId) -> Result<Vec<LoggedAttempt>, StoreError> {
        let query = attempt::Entity::find()
            .filter(attempt::Column::AccountId.eq(account_id.0))
            .filter(attempt::Column::UpdateId.eq(update_id.0))
            .order_by_asc(attempt::Column::AttemptNo);
        self.clock.io(query.all(&self.read)).await?.into_iter().map(logged_attempt).collect()
    }

    /// The endpoints of an account with their addresses, and how they fare.
    pub async fn endpoints(
        &self,
        account_id: AccountId,
    ) -> Result<Vec<(EndpointId, String, EndpointHealth)>, StoreError> {
        let query = endpoint::Entity::find()
            .filter(endpoint::Column::AccountId.eq(account_id.0))
            .order_by_asc(endpoint::Column::Url);
        self.clock.io(async { self.with_health(query.all(&self.read).await?).await }).await
    }

    /// Makes finished deliveries of an account due again, each with a whole schedule before it and under its old
    /// `update_id`; how many those are. What is pending or held is left alone.
    pub async fn resend(&self, account_id: AccountId, what: Resend, now: DateTime<Utc>) -> Result<u64, StoreError> {
        let mut update = delivery::Entity::update_many()
            .col_expr(delivery::Column::State, Expr::value(DeliveryState::Pending.as_str()))
            .col_expr(delivery::Column::Attempts, Expr::value(0_i64))
            .col_expr(delivery::Column::DueAt, Expr::value(now.timestamp_micros()))
            .col_expr(delivery::Column::FinishedAt, Expr::value(Option::<i64>::None))
            .filter(delivery::Column::AccountId.eq(account_id.0));
        let mut states = vec![DeliveryState::Exhausted];
        match what {
            Resend::Update(update_id) => {
                states.push(DeliveryState::Delivered);
                update = update.filter(delivery::Column::UpdateId.eq(update_id.0));
            }
            Resend::Between { since, until, with_delivered } => {
                states.extend(with_delivered.then_some(DeliveryState::Delivered));
                update = update
                    .filter(delivery::Column::CreatedAt.gte(since.timestamp_micros()))
                    .filter(delivery::Column::CreatedAt.lt(until.timestamp_micros()));
            }
        }
        let update = update.filter(delivery::Column::State.is_in(states.iter().map(|state| state.as_str())));
        Ok(self.clock.io(update.exec(&self.write)).await?.rows_affected)
    }

    async fn with_health(
        &self,
        endpoints: Vec<endpoint::Model>,
    ) -> Result<Vec<(EndpointId, String, EndpointHealth)>, StoreError> {
        let ids = endpoints.iter().map(|row| row.endpoint_id);
        let query = endpoint_health::Entity::find().filter(endpoint_health::Column::EndpointId.is_in(ids));
        let known = query.all(&self.read).await?;
        endpoints
            .into_iter()
            .map(|row| {
                let health = known.iter().find(|health| health.endpoint_id == row.endpoint_id);
                Ok((EndpointId(row.endpoint_id), row.url, health.map(health_of).transpose()?.unwrap_or_default()))
            })
            .collect()
    }
}

fn logged_delivery(
    row: &delivery::Model,
    endpoints: &[(EndpointId, String, EndpointHealth)],
) -> Result<LoggedDelivery, StoreError> {
    let endpoint_id = EndpointId(row.endpoint_id);
    let known = endpoints.iter().find(|(id, ..)| *id == endpoint_id);
    let (_, url, health) = known.ok_or_else(|| StoreError::corrupt("delivery", "a delivery without endpoint"))?;
    Ok(LoggedDelivery {
        account_id: AccountId(row.account_id),
        endpoint_id,
        url: url.clone(),
        sequence: row.sequence,
        delivery: delivery_of(row)?,
        lease_until: rows::instant_option("delivery", row.lease_until)?,
        created_at: rows::instant("delivery", row.created_at)?,
        finished_at: rows::instant_option("delivery", row.finished_at)?,
        health: health.clone(),
    })
}

fn logged_attempt(row: attempt::Model) -> Result<LoggedAttempt, StoreError> {
    Ok(LoggedAttempt {
        attempt_no: row.attempt_no,
        started_at: rows::instant("attempt", row.started_at)?,
        duration_ms: row.duration_ms,
        outcome: rows::closed("attempt", &row.outcome, Outcome::from_stored)?,
        status: row.status,
        remote: row.remote,
        response: row.response,
        response_truncated: row.response_truncated != 0,
    })
}

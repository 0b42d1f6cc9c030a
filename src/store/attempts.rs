//! Recording what became of an attempt (decisions 5.1, 5.6, 5.7): the attempt, its delivery and the endpoint's health in
//! one transaction, refused when the claim has gone to somebody else.

use chrono::{DateTime, Utc};
use entity::{attempt, delivery};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};

use super::database::write_transaction::WriteTransaction;
use super::deliveries::ClaimedDelivery;
use super::endpoint_health::write_health;
use super::{Store, StoreError};
use crate::domain::delivery::{AttemptReport, Decision, Delivery, DeliveryState, Outcome, RetrySchedule, decide};
use crate::domain::endpoint_health::Observation;
use crate::domain::ids::AccountId;

impl Store {
    /// Ends a claim: the attempt, the delivery and the endpoint's health in one transaction. `None` when the claim had
    /// been lost, so that nothing was written.
    ///
    /// # Errors
    /// The database did not answer; the same report may be recorded again.
    pub async fn record_attempt(
        &self,
        account_id: AccountId,
        claimed: &ClaimedDelivery,
        report: &AttemptReport,
        schedule: &RetrySchedule,
        now: DateTime<Utc>,
    ) -> Result<Option<Decision>, StoreError> {
        self.clock
            .io(async {
                let transaction = self.begin().await?;
                let health = self.lock_health(&transaction, account_id, claimed.endpoint_id).await?;
                let seen = Observation {
                    outcome: report.outcome,
                    retry_after: report.retry_after,
                    was_probe: claimed.is_probe,
                };
                let decision = decide(health, claimed.delivery.clone(), seen, now, schedule);
                if !end_claim(&transaction, account_id, claimed, &decision.delivery, now).await? {
                    transaction.rollback().await?;
                    return Ok(None);
                }
                if report.outcome != Outcome::Cancelled {
                    insert_attempt(&transaction, account_id, claimed, report).await?;
                }
                write_health(&transaction, account_id, claimed.endpoint_id, &decision.health).await?;
                transaction.commit().await?;
                Ok(Some(decision))
            })
            .await
    }
}

/// Writes a delivery back if its claim still stands; `false` if not.
async fn end_claim(
    transaction: &WriteTransaction,
    account_id: AccountId,
    claimed: &ClaimedDelivery,
    delivery: &Delivery,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let is_finished = matches!(delivery.state, DeliveryState::Delivered | DeliveryState::Exhausted);
    let finished_at = is_finished.then(|| now.timestamp_micros());
    let ended = delivery::Entity::update_many()
        .col_expr(delivery::Column::State, Expr::value(delivery.state.as_str()))
        .col_expr(delivery::Column::Attempts, Expr::value(i64::from(delivery.attempts)))
        .col_expr(delivery::Column::DueAt, Expr::value(delivery.due_at.map(|at| at.timestamp_micros())))
        .col_expr(delivery::Column::LeaseUntil, Expr::value(Option::<i64>::None))
        .col_expr(delivery::Column::FinishedAt, Expr::value(finished_at))
        .filter(delivery::Column::UpdateId.eq(delivery.update_id.0))
        .filter(delivery::Column::AccountId.eq(account_id.0))
        .filter(delivery::Column::LeaseNo.eq(claimed.lease_no))
        .filter(delivery::Column::LeaseUntil.is_not_null())
        .exec(transaction)
        .await?;
    Ok(ended.rows_affected == 1)
}

/// Attempts are numbered for ever; the count in the delivery begins anew with a resend.
async fn insert_attempt(
    transaction: &WriteTransaction,
    account_id: AccountId,
    claimed: &ClaimedDelivery,
    report: &AttemptReport,
) -> Result<(), StoreError> {
    let update_id = claimed.delivery.update_id.0;
    let last: Option<Option<i64>> = attempt::Entity::find()
        .select_only()
        .column_as(attempt::Column::AttemptNo.max(), "last")
        .filter(attempt::Column::UpdateId.eq(update_id))
        .into_tuple()
        .one(transaction)
        .await?;
    let row = attempt::Model {
        update_id,
        attempt_no: last.flatten().unwrap_or(0) + 1,
        account_id: account_id.0,
        endpoint_id: claimed.endpoint_id.0,
        started_at: report.started_at.timestamp_micros(),
        duration_ms: report.duration.num_milliseconds(),
        outcome: report.outcome.as_str().to_owned(),
        status: report.status.map(i64::from),
        remote: report.remote.clone(),
        response: report.response.clone(),
        response_truncated: i64::from(report.response_truncated),
    };
    attempt::Entity::insert(row.into_active_model()).exec_without_returning(transaction).await?;
    Ok(())
}

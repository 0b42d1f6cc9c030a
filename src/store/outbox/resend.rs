//! Sending one delivery again (decision 5.8).

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::sea_query::LockType;
use sea_orm::{ActiveValue, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};

use super::claimed_delivery::delivery_of;
use crate::domain::delivery::DeliveryState;
use crate::domain::ids::{AccountId, UpdateId};
use crate::store::{Store, StoreError};

impl Store {
    /// Makes a delivery of an account due at `now`; `false` when there is no such. One that is under way or held is left
    /// alone.
    pub async fn resend(
        &self,
        account_id: AccountId,
        update_id: UpdateId,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        self.clock
            .io(async {
                let transaction = self.begin().await?;
                let lease_now = self.leases.instant(&transaction).await?.timestamp_micros();
                let mut query =
                    delivery::Entity::find_by_id(update_id.0).filter(delivery::Column::AccountId.eq(account_id.0));
                if !self.is_sqlite() {
                    query = query.lock(LockType::NoKeyUpdate);
                }
                let Some(row) = query.one(&transaction).await? else {
                    transaction.rollback().await?;
                    return Ok(false);
                };
                let is_under_way = row.lease_until.is_some_and(|until| until > lease_now);
                if !is_under_way {
                    let resent = delivery_of(&row)?.resent(now);
                    if resent.state == DeliveryState::Pending {
                        let mut row = row.into_active_model();
                        row.state = ActiveValue::Set(resent.state.as_str().to_owned());
                        row.attempts = ActiveValue::Set(i64::from(resent.attempts));
                        row.due_at = ActiveValue::Set(resent.due_at.map(|at| at.timestamp_micros()));
                        row.lease_until = ActiveValue::Set(None);
                        row.finished_at = ActiveValue::Set(None);
                        delivery::Entity::update(row).exec(&transaction).await?;
                    }
                }
                transaction.commit().await?;
                Ok(true)
            })
            .await
    }
}

//! Sending one delivery again (decision 5.8).

use chrono::{DateTime, Utc};
use entity::delivery;
use sea_orm::sea_query::LockType;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};

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
        let of_account = delivery::Entity::find_by_id(update_id.0).filter(delivery::Column::AccountId.eq(account_id.0));
        self.in_transaction(async |transaction| {
            let lease_now = self.leases.instant(transaction).await?.timestamp_micros();
            let found = of_account.lock(LockType::NoKeyUpdate).one(transaction).await?;
            let Some(row) = found else { return Ok(false) };
            let resent = delivery_of(&row)?.resent(now);
            let is_under_way = row.lease_until.is_some_and(|until| until > lease_now);
            if !is_under_way && resent.state == DeliveryState::Pending {
                let mut sql =
                    self.sql("update delivery set lease_until = null, finished_at = null, state = 'pending', ");
                sql.push("attempts = ").bind(i64::from(resent.attempts)).push(", due_at = ");
                sql.bind(resent.due_at.map(|at| at.timestamp_micros())).push(" where update_id = ").bind(update_id.0);
                sql.run(transaction).await?;
            }
            Ok(true)
        })
        .await
    }
}

//! What the shards need to wake radars in time.

pub(super) mod maintenance;
pub(super) mod purged_radars;
pub(super) mod retention;

use chrono::{DateTime, Utc};
use entity::{account, radar};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};
use uuid::Uuid;

use crate::domain::account_status::AccountStatus;
use crate::domain::ids::{AccountId, RadarId};
use crate::store::database::rows;
use crate::store::{Store, StoreError};

/// A radar whose actor has something to do at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The radar.
    pub radar_id: RadarId,
    /// When.
    pub wake_at: DateTime<Utc>,
    /// Whether it is its renewal, which its account decides.
    pub is_renewal: bool,
}

/// Due renewals that are not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overdue {
    /// How many.
    pub renewals: u64,
    /// When the oldest of them was due.
    pub oldest_at: Option<DateTime<Utc>>,
}

impl Store {
    /// The next wakes of a shard that are no renewals, after the one at `after`, soonest first. Those of stopped accounts
    /// wait until they go on.
    pub async fn all_wakes(&self, shard: i64, after: Option<Wake>, limit: u64) -> Result<Vec<Wake>, StoreError> {
        use radar::Column::{NextChargeAt, RadarId as Id, WakeAt};
        let stopped = account::Entity::find()
            .select_only()
            .column(account::Column::AccountId)
            .filter(account::Column::Status.ne(AccountStatus::Active.as_str()))
            .into_query();
        let mut query = wakes(shard)
            .filter(Condition::any().add(NextChargeAt.is_null()).add(is_renewal().not()))
            .filter(radar::Column::AccountId.not_in_subquery(stopped));
        if let Some(Wake { wake_at, radar_id, .. }) = after {
            let wake_at = wake_at.timestamp_micros();
            let same_instant = Condition::all().add(WakeAt.eq(wake_at)).add(Id.gt(radar_id.0));
            query = query.filter(Condition::any().add(WakeAt.gt(wake_at)).add(same_instant));
        }
        self.read_wakes(query.limit(limit), false).await
    }

    /// The next renewals of a shard, soonest first, but for those of the accounts in `except`.
    pub async fn all_renewal_wakes(
        &self,
        shard: i64,
        except: &[AccountId],
        limit: u64,
    ) -> Result<Vec<Wake>, StoreError> {
        let mut query = wakes(shard).filter(is_renewal());
        if !except.is_empty() {
            query = query.filter(radar::Column::AccountId.is_not_in(except.iter().map(|account_id| account_id.0)));
        }
        self.read_wakes(query.limit(limit), true).await
    }

    /// What is due at `now` and not decided, in all accounts.
    pub async fn all_overdue(&self, now: DateTime<Utc>) -> Result<Overdue, StoreError> {
        use radar::Column::{NextChargeAt, Shard, WakeAt};
        // Named one by one, so that the index is walked in each shard only as far as something is due.
        let due = radar::Entity::find()
            .select_only()
            .column_as(NextChargeAt.count(), "renewals")
            .column_as(NextChargeAt.min(), "oldest_at")
            .filter(Shard.is_in(0..rows::SHARDS))
            .filter(WakeAt.lte(now.timestamp_micros()))
            .filter(NextChargeAt.lte(now.timestamp_micros()));
        let (renewals, oldest_at) =
            self.clock.io(due.into_tuple::<(i64, Option<i64>)>().one(&self.read)).await?.unwrap_or_default();
        let oldest_at = rows::instant_option("radar", oldest_at)?;
        Ok(Overdue { renewals: u64::try_from(renewals).unwrap_or_default(), oldest_at })
    }

    async fn read_wakes(&self, query: Select<radar::Entity>, is_renewal: bool) -> Result<Vec<Wake>, StoreError> {
        let found = self.clock.io(query.into_tuple::<(Uuid, Uuid, i64)>().all(&self.read)).await?;
        found
            .into_iter()
            .map(|(account_id, radar_id, wake_at)| {
                let wake_at = rows::instant("radar", wake_at)?;
                Ok(Wake { account_id: AccountId(account_id), radar_id: RadarId(radar_id), wake_at, is_renewal })
            })
            .collect()
    }
}

fn wakes(shard: i64) -> Select<radar::Entity> {
    use radar::Column::{AccountId, RadarId, Shard, WakeAt};
    radar::Entity::find()
        .select_only()
        .columns([AccountId, RadarId, WakeAt])
        .filter(Shard.eq(shard))
        .filter(WakeAt.is_not_null())
        .order_by_asc(WakeAt)
        .order_by_asc(RadarId)
}

fn is_renewal() -> SimpleExpr {
    Expr::col(radar::Column::NextChargeAt).eq(Expr::col(radar::Column::WakeAt))
}

//! Reading updates, in the order in which they were committed (Spec 4.9, decisions 3.4, 3.5).

use chrono::{DateTime, Utc};
use entity::radar_update;
use sea_orm::sea_query::{Expr, ExprTrait, Func, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};

use super::{Store, StoreError};
use crate::domain::ids::{AccountId, RadarId};
use crate::domain::radar_type::RadarType;
use crate::domain::update::UpdateType;

/// Which updates are wanted. An empty list does not filter.
#[derive(Clone, Debug, Default)]
pub struct UpdateFilter {
    /// Of these radars.
    pub radar_ids: Vec<RadarId>,
    /// Of these types.
    pub radar_types: Vec<RadarType>,
    /// Of these domains, normalised.
    pub domains: Vec<String>,
    /// Of these kinds.
    pub update_types: Vec<UpdateType>,
    /// Discovered strictly after this instant.
    pub since: Option<DateTime<Utc>>,
    /// After this number within the account.
    pub after_seq: i64,
}

/// A stored update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredUpdate {
    /// Its number within the account.
    pub update_seq: i64,
    /// The payload, byte for byte as it is pushed.
    pub body: String,
}

impl Store {
    /// A page of updates, ascending, and whether more follow.
    ///
    /// # Errors
    /// The database did not answer.
    pub async fn updates(
        &self,
        account_id: AccountId,
        filter: &UpdateFilter,
        limit: usize,
    ) -> Result<(Vec<StoredUpdate>, bool), StoreError> {
        use radar_update::Column::{AccountId as Account, Body, Domain, RadarId as Radar, RadarType as Type};
        use radar_update::Column::{UpdateSeq, UpdateType as Kind};
        let mut query = radar_update::Entity::find()
            .select_only()
            .columns([UpdateSeq, Body])
            .filter(Account.eq(account_id.0))
            .filter(UpdateSeq.gt(filter.after_seq));
        if !filter.radar_ids.is_empty() {
            query = query.filter(Radar.is_in(filter.radar_ids.iter().map(|radar_id| radar_id.0)));
        }
        if !filter.radar_types.is_empty() {
            query = query.filter(Type.is_in(filter.radar_types.iter().map(|radar_type| radar_type.as_str())));
        }
        if !filter.domains.is_empty() {
            query = query.filter(Domain.is_in(filter.domains.clone()));
        }
        if !filter.update_types.is_empty() {
            query = query.filter(Kind.is_in(filter.update_types.iter().map(|kind| kind.as_str())));
        }
        if let Some(since) = filter.since {
            let last_before = Func::coalesce([Expr::from(last_seq_up_to(account_id, since)), Expr::value(0i64)]);
            query = query.filter(Expr::col((radar_update::Entity, UpdateSeq)).gt(last_before));
        }
        let page = query.order_by_asc(UpdateSeq).limit(limit as u64 + 1).into_tuple::<(i64, String)>();
        let mut found = self.clock.io(page.all(&self.read)).await?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok((found.into_iter().map(|(update_seq, body)| StoredUpdate { update_seq, body }).collect(), has_more))
    }

    /// The last updates of a radar, newest first.
    ///
    /// # Errors
    /// The database did not answer.
    pub async fn last_updates(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
        limit: u64,
    ) -> Result<Vec<StoredUpdate>, StoreError> {
        use radar_update::Column::{AccountId as Account, Body, RadarId as Radar, UpdateSeq};
        let query = radar_update::Entity::find()
            .select_only()
            .columns([UpdateSeq, Body])
            .filter(Account.eq(account_id.0))
            .filter(Radar.eq(radar_id.0))
            .order_by_desc(UpdateSeq)
            .limit(limit)
            .into_tuple::<(i64, String)>();
        let found = self.clock.io(query.all(&self.read)).await?;
        Ok(found.into_iter().map(|(update_seq, body)| StoredUpdate { update_seq, body }).collect())
    }
}

/// The number of the last update that was discovered by an instant. Both increase together (decision 3.5), so "after
/// this instant" is "after this number", and a page is read from where it begins instead of from the oldest update.
fn last_seq_up_to(account_id: AccountId, instant: DateTime<Utc>) -> SelectStatement {
    use radar_update::Column::{AccountId as Account, DiscoveredAt, UpdateSeq};
    radar_update::Entity::find()
        .select_only()
        .column(UpdateSeq)
        .filter(Account.eq(account_id.0))
        .filter(DiscoveredAt.lte(instant.timestamp_micros()))
        .order_by_desc(DiscoveredAt)
        .limit(1)
        .into_query()
}

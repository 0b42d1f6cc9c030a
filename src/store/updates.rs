//! Reading updates, in the order in which they were committed (Spec 4.9, decisions 3.4, 3.5).

use chrono::{DateTime, Utc};
use entity::radar_update;
use sea_orm::sea_query::{Expr, ExprTrait, Func};
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
            .filter(Expr::col((radar_update::Entity, UpdateSeq)).gt(self.page_begins_after(account_id, filter)));
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

    /// The number after which a page begins. Numbers and instants increase together (decision 3.5), so "discovered after"
    /// is "after the number of the last one until then": one bound, at which the database begins to read, however many
    /// updates lie before.
    fn page_begins_after(&self, account_id: AccountId, filter: &UpdateFilter) -> Expr {
        use radar_update::Column::{AccountId as Account, DiscoveredAt, UpdateSeq};
        let Some(since) = filter.since else { return Expr::value(filter.after_seq) };
        let last_until_then = radar_update::Entity::find()
            .select_only()
            .column(UpdateSeq)
            .filter(Account.eq(account_id.0))
            .filter(DiscoveredAt.lte(since.timestamp_micros()))
            .order_by_desc(DiscoveredAt)
            .limit(1)
            .into_query();
        let last_until_then = Func::coalesce([Expr::from(last_until_then), Expr::value(0i64)]);
        let larger = Func::cust(if self.is_sqlite() { "max" } else { "greatest" });
        larger.args([Expr::value(filter.after_seq), last_until_then.into()]).into()
    }
}

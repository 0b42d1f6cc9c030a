//! Pages of an account's radars (Spec 4.6, decision 3.3).

use std::collections::BTreeSet;

use uuid::Uuid;

use super::paging::{self, Paged, Stream, crossed};
use super::radars::{RadarAndPause, radar_and_pause};
use crate::database::{List, Sql};
use crate::{Result, Store};
use domain::{AccountId, RadarFilter, RadarType, Status};

/// Radars, newest first.
pub(super) const RADARS: Paged = Paged {
    table: "radar",
    columns: "found.*, (select p.since from type_pause p
        where p.account_id = found.account_id and p.radar_type = found.radar_type) as paused_since",
    key: "radar_id",
    ordered_by: &["created_at", "radar_id"],
    direction: "desc",
};

impl Store {
    /// A page of an account's radars, newest first, and whether more follow.
    pub async fn radars(
        &self,
        account_id: AccountId,
        filter: &RadarFilter,
        limit: usize,
    ) -> Result<(Vec<RadarAndPause>, bool)> {
        let also = |sql: &mut Sql| narrow(sql, filter);
        let streams = streams_of(account_id, filter);
        let (found, has_more) = self.read_page(&RADARS, Some(account_id.0), &streams, also, limit).await?;
        Ok((found.iter().map(radar_and_pause).collect::<Result<_>>()?, has_more))
    }
}

/// The ranges that hold what is wanted, each of one index of `radar`; one row each where radars are named.
fn streams_of(account_id: AccountId, filter: &RadarFilter) -> Vec<Stream> {
    let streams = paging::of_account(account_id.0);
    if !filter.radar_ids.is_empty() {
        let radar_ids: BTreeSet<Uuid> = filter.radar_ids.iter().map(|radar_id| radar_id.0).collect();
        return crossed(streams, "radar_id", radar_ids);
    }
    if filter.status.is_none() && filter.radar_types.is_empty() {
        return streams;
    }
    let radar_types = if filter.radar_types.is_empty() { RadarType::ALL } else { &filter.radar_types };
    let radar_types: BTreeSet<&str> = radar_types.iter().map(|radar_type| radar_type.as_str()).collect();
    let statuses = filter.status.map_or(vec![Status::Active, Status::Inactive], |status| vec![status]);
    crossed(crossed(streams, "radar_type", radar_types), "status", statuses.iter().map(|status| status.as_str()))
}

/// Where the page begins, and what else is wanted of radars that are named.
fn narrow(sql: &mut Sql, filter: &RadarFilter) {
    paging::created_before(sql, filter.before);
    if filter.radar_ids.is_empty() {
        return;
    }
    sql.add_if_some(" and status = ?", filter.status.map(|status| status.as_str()));
    if !filter.radar_types.is_empty() {
        sql.add(" and radar_type in ?", List(filter.radar_types.iter().map(|radar_type| radar_type.as_str())));
    }
}

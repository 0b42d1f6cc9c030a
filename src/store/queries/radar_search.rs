//! Radars of all accounts, as operators look for them.

use sea_orm::ConnectionTrait;

use super::paging::{self, Stream, crossed};
use super::radar_pages::RADARS;
use super::radars::{RadarAndPause, radar_and_pause};
use crate::database::statement::Sql;
use crate::{Store, StoreError};
use domain::radar::Status;
use domain::radar::search::{COUNT_MAX, RadarSearch, SearchField};
use domain::radar_type::RadarType;

impl Store {
    /// A page of the radars that are looked for, newest first, and whether more follow.
    pub async fn all_radars_found(
        &self,
        search: &RadarSearch,
        limit: usize,
    ) -> Result<(Vec<RadarAndPause>, bool), StoreError> {
        let backend = self.read.get_database_backend();
        let also = |sql: &mut Sql| {
            narrow(sql, search);
            paging::created_before(sql, search.before);
        };
        let page = paging::page(backend, &RADARS, None, &streams_of(search), also, limit + 1);
        let mut found = self.deadline.io(self.read.query_all_raw(page)).await?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok((found.iter().map(radar_and_pause).collect::<Result<_, StoreError>>()?, has_more))
    }

    /// How many radars are looked for; one more than [`COUNT_MAX`] stands for any number beyond that.
    pub async fn all_radars_count(&self, search: &RadarSearch) -> Result<u64, StoreError> {
        let mut sql = self.sql("select count(*) from (");
        for (number, stream) in streams_of(search).iter().enumerate() {
            sql.push(if number == 0 { "" } else { " union all " });
            sql.push("select * from (select 1 from radar");
            paging::conditions(&mut sql, stream);
            narrow(&mut sql, search);
            sql.push(" limit ").count(COUNT_MAX + 1).push(&format!(") stream_{number}"));
        }
        sql.push(" limit ").count(COUNT_MAX + 1).push(") found");
        let count: Option<i64> = self.deadline.io(sql.all(&self.read)).await?.pop();
        Ok(u64::try_from(count.unwrap_or_default()).unwrap_or_default())
    }
}

/// The ranges that hold what is looked for, each of one index of `radar`: by identifier, by the first field of the target,
/// by account, or by type and state.
fn streams_of(search: &RadarSearch) -> Vec<Stream> {
    if let Some(radar_id) = search.radar_id {
        return vec![vec![("radar_id", radar_id.0.into())]];
    }
    let radar_types = search.radar_type.map_or(RadarType::ALL.to_vec(), |radar_type| vec![radar_type]);
    let radar_types = radar_types.iter().map(|radar_type| radar_type.as_str());
    if let Some((field, text)) = search.fields.first() {
        return crossed(vec![vec![(column(*field), text.as_str().into())]], "radar_type", radar_types);
    }
    let streams = search.account_id.map_or(vec![Stream::new()], |account_id| paging::of_account(account_id.0));
    if search.account_id.is_some() && search.radar_type.is_none() && search.status.is_none() {
        return streams;
    }
    let statuses = search.status.map_or(Status::ALL.to_vec(), |status| vec![status]);
    crossed(crossed(streams, "radar_type", radar_types), "status", statuses.iter().map(|status| status.as_str()))
}

/// Everything that is asked of a radar, whichever range it is found in.
fn narrow(sql: &mut Sql, search: &RadarSearch) {
    for (field, text) in &search.fields {
        sql.push(" and ").push(column(*field)).push(" = ").bind(text.as_str());
    }
    if let Some(account_id) = search.account_id {
        sql.push(" and account_id = ").bind(account_id.0);
    }
    if let Some(radar_type) = search.radar_type {
        sql.push(" and radar_type = ").bind(radar_type.as_str());
    }
    if let Some(status) = search.status {
        sql.push(" and status = ").bind(status.as_str());
    }
}

const fn column(field: SearchField) -> &'static str {
    match field {
        SearchField::Domain => "domain",
        SearchField::ProfileUrl => "profile_url",
        SearchField::Email => "email",
        SearchField::FullName => "full_name",
        SearchField::Keyword => "keyword",
    }
}

//! Radars of all accounts, as operators look for them.

use entity::radar;
use sea_orm::{DbBackend, IdenStatic};

use super::paging::{self, Stream, crossed};
use super::radar_pages::RADARS;
use super::radars::{RadarAndPause, radar_and_pause};
use crate::database::Sql;
use crate::{Result, Store};
use domain::radar::search::COUNT_MAX;
use domain::{RadarSearch, RadarType, SearchField, Sought, Status};

/// The most ranges of an index that are looked at, each of radars of one type with one value: those of all types with the same
/// value, or those of several values that begin alike. To plan a statement with hundreds takes PostgreSQL longer than to run it.
const RANGES_MAX: usize = 2 * RadarType::ALL.len();

/// A page of the radars that are looked for.
#[derive(Clone, Debug)]
pub struct FoundRadars {
    /// The radars, newest first.
    pub radars: Vec<RadarAndPause>,
    /// Whether more follow.
    pub has_more: bool,
    /// How many there are in all.
    pub count: u64,
    /// Whether there are no more than `count`.
    pub count_is_exact: bool,
}

impl Store {
    /// A page of the radars that are looked for, newest first. No more than [`COUNT_MAX`] are counted.
    pub async fn all_radars_found(&self, search: &RadarSearch, limit: usize) -> Result<FoundRadars> {
        let backend = self.read.get_database_backend();
        let (streams, are_all) = self.streams_of(search).await?;
        let also = |sql: &mut Sql| {
            narrow(sql, search, backend);
            paging::created_before(sql, search.before);
        };
        let (found, has_more) = self.read_page(&RADARS, None, &streams, also, limit).await?;
        let count = self.count(search, &streams).await?;
        Ok(FoundRadars {
            radars: found.iter().map(radar_and_pause).collect::<Result<_>>()?,
            has_more,
            count: count.min(COUNT_MAX),
            count_is_exact: are_all && count <= COUNT_MAX,
        })
    }

    /// How many radars are looked for; one more than [`COUNT_MAX`] stands for any number beyond that.
    async fn count(&self, search: &RadarSearch, streams: &[Stream]) -> Result<u64> {
        if streams.is_empty() {
            return Ok(0);
        }
        let mut sql = self.sql("select count(*) from (");
        for (number, stream) in streams.iter().enumerate() {
            sql.push(if number == 0 { "" } else { " union all " });
            sql.push("select * from (select 1 from radar");
            paging::conditions(&mut sql, stream);
            narrow(&mut sql, search, self.read.get_database_backend());
            sql.push(" limit ").count(COUNT_MAX + 1).push(&format!(") stream_{number}"));
        }
        sql.push(" limit ").count(COUNT_MAX + 1).push(") counted");
        let count: Option<i64> = self.deadline.io(sql.all(&self.read)).await?.pop();
        Ok(count.unwrap_or_default().unsigned_abs())
    }

    /// The ranges that hold what is looked for, each of one index of `radar`: by identifier, by a field of the target,
    /// by account, or by type and state; and whether they are all.
    async fn streams_of(&self, search: &RadarSearch) -> Result<(Vec<Stream>, bool)> {
        if let Some(radar_id) = search.radar_id {
            return Ok((vec![vec![("radar_id", radar_id.0.into())]], true));
        }
        let is_value = |(_, sought): &&(SearchField, Sought)| matches!(sought, Sought::Value(_));
        if let Some((field, sought)) = search.fields.iter().find(is_value).or(search.fields.first()) {
            return self.streams_with(*field, sought).await;
        }
        let streams = search.account_id.map_or(vec![Stream::new()], |account_id| paging::of_account(account_id.0));
        if search.account_id.is_some() && search.radar_type.is_none() && search.status.is_none() {
            return Ok((streams, true));
        }
        let radar_types = search.radar_type.map_or(RadarType::ALL.to_vec(), |radar_type| vec![radar_type]);
        let radar_types = radar_types.iter().map(|radar_type| radar_type.as_str());
        let statuses = search.status.map_or(Status::ALL.to_vec(), |status| vec![status]);
        let statuses = statuses.iter().map(|status| status.as_str());
        Ok((crossed(crossed(streams, "radar_type", radar_types), "status", statuses), true))
    }

    /// The ranges of a field's index that hold what is looked for, at most [`RANGES_MAX`], and whether they are all.
    async fn streams_with(&self, field: SearchField, sought: &Sought) -> Result<(Vec<Stream>, bool)> {
        let backend = self.read.get_database_backend();
        let found: Vec<_> = self.deadline.io(ranges(backend, field, sought).all(&self.read)).await?;
        let (found, has_more) = paging::cut(found, RANGES_MAX);
        let stream = |(value, radar_type): (String, String)| {
            vec![(compared(field, backend), value.into()), ("radar_type", radar_type.into())]
        };
        Ok((found.into_iter().map(stream).collect(), !has_more))
    }
}

/// The values of a field that are looked for, each with the types of its radars, at most one more than [`RANGES_MAX`]. Each is one
/// step into the index, however many radars have it.
pub(super) fn ranges(backend: DbBackend, field: SearchField, sought: &Sought) -> Sql {
    let (name, column) = (column(field).as_str(), compared(field, backend));
    let value = format!("select {column} as value from radar where {name} is not null and {column}");
    let radar_type = format!("(select min(radar_type) from radar where {name} is not null and {column}");
    let mut sql = Sql::new(backend, "with recursive step(value) as (select * from (");
    match sought {
        Sought::Value(text) => sql.push(&value).push(" = ").bind(folded(field, text)).push(" limit 1) only_one"),
        Sought::Beginning(text) => {
            let text = folded(field, text);
            sql.push(&value).push(" >= ").bind(text.as_str()).before_end_of(column, &text);
            sql.push(&format!(" order by {column} limit 1) first union all select (")).push(&value);
            sql.push(" > step.value").before_end_of(column, &text);
            sql.push(&format!(" order by {column} limit 1) from step where step.value is not null"))
        }
    };
    sql.push("), pair(value, radar_type) as (select value, ").push(&radar_type).push(" = each_value.value)");
    sql.push(" from (select value from step where value is not null limit ").count(RANGES_MAX as u64 + 1);
    sql.push(") each_value union all select value, ").push(&radar_type);
    sql.push(" = pair.value and radar_type > pair.radar_type) from pair where radar_type is not null)");
    sql.push(" select value, radar_type from pair where radar_type is not null limit ").count(RANGES_MAX as u64 + 1);
    sql
}

/// Everything that is asked of a radar, whichever range it is found in.
fn narrow(sql: &mut Sql, search: &RadarSearch, backend: DbBackend) {
    for (field, sought) in &search.fields {
        let compared = compared(*field, backend);
        sql.push(&format!(" and {} is not null and {compared}", column(*field).as_str()));
        match sought {
            Sought::Value(text) => sql.push(" = ").bind(folded(*field, text)),
            Sought::Beginning(text) => {
                let text = folded(*field, text);
                sql.push(" >= ").bind(text.as_str()).before_end_of(compared, &text)
            }
        };
    }
    sql.add_if_some(" and account_id = ?", search.account_id);
    sql.add_if_some(" and radar_type = ?", search.radar_type);
    sql.add_if_some(" and status = ?", search.status.map(|status| status.as_str()));
}

/// Where the field stands.
pub(super) const fn column(field: SearchField) -> radar::Column {
    match field {
        SearchField::Domain => radar::Column::Domain,
        SearchField::ProfileUrl => radar::Column::ProfileUrl,
        SearchField::Email => radar::Column::Email,
        SearchField::FullName => radar::Column::FullName,
        SearchField::Keyword => radar::Column::Keyword,
    }
}

/// What is compared, in the very words of its index.
fn compared(field: SearchField, backend: DbBackend) -> &'static str {
    match (field, backend) {
        (SearchField::FullName, DbBackend::Postgres) => r#"lower(full_name collate "C")"#,
        (SearchField::FullName, _) => "lower(full_name)",
        (SearchField::Keyword, DbBackend::Postgres) => r#"lower(keyword collate "C")"#,
        (SearchField::Keyword, _) => "lower(keyword)",
        _ => column(field).as_str(),
    }
}

/// A value as it is compared: both databases know the upper case of ASCII alone.
fn folded(field: SearchField, text: &str) -> String {
    match field {
        SearchField::FullName | SearchField::Keyword => text.to_ascii_lowercase(),
        _ => text.to_owned(),
    }
}

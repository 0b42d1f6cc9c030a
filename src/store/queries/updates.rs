//! Reading updates, in the order in which they were committed (Spec 4.9, decisions 3.4, 3.5).

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::paging::{self, Paged, Stream, crossed};
use crate::database::{List, Sql, in_few_lengths};
use crate::{Result, Store};
use domain::radar::update;
use domain::{AccountId, DomainName, RadarType, UpdateFilter, UpdateType};

/// A stored update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredUpdate {
    /// Its number within the account.
    pub update_seq: i64,
    /// The payload, byte for byte as it is pushed.
    pub body: String,
}

/// Updates in the order of their publication.
const UPDATES: Paged = Paged {
    table: "radar_update",
    columns: "found.update_seq, found.body",
    key: "update_seq",
    ordered_by: &["update_seq"],
    direction: "asc",
};
const NEWEST_UPDATES: Paged = Paged { direction: "desc", ..UPDATES };
pub(super) const UPDATE_TYPES: [UpdateType; 2] = [UpdateType::Finding, UpdateType::Failure];

impl Store {
    /// A page of updates, and whether more follow. It is shorter than `limit` where payloads are long.
    pub async fn updates(
        &self,
        account_id: AccountId,
        filter: &UpdateFilter,
        limit: usize,
    ) -> Result<(Vec<StoredUpdate>, bool)> {
        let streams = match filter.radar_ids.is_empty() {
            true => streams_of(account_id, filter),
            false => streams_of_radars(self.deadline.io(self.wanted_radars(account_id, filter)).await?, filter),
        };
        let behind = |sql: &mut Sql| begin(sql, account_id, filter);
        let paged = if filter.is_newest_first { &NEWEST_UPDATES } else { &UPDATES };
        let (found, is_full) = self.read_page(paged, Some(account_id.0), &streams, behind, limit).await?;
        let update =
            |row: QueryResult| row.try_get_many_by_index().map(|(update_seq, body)| StoredUpdate { update_seq, body });
        let mut updates = found.into_iter().map(update).collect::<Result<Vec<_>, _>>()?;
        let fitting = update::fitting(updates.iter().map(|update| update.body.len()));
        let has_more = is_full || fitting < updates.len();
        updates.truncate(fitting);
        Ok((updates, has_more))
    }

    /// The number of an account's last update that was discovered at `until` or before; 0 when there is none.
    pub async fn last_update_until(&self, account_id: AccountId, until: DateTime<Utc>) -> Result<i64> {
        let last = "select update_seq from radar_update where account_id = ? and discovered_at <= ?
            order by discovered_at desc limit 1";
        Ok(self.first(last, (account_id, until)).await?.unwrap_or_default())
    }

    /// The numbers of the last updates of the owners of API keys, by the hashes of the keys. Those of keys and accounts that are
    /// not good at `now` are left out.
    pub async fn last_updates_of_keys(
        &self,
        key_hashes: &[String],
        now: DateTime<Utc>,
    ) -> Result<HashMap<String, i64>> {
        let last = "select api_key.key_hash, account.update_seq from api_key
            join account on account.account_id = api_key.account_id where api_key.revoked_at is null
            and (api_key.expires_at is null or api_key.expires_at > ?) and account.status = 'active'
            and api_key.key_hash in ?";
        let key_hashes = List(in_few_lengths(key_hashes.iter().map(String::as_str)));
        Ok(self.all(last, (now, key_hashes)).await?.into_iter().collect())
    }

    /// The radars that the filter names and that can have what it wants: a radar has one owner, one type, one domain.
    async fn wanted_radars(&self, account_id: AccountId, filter: &UpdateFilter) -> Result<Vec<Uuid>> {
        let named = List(filter.radar_ids.iter().map(|radar_id| radar_id.0));
        let mut sql =
            self.sql_with("select radar_id from radar where account_id = ? and radar_id in ?", (account_id, named));
        if !filter.radar_types.is_empty() {
            sql.add(" and radar_type in ?", List(filter.radar_types.iter().map(|radar_type| radar_type.as_str())));
        }
        if !filter.domains.is_empty() {
            sql.add(" and domain in ?", List(filter.domains.iter().map(DomainName::as_str)));
        }
        sql.all(&self.read).await
    }
}

/// The ranges that hold what is wanted of radars, each of one index of `radar_update`.
fn streams_of_radars(radar_ids: Vec<Uuid>, filter: &UpdateFilter) -> Vec<Stream> {
    if radar_ids.is_empty() {
        return Vec::new();
    }
    // A radar has one owner: to name the account as well would only suggest indexes that are of no use here.
    let streams = crossed(vec![Stream::new()], "radar_id", radar_ids);
    crossed(streams, "update_type", update_types(filter))
}

/// The ranges that hold what is wanted of an account, each of one index of `radar_update`.
fn streams_of(account_id: AccountId, filter: &UpdateFilter) -> Vec<Stream> {
    let update_types = update_types(filter);
    let streams = paging::of_account(account_id.0);
    let has_findings = update_types.contains(UpdateType::Finding.as_str());
    if filter.domains.is_empty() && filter.radar_types.is_empty() && has_findings {
        // Nearly all updates are findings: to step over the others costs less than to merge.
        let is_narrowed = update_types.len() < UPDATE_TYPES.len();
        return crossed(streams, "update_type", update_types.into_iter().filter(|_| is_narrowed));
    }
    let radar_types = if filter.radar_types.is_empty() { RadarType::ALL } else { &filter.radar_types };
    let radar_types: BTreeSet<&str> = radar_types.iter().map(|radar_type| radar_type.as_str()).collect();
    let domains: BTreeSet<&str> = filter.domains.iter().map(DomainName::as_str).collect();
    let streams = crossed(crossed(streams, "domain", domains), "radar_type", radar_types);
    crossed(streams, "update_type", update_types)
}

fn update_types(filter: &UpdateFilter) -> BTreeSet<&'static str> {
    let wanted = if filter.update_types.is_empty() { &UPDATE_TYPES[..] } else { &filter.update_types };
    wanted.iter().map(|update_type| update_type.as_str()).collect()
}

/// Where a page begins. Numbers and instants increase together (decision 3.5), so "discovered after" is "after the
/// number of the last one until then": one bound, at which the database begins to read, however many lie before.
fn begin(sql: &mut Sql, account_id: AccountId, filter: &UpdateFilter) {
    sql.add_if_some(" and update_seq < ?", filter.before_seq);
    sql.push(" and update_seq > ");
    let Some(since) = filter.since else {
        sql.bind(filter.after_seq);
        return;
    };
    let later = "(?, coalesce((select earlier.update_seq from radar_update earlier
        where earlier.account_id = ? and earlier.discovered_at <= ?
        order by earlier.discovered_at desc limit 1), 0))";
    sql.larger().add(later, (filter.after_seq, account_id, since)).published_after(since);
}

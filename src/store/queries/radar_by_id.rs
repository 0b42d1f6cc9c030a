//! Reading one radar (Spec 4.7): the most frequent read, and so the one that is read in groups.

use std::collections::HashMap;

use entity::radar;
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Statement};
use uuid::Uuid;

use crate::domain::ids::{AccountId, RadarId};
use crate::store::database::rows;
use crate::store::database::statement::{Sql, in_few_lengths};
use crate::store::queries::radar_cache::RadarCache;
use crate::store::queries::radar_versions::{RadarVersions, Versioned};
use crate::store::queries::radars::RadarAndPause;
use crate::store::{Store, StoreError};

/// Followed by the identifiers.
const RADARS_AND_PAUSES: &str = "select r.*, p.since as paused_since from radar r
    left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type
    where r.radar_id in ";

/// The radars of `$1` whose version is not that of `$2`, both lists in one text. A row that a transaction wrote bears
/// that transaction's number.
const CHANGED_RADARS: &str = "select * from (
        select wanted.radar_id as wanted_id, wanted.version as known, r.*, p.since as paused_since,
            r.xmin::text || ':' || coalesce(p.since::text, '') as version
        from unnest(string_to_array($1, ',')::uuid[], string_to_array($2, ',')) as wanted (radar_id, version)
        left join radar r on r.radar_id = wanted.radar_id
        left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type) as found
    where version is distinct from known";

/// What spares reading a radar that has not changed.
pub(in crate::store) enum Kept {
    /// This process is the only writer, and knows what it has changed.
    Cache(RadarCache),
    /// Other processes write as well: the database says what has changed.
    Versions(RadarVersions),
}

impl Store {
    /// A radar of an account, as it was after everything that was committed before the call.
    pub async fn radar(&self, account_id: AccountId, radar_id: RadarId) -> Result<Option<RadarAndPause>, StoreError> {
        let found = match self.kept_radars.cache().and_then(|cache| cache.get(radar_id)) {
            Some(kept) => Some(kept),
            None => {
                let read = self.radars_by_id.run(radar_id, async |radar_ids| self.sweep_radars(radar_ids).await);
                self.clock.io(read).await?.flatten()
            }
        };
        Ok(found.filter(|(radar, _)| radar.account_id == account_id))
    }

    /// Radars with their pauses, whosever they are.
    async fn sweep_radars(&self, radar_ids: Vec<RadarId>) -> Result<Vec<Option<RadarAndPause>>, StoreError> {
        let found = match &self.kept_radars {
            Kept::Cache(cache) => self.read_radars(cache, &radar_ids).await?,
            Kept::Versions(versions) => self.read_changed_radars(versions, &radar_ids).await?,
        };
        Ok(radar_ids.iter().map(|radar_id| found.get(radar_id).cloned()).collect())
    }

    async fn read_radars(
        &self,
        cache: &RadarCache,
        radar_ids: &[RadarId],
    ) -> Result<HashMap<RadarId, RadarAndPause>, StoreError> {
        let ticket = cache.ticket();
        let mut sql = Sql::new(self.read.get_database_backend());
        sql.push(RADARS_AND_PAUSES).bind_list(in_few_lengths(radar_ids.iter().map(|radar_id| radar_id.0)));
        let rows = self.read.query_all_raw(sql.finish()).await?;
        let found: Vec<_> = rows.iter().map(radar_and_pause).collect::<Result<_, _>>()?;
        cache.keep(found.iter(), ticket);
        Ok(found.into_iter().map(|found| (found.0.radar_id, found)).collect())
    }

    async fn read_changed_radars(
        &self,
        versions: &RadarVersions,
        radar_ids: &[RadarId],
    ) -> Result<HashMap<RadarId, RadarAndPause>, StoreError> {
        let known = versions.known(radar_ids);
        let ids: Vec<String> = radar_ids.iter().map(|radar_id| radar_id.0.to_string()).collect();
        let known_versions: Vec<&str> =
            known.iter().map(|known| known.as_ref().map_or("", |known| known.version.as_str())).collect();
        let values = [ids.join(",").into(), known_versions.join(",").into()];
        let statement = Statement::from_sql_and_values(self.read.get_database_backend(), CHANGED_RADARS, values);
        let kept = radar_ids.iter().zip(known);
        let mut found: HashMap<RadarId, RadarAndPause> =
            kept.filter_map(|(radar_id, known)| Some((*radar_id, known?.radar.clone()))).collect();
        let mut changed = Vec::new();
        for row in self.read.query_all_raw(statement).await? {
            let version: Option<String> = row.try_get("", "version")?;
            let radar_id = RadarId(row.try_get::<Uuid>("", "wanted_id")?);
            match version {
                Some(version) => {
                    let radar = radar_and_pause(&row)?;
                    found.insert(radar_id, radar.clone());
                    changed.push(Versioned { version, radar });
                }
                None => drop(found.remove(&radar_id)),
            }
        }
        versions.keep(changed);
        Ok(found)
    }
}

impl Kept {
    /// Nothing is kept yet; `is_only_writer` where no other process writes.
    pub(in crate::store) fn new(is_only_writer: bool) -> Self {
        if is_only_writer { Self::Cache(RadarCache::default()) } else { Self::Versions(RadarVersions::default()) }
    }

    /// The cache of the only writer.
    pub(in crate::store) const fn cache(&self) -> Option<&RadarCache> {
        match self {
            Self::Cache(cache) => Some(cache),
            Self::Versions(_) => None,
        }
    }
}

fn radar_and_pause(row: &QueryResult) -> Result<RadarAndPause, StoreError> {
    let paused_since: Option<i64> = row.try_get("", "paused_since")?;
    let paused_since = rows::instant_option("type_pause", paused_since)?;
    let radar = rows::radar(radar::Model::from_query_result(row, "")?)?;
    let paused_since = paused_since.filter(|_| radar.can_be_paused());
    Ok((radar, paused_since))
}

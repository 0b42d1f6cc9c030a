//! Reading one radar (Spec 4.7): the most frequent read, and so the one that is read in groups.

use std::collections::HashMap;

use sea_orm::ConnectionTrait;

use crate::database::connection::Backend;
use crate::database::statement::in_few_lengths;
use crate::queries::radar_cache::{Change, RadarCache};
use crate::queries::radar_versions::RadarVersions;
use crate::queries::radars::{RadarAndPause, radar_and_pause};
use crate::{Store, StoreError};
use domain::ids::{AccountId, RadarId};

/// Followed by the identifiers.
const RADARS_AND_PAUSES: &str = "select r.*, p.since as paused_since from radar r
    left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type
    where r.radar_id in ";

/// What spares reading a radar that has not changed.
pub(crate) enum RadarReads {
    /// On SQLite nobody else writes: what was read is kept until it changes.
    Cached(RadarCache),
    /// On PostgreSQL other processes write as well: each read asks the server what has changed.
    Versions(RadarVersions),
}

impl Store {
    /// A radar of an account, as it was after everything that was committed before the call.
    pub async fn radar(&self, account_id: AccountId, radar_id: RadarId) -> Result<Option<RadarAndPause>, StoreError> {
        let found = match self.radar_reads.cache().and_then(|cache| cache.get(radar_id)) {
            Some(kept) => Some(kept),
            None => {
                let read = self.radars_by_id.run(radar_id, async |radar_ids| self.all_radars(radar_ids).await);
                self.deadline.io(read).await?.flatten()
            }
        };
        Ok(found.filter(|(radar, _)| radar.account_id == account_id))
    }

    /// Radars with their pauses, whosever they are.
    async fn all_radars(&self, radar_ids: Vec<RadarId>) -> Result<Vec<Option<RadarAndPause>>, StoreError> {
        match &self.radar_reads {
            RadarReads::Cached(cache) => self.read_and_keep(cache, &radar_ids).await,
            RadarReads::Versions(versions) => versions.read(&radar_ids).await,
        }
    }

    async fn read_and_keep(
        &self,
        cache: &RadarCache,
        radar_ids: &[RadarId],
    ) -> Result<Vec<Option<RadarAndPause>>, StoreError> {
        let ticket = cache.ticket();
        let mut sql = self.sql(RADARS_AND_PAUSES);
        sql.bind_list(in_few_lengths(radar_ids.iter().map(|radar_id| radar_id.0)));
        let rows = self.read.query_all_raw(sql.finish()).await?;
        let found = rows.iter().map(|row| radar_and_pause(row).map(|found| (found.0.radar_id, found)));
        let found: HashMap<RadarId, RadarAndPause> = found.collect::<Result<_, StoreError>>()?;
        cache.keep(found.values(), ticket);
        Ok(radar_ids.iter().map(|radar_id| found.get(radar_id).cloned()).collect())
    }
}

impl RadarReads {
    /// Nothing is read yet.
    pub(crate) fn new(backend: &Backend) -> Self {
        match backend {
            Backend::Sqlite { .. } => Self::Cached(RadarCache::default()),
            Backend::Postgres(kept) => Self::Versions(RadarVersions::new(kept.clone())),
        }
    }

    /// Announces a commit.
    pub(crate) fn change(&self) -> Change<'_> {
        Change::begin(self.cache())
    }

    /// The cache, where there is one.
    const fn cache(&self) -> Option<&RadarCache> {
        match self {
            Self::Cached(cache) => Some(cache),
            Self::Versions(_) => None,
        }
    }
}

//! Reading one radar (Spec 4.7): the most frequent read, and so the one that is read in groups.

use std::collections::HashMap;

use sea_orm::sqlx;

use crate::database::{Backend, in_few_lengths};
use crate::queries::radar_cache::{Change, RadarCache};
use crate::queries::radars::{RadarAndPause, radar_and_pause};
use crate::{Result, Store};
use domain::{AccountId, RadarId};

/// Followed by what holds of the identifier.
const RADARS_AND_PAUSES: &str = "select r.*, p.since as paused_since from radar r
    left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type
    where r.radar_id ";

impl Store {
    /// A radar of an account, as it was after everything that was committed before the call.
    pub async fn radar(&self, account_id: AccountId, radar_id: RadarId) -> Result<Option<RadarAndPause>> {
        let found = match self.radar_cache.as_ref().and_then(|cache| cache.get(radar_id)) {
            Some(kept) => Some(kept),
            None => {
                let read = self.radars_by_id.run(radar_id, async |radar_ids| self.all_radars(radar_ids).await);
                self.deadline.io(read).await?.flatten()
            }
        };
        Ok(found.filter(|(radar, _)| radar.account_id == account_id))
    }

    /// Radars with their pauses, whosever they are.
    async fn all_radars(&self, radar_ids: Vec<RadarId>) -> Result<Vec<Option<RadarAndPause>>> {
        let ticket = self.radar_cache.as_ref().map(RadarCache::ticket);
        let ids = in_few_lengths(radar_ids.iter().map(|radar_id| radar_id.0));
        let rows = match &self.backend {
            Backend::Sqlite { .. } => self.sql(RADARS_AND_PAUSES).push("in ").bind_list(ids).rows(&self.read).await?,
            Backend::Postgres(kept) => {
                let words = format!("{RADARS_AND_PAUSES}= any($1)");
                kept.query_all(|| sqlx::query(sqlx::AssertSqlSafe(words.clone())).bind(&ids)).await?
            }
        };
        let found = rows.iter().map(|row| radar_and_pause(row).map(|found| (found.0.radar_id, found)));
        let found: HashMap<RadarId, RadarAndPause> = found.collect::<Result<_>>()?;
        if let (Some(cache), Some(ticket)) = (&self.radar_cache, ticket) {
            cache.keep(found.values(), ticket);
        }
        Ok(radar_ids.iter().map(|radar_id| found.get(radar_id).cloned()).collect())
    }

    /// Announces a commit to the radars that are kept.
    pub(crate) fn change(&self) -> Change<'_> {
        Change::begin(self.radar_cache.as_ref())
    }
}

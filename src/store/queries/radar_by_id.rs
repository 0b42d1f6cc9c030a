//! Reading one radar (Spec 4.7): the most frequent read, and so the one that is read in groups.

use std::collections::HashMap;

use entity::radar;
use sea_orm::{ConnectionTrait, FromQueryResult};

use super::radars::RadarAndPause;
use crate::domain::ids::{AccountId, RadarId};
use crate::store::database::rows;
use crate::store::database::statement::{Sql, in_few_lengths};
use crate::store::{Store, StoreError};

/// Followed by the identifiers.
const RADARS_AND_PAUSES: &str = "select r.*, p.since as paused_since from radar r
    left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type
    where r.radar_id in ";

impl Store {
    /// A radar of an account, as it was after everything that was committed before the call.
    ///
    /// # Errors
    /// The database did not answer.
    pub async fn radar(&self, account_id: AccountId, radar_id: RadarId) -> Result<Option<RadarAndPause>, StoreError> {
        let found = match self.radar_cache.as_ref().and_then(|cache| cache.get(radar_id)) {
            Some(kept) => Some(kept),
            None => {
                let read = self.radars_by_id.get(radar_id, async |radar_ids| self.sweep_radars(radar_ids).await);
                self.clock.io(read).await?
            }
        };
        Ok(found.filter(|(radar, _)| radar.account_id == account_id))
    }

    /// Radars with their pauses, whosever they are.
    async fn sweep_radars(&self, radar_ids: Vec<RadarId>) -> Result<HashMap<RadarId, RadarAndPause>, StoreError> {
        let cache = self.radar_cache.as_ref().map(|cache| (cache, cache.ticket()));
        let mut found = HashMap::with_capacity(radar_ids.len());
        let mut sql = Sql::new(self.read.get_database_backend());
        sql.push(RADARS_AND_PAUSES).bind_list(in_few_lengths(radar_ids.iter().map(|radar_id| radar_id.0)));
        for row in self.read.query_all_raw(sql.finish()).await? {
            let paused_since: Option<i64> = row.try_get("", "paused_since")?;
            let paused_since = rows::instant_option("type_pause", paused_since)?;
            let radar = rows::radar(radar::Model::from_query_result(&row, "")?)?;
            let paused_since = paused_since.filter(|_| radar.can_be_paused());
            found.insert(radar.radar_id, (radar, paused_since));
        }
        if let Some((cache, ticket)) = cache {
            cache.keep(found.values(), ticket);
        }
        Ok(found)
    }
}

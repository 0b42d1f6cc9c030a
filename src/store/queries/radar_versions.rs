//! Radars that were read lately, with their versions: where other processes write as well, each read asks the server which
//! of them have changed since, and only those are sent again.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sea_orm::{QueryResult, sqlx};
use uuid::Uuid;

use super::radars::{RadarAndPause, radar_and_pause};
use crate::StoreError;
use crate::database::kept_connections::KeptConnections;
use domain::ids::RadarId;

/// How many radars are kept at most.
const RADARS_MAX: usize = 4096;

/// Those of the radars `$1` whose row is no longer of the version in `$2` or whose type is no longer paused since `$3`, with
/// nulls for what is gone. A row's version is the number of the transaction that wrote it.
const CHANGED_RADARS: &str =
    "select wanted.radar_id as wanted_id, r.xmin::text as version, r.*, p.since as paused_since
    from unnest($1::uuid[], $2::int4[], $3::int8[]) as wanted (radar_id, version, paused_since)
    left join radar r on r.radar_id = wanted.radar_id
    left join type_pause p on p.account_id = r.account_id and p.radar_type = r.radar_type
    where (r.xmin = wanted.version) is not true or p.since is distinct from wanted.paused_since";

/// Radars as the server last sent them.
pub(crate) struct RadarVersions {
    connections: Arc<KeptConnections>,
    kept: Mutex<HashMap<RadarId, Arc<Version>>>,
}

struct Version {
    /// The number of the transaction that wrote the row; the server compares it as a signed number.
    written_by: i32,
    /// Since when its type is paused, also where that does not concern the radar.
    paused_since: Option<i64>,
    radar: RadarAndPause,
}

impl RadarVersions {
    /// Nothing is kept yet.
    pub(super) fn new(connections: Arc<KeptConnections>) -> Self {
        Self { connections, kept: Mutex::default() }
    }

    /// The radars, in the order in which they are asked for.
    pub(super) async fn read(&self, radar_ids: &[RadarId]) -> Result<Vec<Option<RadarAndPause>>, StoreError> {
        let mut known: Vec<Option<Arc<Version>>> = {
            let kept = self.kept.lock();
            radar_ids.iter().map(|radar_id| kept.get(radar_id).cloned()).collect()
        };
        let ids: Vec<Uuid> = radar_ids.iter().map(|radar_id| radar_id.0).collect();
        let written_by: Vec<Option<i32>> = known.iter().map(|known| Some(known.as_ref()?.written_by)).collect();
        let paused: Vec<Option<i64>> = known.iter().map(|known| known.as_ref()?.paused_since).collect();
        let statement = || sqlx::query(CHANGED_RADARS).bind(&ids).bind(&written_by).bind(&paused);
        for row in self.connections.query_all(statement).await? {
            let (radar_id, changed) = version(&row)?;
            let changed = self.keep(radar_id, changed);
            let places = radar_ids.iter().zip(&mut known).filter(|(wanted, _)| **wanted == radar_id);
            places.for_each(|(_, known)| known.clone_from(&changed));
        }
        Ok(known.into_iter().map(|known| Some(known?.radar.clone())).collect())
    }

    fn keep(&self, radar_id: RadarId, changed: Option<Version>) -> Option<Arc<Version>> {
        let mut kept = self.kept.lock();
        if kept.len() >= RADARS_MAX {
            kept.clear();
        }
        let Some(changed) = changed.map(Arc::new) else {
            kept.remove(&radar_id);
            return None;
        };
        kept.insert(radar_id, changed.clone());
        Some(changed)
    }
}

/// A radar as the server now has it.
fn version(row: &QueryResult) -> Result<(RadarId, Option<Version>), StoreError> {
    let radar_id = RadarId(row.try_get("", "wanted_id")?);
    let written_by: Option<String> = row.try_get("", "version")?;
    let Some(written_by) = written_by else { return Ok((radar_id, None)) };
    let number: u32 = written_by.parse().map_err(|_| StoreError::corrupt("radar", format!("version {written_by}")))?;
    let paused_since = row.try_get("", "paused_since")?;
    let version = Version { written_by: number.cast_signed(), paused_since, radar: radar_and_pause(row)? };
    Ok((radar_id, Some(version)))
}

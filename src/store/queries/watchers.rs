//! The radars that pushed findings are for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use entity::radar;
use sea_orm::{ColumnTrait, DbBackend, EntityTrait, IdenStatic, ModelTrait, QueryFilter, Statement, Value};
use uuid::Uuid;

use crate::database::statement::{Sql, in_few_lengths};
use crate::tables::radars;
use crate::{Store, StoreError};
use domain::ids::RadarId;
use domain::radar::Radar;
use domain::targets::{TargetField, WatchedTarget};

/// Targets, and the radars that watch each, by their identifiers.
pub type Watchers = HashMap<WatchedTarget, BTreeMap<RadarId, Radar>>;

/// A value that is looked for, and the type of the radars.
type Wanted<'a> = (&'a str, &'static str);

impl Store {
    /// The radars of all accounts that watch any of `targets`: those that pushed findings are for. A target that none
    /// watches has no entry. A radar that is named by its identifier is found whatever its state.
    pub async fn all_watchers<'a>(
        &self,
        targets: impl IntoIterator<Item = &'a WatchedTarget>,
    ) -> Result<Watchers, StoreError> {
        let (mut named, mut values) = (BTreeSet::new(), BTreeMap::<_, BTreeSet<Wanted<'a>>>::new());
        for target in targets {
            match target {
                WatchedTarget::Radar(radar_id) => {
                    named.insert(radar_id.0);
                }
                WatchedTarget::Value { radar_type, field, text } => {
                    values.entry(*field).or_default().insert((text, radar_type.as_str()));
                }
            }
        }
        let mut watchers = self.named_radars(named).await?;
        for (field, wanted) in values {
            let statement = watching(self.read.get_database_backend(), field, &wanted);
            for row in self.clock.io(radar::Entity::find().from_raw_sql(statement).all(&self.read)).await? {
                let Value::String(Some(text)) = row.get(column(field)) else { continue };
                let radar = radars::radar(row)?;
                let target = WatchedTarget::Value { radar_type: radar.wanted.radar_type, field, text };
                watchers.entry(target).or_default().insert(radar.radar_id, radar);
            }
        }
        Ok(watchers)
    }

    async fn named_radars(&self, named: BTreeSet<Uuid>) -> Result<Watchers, StoreError> {
        if named.is_empty() {
            return Ok(Watchers::new());
        }
        let query = radar::Entity::find().filter(radar::Column::RadarId.is_in(in_few_lengths(named)));
        let found = self.clock.io(query.all(&self.read)).await?.into_iter().map(radars::radar);
        let entry = |radar: Radar| (WatchedTarget::Radar(radar.radar_id), BTreeMap::from([(radar.radar_id, radar)]));
        found.map(|radar| radar.map(entry)).collect()
    }
}

const fn column(field: TargetField) -> radar::Column {
    match field {
        TargetField::Domain => radar::Column::Domain,
        TargetField::ProfileUrl => radar::Column::ProfileUrl,
        TargetField::Email => radar::Column::Email,
        TargetField::Keyword => radar::Column::Keyword,
    }
}

/// The radars that watch one of the values: one look-up by index for each, in one statement. One that has ended is woken only
/// while its paid time lasts (decision 1.4).
fn watching(backend: DbBackend, field: TargetField, wanted: &BTreeSet<Wanted<'_>>) -> Statement {
    let mut sql = Sql::new(backend, "with wanted (value, type) as (values ");
    sql.bind_rows(in_few_lengths(wanted.iter().copied()).into_iter().map(|(text, radar_type)| [text, radar_type]));
    let watches = format!("{} = wanted.value and radar_type = wanted.type", column(field).as_str());
    sql.push(") select found.* from wanted");
    sql.look_up("radar", &format!("{watches} and (status = 'active' or wake_at is not null)"));
    sql.finish()
}

//! The radars that pushed findings are for.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use entity::radar;
use sea_orm::sqlx::AssertSqlSafe;
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, IdenStatic, ModelTrait, QueryResult, Value, sqlx};
use uuid::Uuid;

use super::radar_search::column;
use crate::database::{Backend, List, Sql, in_few_lengths};
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::{Radar, RadarId, SearchField, WatchedTarget};

/// Targets, and the radars that watch each, by their identifiers.
pub type Watchers = HashMap<WatchedTarget, BTreeMap<RadarId, Radar>>;

/// Followed by what is looked up for each.
const WANTED_ARRAYS: &str = "select found.* from unnest($1::text[], $2::text[]) as wanted (value, type)";

/// A value that is looked for, and the type of the radars.
type Wanted<'a> = (&'a str, &'static str);

impl Store {
    /// The radars of all accounts that watch one target, read together with those that others ask for at the same moment.
    pub async fn watchers(&self, target: &WatchedTarget) -> Result<Watchers> {
        let read =
            self.watched_targets.run(target.clone(), async |targets: Vec<_>| self.watchers_of_each(&targets).await);
        let radars = self.deadline.io(read).await?.unwrap_or_default();
        Ok(Watchers::from([(target.clone(), radars)]))
    }

    async fn watchers_of_each(&self, targets: &[WatchedTarget]) -> Result<Vec<BTreeMap<RadarId, Radar>>> {
        let watchers = self.read_watchers(targets).await?;
        Ok(targets.iter().map(|target| watchers.get(target).cloned().unwrap_or_default()).collect())
    }

    /// The radars of all accounts that watch any of `targets`: those that pushed findings are for. A target that none
    /// watches has no entry. A radar that is named by its identifier is found whatever its state.
    pub async fn all_watchers<'a>(&self, targets: impl IntoIterator<Item = &'a WatchedTarget>) -> Result<Watchers> {
        self.deadline.io(self.read_watchers(targets)).await
    }

    async fn read_watchers<'a>(&self, targets: impl IntoIterator<Item = &'a WatchedTarget>) -> Result<Watchers> {
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
            for row in self.watching(field, &wanted).await? {
                let row = radar::Model::from_query_result(&row, "")?;
                let Value::String(Some(text)) = row.get(column(field)) else { continue };
                let radar = radar::Entity::value(row)?;
                let target = WatchedTarget::Value { radar_type: radar.wanted.radar_type, field, text };
                watchers.entry(target).or_default().insert(radar.radar_id, radar);
            }
        }
        Ok(watchers)
    }

    async fn named_radars(&self, named: BTreeSet<Uuid>) -> Result<Watchers> {
        if named.is_empty() {
            return Ok(Watchers::new());
        }
        let found = radar::Entity::values_where(&self.read, "radar_id in ?", List(in_few_lengths(named))).await?;
        let entry = |radar: Radar| (WatchedTarget::Radar(radar.radar_id), BTreeMap::from([(radar.radar_id, radar)]));
        Ok(found.into_iter().map(entry).collect())
    }

    /// The radars that watch one of the values: one look-up by index for each, in one statement. One that has ended is woken
    /// only while its paid time lasts (decision 1.4).
    async fn watching(&self, field: SearchField, wanted: &BTreeSet<Wanted<'_>>) -> Result<Vec<QueryResult>> {
        let watches = format!("{} = wanted.value and radar_type = wanted.type", column(field).as_str());
        let conditions = format!("{watches} and (status = 'active' or wake_at is not null)");
        let rows = match &self.backend {
            Backend::Postgres(kept) => {
                let mut sql = Sql::new(DbBackend::Postgres, WANTED_ARRAYS);
                let text = sql.look_up("radar", &conditions).finish().sql;
                let (texts, types): (Vec<&str>, Vec<&str>) = wanted.iter().copied().unzip();
                kept.query_all(|| sqlx::query(AssertSqlSafe(text.clone())).bind(&texts).bind(&types)).await?
            }
            Backend::Sqlite { .. } => {
                let mut sql = Sql::new(DbBackend::Sqlite, "with wanted (value, type) as (values ");
                let rows = in_few_lengths(wanted.iter().copied());
                sql.bind_rows(rows.into_iter().map(|(text, radar_type)| [text, radar_type]));
                sql.push(") select found.* from wanted").look_up("radar", &conditions);
                self.read.query_all_raw(sql.finish()).await?
            }
        };
        Ok(rows)
    }
}

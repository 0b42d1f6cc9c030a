//! What radars hold beyond the bound of a day: those that commands name, and those whose day is over (decision 4.14).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use entity::held_finding;
use sea_orm::{ConnectionTrait, DbBackend};
use uuid::Uuid;

use super::Reader;
use crate::StoreError;
use crate::database::statement::{Statements, in_few_lengths};
use crate::feeds::watching::NOT_PAUSED;
use domain::account::DRAIN_MAX;
use domain::ids::RadarId;

/// How many radars whose day is over a commit looks at, in all of its accounts together (but one in each).
const RADARS_MAX: usize = 32;

impl Reader<'_> {
    /// The radars whose day is over, those first that have waited longest, and a fair share of what each of them and of the
    /// `named` ones holds: a flooded one does not keep the others from theirs.
    pub(super) async fn held_beyond(
        &mut self,
        named: BTreeSet<Uuid>,
        finds_due: bool,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut radars = named;
        if finds_due {
            self.days_over(now).await?;
            let over = self.loaded.values().flat_map(|state| &state.days_over);
            radars.extend(over.map(|radar_id| radar_id.0));
        }
        if radars.is_empty() {
            return Ok(());
        }
        let share = (DRAIN_MAX / radars.len()).max(1);
        self.radars(&radars).await?;
        for state in self.loaded.values_mut() {
            let own = state.radars.keys().filter(|radar_id| radars.contains(&radar_id.0));
            state.held_beyond = own.map(|radar_id| (*radar_id, Vec::new())).collect();
        }
        let (before, after) = self.at_most();
        let mut sql = self.transaction.sql("select held.* from radar join held_finding held on held.account_id = ");
        sql.push("radar.account_id and held.hold_seq ").push(before);
        sql.push(
            "select h.hold_seq from held_finding h where h.radar_id = radar.radar_id and h.reason = 'daily_bound'",
        );
        sql.push(" order by h.hold_seq limit ").count(share as u64).push(after).push(" where radar.radar_id in ");
        sql.bind_list(in_few_lengths(radars)).push(" order by held.account_id, held.hold_seq");
        let found: Vec<held_finding::Model> = sql.models(self.transaction).await?;
        self.give(found, |state, held| {
            if let Some(queue) = state.held_beyond.get_mut(&held.radar_id) {
                queue.push(held);
            }
        })
    }

    /// The radars of each account whose day is over; where a type is paused they wait for money first.
    async fn days_over(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let share = (RADARS_MAX / self.loaded.len().max(1)).max(1);
        let (before, after) = self.at_most();
        let mut sql = self.transaction.sql("select radar.account_id, radar.radar_id from account join radar on ");
        sql.push("radar.radar_id ").push(before).push("select r.radar_id from radar r where r.account_id = ");
        sql.push("account.account_id and r.release_at <= ").bind(now.timestamp_micros()).push(" and ").push(NOT_PAUSED);
        sql.push(" order by r.release_at, r.radar_id limit ").count(share as u64 + 1).push(after);
        sql.push(" where account.account_id in ").bind_list(self.ids.iter().copied());
        sql.push(" order by radar.release_at, radar.radar_id");
        let found: Vec<(Uuid, Uuid)> = sql.all(self.transaction).await?;
        for (account_id, radar_id) in found {
            let Some(state) = self.of(account_id) else { continue };
            if state.days_over.len() < share {
                state.days_over.push(RadarId(radar_id));
            } else {
                state.has_more_days_over = true;
            }
        }
        Ok(())
    }

    /// The words around a list of the first rows of an index; each database reads no more of it than these in its own.
    fn at_most(&self) -> (&'static str, &'static str) {
        let is_postgres = self.transaction.get_database_backend() == DbBackend::Postgres;
        if is_postgres { ("= any (array(", "))") } else { ("in (", ")") }
    }
}

//! What radars hold beyond the bound of a day: those that commands name, and those whose day is over (decision 4.14).

use std::collections::{BTreeMap, BTreeSet};

use entity::held_finding;
use sea_orm::{ConnectionTrait, DbBackend};
use uuid::Uuid;

use super::{Of, Reader};
use crate::Result;
use crate::database::{List, Statements, in_few_lengths};
use crate::feeds::watching::NOT_PAUSED;
use crate::tables::stored::Stored;
use domain::account::{DRAIN_MAX, HeldFinding};
use domain::{AccountId, RadarId};

/// How many radars whose day is over a commit looks at, in all of its accounts together (but one in each).
const RADARS_MAX: usize = 32;

/// The radars of an account whose day is over, those first that have waited longest.
#[derive(Default)]
pub(super) struct DaysOver {
    pub(super) radars: Vec<RadarId>,
    pub(super) has_more: bool,
}

impl Reader<'_> {
    /// A fair share of what each of `radars` holds: a flooded one does not keep the others from theirs.
    pub(super) async fn held_beyond(
        &mut self,
        radars: BTreeSet<RadarId>,
    ) -> Result<Of<BTreeMap<RadarId, Vec<HeldFinding>>>> {
        let mut found: Of<BTreeMap<RadarId, Vec<HeldFinding>>> = Of::new();
        if radars.is_empty() {
            return Ok(found);
        }
        let share = (DRAIN_MAX / radars.len()).max(1);
        let ids = in_few_lengths(radars.iter().map(|radar_id| radar_id.0));
        self.radars(radars.clone()).await?;
        for radar in radars.iter().filter_map(|radar_id| self.radars.get(radar_id)) {
            found.entry(radar.account_id).or_default().insert(radar.radar_id, Vec::new());
        }
        let (before, after) = self.at_most();
        let mut sql = self.transaction.sql("select held.* from radar join held_finding held on held.account_id = ");
        sql.push("radar.account_id and held.hold_seq ").push(before);
        sql.push(
            "select h.hold_seq from held_finding h where h.radar_id = radar.radar_id and h.reason = 'daily_bound'",
        );
        sql.push(" order by h.hold_seq limit ").count(share as u64).push(after).push(" where radar.radar_id in ");
        sql.bind_list(ids).push(" order by held.account_id, held.hold_seq");
        for row in sql.models::<held_finding::Model>(self.transaction).await? {
            let (account_id, held) = held_finding::Entity::value(row)?;
            if let Some(queue) = found.get_mut(&account_id).and_then(|queues| queues.get_mut(&held.radar_id)) {
                queue.push(held);
            }
        }
        Ok(found)
    }

    /// The radars of each account whose day is over; where a type is paused they wait for money first.
    pub(super) async fn days_over(&self) -> Result<Of<DaysOver>> {
        let share = (RADARS_MAX / self.accounts.len().max(1)).max(1);
        let (before, after) = self.at_most();
        let mut sql = self.transaction.sql("select radar.account_id, radar.radar_id from account join radar on ");
        sql.push("radar.radar_id ").push(before).push("select r.radar_id from radar r where r.account_id = ");
        sql.add("account.account_id and r.release_at <= ? and ", self.now).push(NOT_PAUSED);
        sql.add(" order by r.release_at, r.radar_id limit ?", share as u64 + 1).push(after);
        let of_accounts = " where account.account_id in ? order by radar.release_at, radar.radar_id";
        sql.add(of_accounts, List(self.ids.iter().copied()));
        let mut found: Of<DaysOver> = Of::new();
        for (account_id, radar_id) in sql.all::<(Uuid, Uuid)>(self.transaction).await? {
            let over = found.entry(AccountId(account_id)).or_default();
            if over.radars.len() < share {
                over.radars.push(RadarId(radar_id));
            } else {
                over.has_more = true;
            }
        }
        Ok(found)
    }

    /// The words around a list of the first rows of an index; each database reads no more of it than these in its own.
    pub(super) fn at_most(&self) -> (&'static str, &'static str) {
        let is_postgres = self.transaction.get_database_backend() == DbBackend::Postgres;
        if is_postgres { ("= any (array(", "))") } else { ("in (", ")") }
    }
}

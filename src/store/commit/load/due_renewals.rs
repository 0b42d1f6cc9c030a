//! The renewals that a commit decides: the oldest of each of its accounts, in a fair share.

use chrono::{DateTime, Utc};
use entity::radar;

use super::{Of, Reader};
use crate::Result;
use crate::database::Statements;
use crate::tables::stored::Stored;
use domain::RadarId;

/// What is due in an account.
#[derive(Default)]
pub(super) struct DueRenewals {
    pub(super) radars: Vec<RadarId>,
    /// When the first beyond those was due.
    pub(super) more_from: Option<DateTime<Utc>>,
}

impl Reader<'_> {
    /// What is due, at most `renewals_max` in all accounts together (but one in each): one that has a thousand renewals due
    /// does not keep the others from theirs.
    pub(super) async fn due_renewals(&mut self, renewals_max: usize) -> Result<Of<DueRenewals>> {
        let share = (renewals_max / self.accounts.len().max(1)).max(1);
        let (before, after) = self.at_most();
        let mut sql = self.transaction.sql("select radar.* from account join radar on radar.radar_id ");
        sql.push(before).push(
            "select due.radar_id from radar due where due.account_id = account.account_id and due.next_charge_at <= ",
        );
        sql.bind(self.now.timestamp_micros()).push(" order by due.next_charge_at, due.radar_id limit ");
        sql.count(share as u64 + 1).push(after).push(" where account.account_id in ");
        sql.bind_list(self.ids.iter().copied()).push(" order by radar.next_charge_at, radar.radar_id");
        let mut found: Of<DueRenewals> = Of::new();
        for row in sql.models::<radar::Model>(self.transaction).await? {
            let radar = radar::Entity::value(row)?;
            let due = found.entry(radar.account_id).or_default();
            if due.radars.len() < share {
                due.radars.push(radar.radar_id);
                self.radars.insert(radar.radar_id, radar);
            } else {
                due.more_from = radar.next_charge_at;
            }
        }
        Ok(found)
    }
}

//! Radars none of whose feeds has answered for too long (decision 4.11).

use chrono::Duration;

use crate::database::{List, in_order};
use crate::{Result, Store};
use domain::{AccountId, RadarId, RadarType};

/// Twice with how long a feed is silent at least: a radar that one feed answers sees something. Radars of stopped accounts are
/// not polled, and wait.
const UNREACHABLE: &str = "select distinct r.account_id, r.radar_id, r.period_no from feed f
    join radar_feed rf on rf.feed_id = f.feed_id
    join radar r on r.radar_id = rf.radar_id and r.status = 'active' and r.set_up = 'ready'
    join account a on a.account_id = r.account_id and a.status = 'active'
    where f.silent_micros > 0 and f.silent_micros >= ? and not exists (
        select 1 from radar_feed other join feed o on o.feed_id = other.feed_id
        where other.radar_id = r.radar_id and o.silent_micros < ?)";

/// A radar that watches in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreachableRadar {
    /// Whose radar it is.
    pub account_id: AccountId,
    /// The radar.
    pub radar_id: RadarId,
    /// The period that it is in.
    pub period_no: i64,
}

in_order!(UnreachableRadar { account_id, radar_id, period_no });

impl Store {
    /// Radars all of whose feeds have been polled in vain for `silence`, at most `limit` of them; none of the types that
    /// are served without feeds as well.
    pub async fn all_unreachable_radars(
        &self,
        silence: Duration,
        but: &[RadarType],
        limit: u64,
    ) -> Result<Vec<UnreachableRadar>> {
        let micros = silence.num_microseconds().unwrap_or(i64::MAX);
        let mut sql = self.sql_with(UNREACHABLE, (micros, micros));
        if !but.is_empty() {
            sql.add(" and r.radar_type not in ?", List(but.iter().map(|radar_type| radar_type.as_str())));
        }
        self.deadline.io(sql.add(" order by r.radar_id limit ?", limit).all(&self.read)).await
    }
}

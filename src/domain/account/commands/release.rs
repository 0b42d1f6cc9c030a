//! An operator releases what a radar holds beyond the bound of its day (decision 4.14).

use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::ids::{AccountId, RadarId};

/// An operator releases what a radar holds beyond the bound of its day, in order, and as far as there is money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The radar.
    pub radar_id: RadarId,
}

/// So many were released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Released {
    /// How many were charged and published, or given up because their time is over; at most [`DRAIN_MAX`](crate::account::DRAIN_MAX).
    pub released: usize,
    /// How many the radar still holds.
    pub held: i64,
    /// Whether another command like this one releases more of them.
    pub has_more: bool,
}

impl Release {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
        read_set.releases.insert(self.radar_id);
    }

    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<Released> {
        if !account.state.radars.contains_key(&self.radar_id) {
            return Err(CommandRejection::UnknownRadar);
        }
        if account.is_stopped() {
            return Err(CommandRejection::Stopped);
        }
        Ok(account.release_beyond_bound(self.radar_id, false))
    }
}

//! A radar none of whose sources answers any more is ended, and its current period given back (decision 4.11).

use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::ids::{AccountId, RadarId};
use crate::money::ledger::subscription_key;
use crate::radar::{FailureReason, SetUp, Status, StatusReason};

/// No source of a radar has answered for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndUnreachable {
    /// The radar.
    pub radar_id: RadarId,
    /// The period that it was in when that was seen.
    pub period_no: i64,
}

impl EndUnreachable {
    pub(in crate::account) fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
        read_set.op_keys.insert((account_id, subscription_key(self.radar_id, self.period_no)));
        read_set.held_findings = true;
    }

    /// Ends a radar that watches in vain. One that has ended meanwhile stays as it is, and so does one of a stopped account,
    /// which is not polled at all, and one that has begun another period, until that is seen.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<bool> {
        let radar = account.state.radars.get(&self.radar_id).ok_or(CommandRejection::UnknownRadar)?.clone();
        let is_watching = radar.status == Status::Active && radar.set_up == SetUp::Ready && !account.is_stopped();
        if !is_watching || radar.period_no != self.period_no {
            return Ok(false);
        }
        let refund = account.refund(&radar, radar.period_no);
        account.changes.usage_of(account.now).radars_deactivated += 1;
        account.end(radar.radar_id, StatusReason::SystemDeactivated, radar.set_up);
        let message = "None of the radar's sources has answered for seven days; the radar was ended.";
        account.publish_failure(radar.radar_id, FailureReason::SourceInaccessible, refund, message);
        account.release_held_findings();
        Ok(true)
    }
}

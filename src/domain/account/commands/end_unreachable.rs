//! A radar none of whose sources answers any more is ended, and its current period given back (decision 4.11).

use crate::domain::account::command::{AccountCommand, Overtakes};
use crate::domain::account::read_set::ReadSet;
use crate::domain::account::{Account, CommandRejection, Decision};
use crate::domain::ids::RadarId;
use crate::domain::money::ledger::subscription_key;
use crate::domain::radar::update::Content;
use crate::domain::radar::{FailureReason, SetUp, Status, StatusReason};

/// No source of a radar has answered for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndUnreachable {
    /// The radar.
    pub radar_id: RadarId,
    /// The period that it was in when that was seen.
    pub period_no: i64,
}

/// Whether the radar was ended by this command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreachableEnded(pub bool);

impl AccountCommand for EndUnreachable {
    type Outcome = UnreachableEnded;

    fn read(&self, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
        read_set.op_keys.insert(subscription_key(self.radar_id, self.period_no));
        read_set.held_findings = true;
    }

    fn overtakes(&self, _: &Account) -> Overtakes {
        Overtakes::WhenCovered(Some(self.radar_id))
    }

    fn decide(&self, account: &mut Account) -> Decision<UnreachableEnded> {
        account.end_unreachable(self)
    }
}

impl Account {
    /// Ends a radar that watches in vain. One that has ended meanwhile stays as it is, and so does one of a stopped account,
    /// which is not polled at all, and one that has begun another period, until that is seen.
    fn end_unreachable(&mut self, command: &EndUnreachable) -> Decision<UnreachableEnded> {
        let radar = self.state.radars.get(&command.radar_id).ok_or(CommandRejection::UnknownRadar)?.clone();
        let is_watching = radar.status == Status::Active && radar.set_up == SetUp::Ready && !self.is_stopped();
        if !is_watching || radar.period_no != command.period_no {
            return Ok(UnreachableEnded(false));
        }
        let refund = self.refund(&radar, radar.period_no);
        self.changes.usage_of(self.now).radars_deactivated += 1;
        self.end(radar.radar_id, StatusReason::SystemDeactivated, radar.set_up);
        let content = Content::Failure {
            reason: FailureReason::SourceInaccessible,
            refund,
            message: "None of the radar's sources has answered for seven days; the radar was ended.".to_owned(),
        };
        self.publish_failure(radar.radar_id, &content);
        self.release_held_findings();
        Ok(UnreachableEnded(true))
    }
}

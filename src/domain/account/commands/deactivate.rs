//! A radar ends (Spec 3, 4.8; decision 1.10).

use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::ids::{AccountId, RadarId};
use crate::radar::{Radar, SetUp, Status, StatusReason};

/// A customer ends a radar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deactivate {
    /// The radar.
    pub radar_id: RadarId,
}

/// The radar is inactive.
#[derive(Clone, Debug)]
pub struct Deactivated(pub Box<Radar>);

impl Deactivate {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
    }

    /// Ends a radar at its owner's wish. An inactive radar stays as it is.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<Deactivated> {
        let radar_id = self.radar_id;
        let radar = account.state.radars.get(&radar_id).ok_or(CommandRejection::UnknownRadar)?;
        if radar.status == Status::Active {
            let set_up = radar.set_up;
            account.end(radar_id, StatusReason::UserDeactivated, set_up);
            account.changes.usage_of(account.now).radars_deactivated += 1;
            account.begin_grace(radar_id);
        }
        let radar = account.state.radars.get(&radar_id).ok_or(CommandRejection::UnknownRadar)?;
        Ok(Deactivated(Box::new(radar.clone())))
    }
}

impl Account {
    /// The one way in which any radar ends: never charged again, its target free to be watched anew.
    pub(in crate::account) fn end(&mut self, radar_id: RadarId, reason: StatusReason, set_up: SetUp) {
        let now = self.now;
        let Some(radar) = self.radar_mut(radar_id) else { return };
        let was_active = radar.status == Status::Active;
        radar.status = Status::Inactive;
        radar.status_reason = Some(reason);
        radar.set_up = set_up;
        radar.deactivated_at.get_or_insert(now);
        radar.next_charge_at = None;
        self.state.taken.retain(|_, taken_by| *taken_by != radar_id);
        if was_active {
            self.state.account.active_radars -= 1;
            self.state.account.ended_radars += 1;
        }
    }
}

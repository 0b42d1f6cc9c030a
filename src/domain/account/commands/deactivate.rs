//! A radar ends (Spec 3, 4.8; decision 1.10).

use crate::domain::account::{Account, Outcome, Refusal};
use crate::domain::ids::RadarId;
use crate::domain::radar::{SetUp, Status, StatusReason};

impl Account {
    /// Ends a radar at its owner's wish. An inactive radar stays as it is.
    pub(in crate::domain::account) fn deactivate(&mut self, radar_id: RadarId) -> Result<Outcome, Refusal> {
        let radar = self.state.radars.get(&radar_id).ok_or(Refusal::UnknownRadar)?;
        if radar.status == Status::Active {
            let set_up = radar.set_up;
            self.end(radar_id, StatusReason::UserDeactivated, set_up);
            self.changes.usage_of(self.now).radars_deactivated += 1;
            self.begin_grace(radar_id);
        }
        let radar = self.state.radars.get(&radar_id).ok_or(Refusal::UnknownRadar)?;
        Ok(Outcome::Deactivated(Box::new(radar.clone())))
    }

    /// The one way in which any radar ends: never charged again, its target free to be watched anew.
    pub(in crate::domain::account) fn end(&mut self, radar_id: RadarId, reason: StatusReason, set_up: SetUp) {
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

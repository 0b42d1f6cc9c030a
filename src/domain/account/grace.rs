//! What a DELETE leaves of a paid period: findings still arrive until its end (decision 1.4).

use super::Account;
use crate::ids::RadarId;
use crate::radar::StatusReason;

impl Account {
    /// Notes a radar that was just ended, if paid time is left to it, so that a creation in this transaction finds it.
    pub(super) fn begin_grace(&mut self, radar_id: RadarId) {
        let Some(radar) = self.state.radars.get(&radar_id).filter(|radar| radar.grace_ends_at().is_some()) else {
            return;
        };
        let key = radar.wanted.target.key(radar.wanted.radar_type);
        self.state.in_grace.insert(key, radar_id);
        self.end_grace_when_over(radar_id);
    }

    /// Ends the grace of a radar whose paid period is over.
    pub(super) fn end_grace_when_over(&mut self, radar_id: RadarId) {
        let ends_at = self.state.radars.get(&radar_id).and_then(|radar| radar.grace_ends_at());
        if ends_at.is_some_and(|ends_at| ends_at <= self.now) {
            self.end_grace(radar_id);
        }
    }

    /// Ends the grace of the radar that watched `target_key`, because another one watches it from now on.
    pub(super) fn end_grace_of(&mut self, target_key: &str) {
        if let Some(radar_id) = self.state.in_grace.remove(target_key) {
            self.end_grace(radar_id);
        }
    }

    fn end_grace(&mut self, radar_id: RadarId) {
        if let Some(radar) = self.radar_mut(radar_id) {
            radar.status_reason = Some(StatusReason::GracePeriodEnded);
        }
    }
}

//! The bound of a radar's day: what a watched stranger shows is not what a customer pays for (decision 4.14).
//!
//! A finding from the web beyond it is held, and so is every later one of the radar until the next day of the radar or an
//! operator has released those before it. That concerns no other radar: its type is not paused.

use super::findings::{Finding, HeldFinding, HoldReason, Origin};
use super::{Account, Alert, SeenOutcome};
use crate::ids::{RadarId, UpdateId};
use crate::radar::daily_bound::BoundAlert;
use crate::radar::{PricingModel, Radar};
use crate::radar_type::RadarType;

impl Account {
    /// Whether a finding waits for another day of its radar: the bound of this one is reached, or others wait before it.
    pub(super) fn must_wait_for_day(&self, radar_id: RadarId, finding: &Finding) -> bool {
        let radar = self.state.radars.get(&radar_id).filter(|radar| radar.model == PricingModel::UpdateBased);
        finding.origin == Origin::Web && radar.is_some_and(|radar| radar.daily.held > 0 || self.is_bound_reached(radar))
    }

    /// Whether one more finding from the web would exceed the bound of the radar's day.
    pub(super) fn is_bound_reached(&self, radar: &Radar) -> bool {
        radar.daily.is_reached(self.findings_per_day(radar.wanted.radar_type), self.now)
    }

    /// Holds a new finding beyond the bound.
    pub(super) fn hold_beyond_bound(&mut self, radar: &Radar, finding: &Finding, update_id: UpdateId) {
        let rate = self.rate_of(radar.wanted.radar_type, finding);
        let held = self.hold(radar, finding, rate, HoldReason::DailyBound);
        self.queue_beyond_bound(held);
        self.note_seen(radar.radar_id, finding, SeenOutcome::Held, update_id);
    }

    /// A finding that waited for money, which is there now, waits for another day of its radar instead.
    pub(super) fn keep_beyond_bound(&mut self, held: HeldFinding) {
        let held = self.hold_for(held, HoldReason::DailyBound);
        self.queue_beyond_bound(held);
    }

    /// Puts a finding in its place in the queue of its radar, as far as that was read.
    fn queue_beyond_bound(&mut self, held: HeldFinding) {
        let radar_id = held.radar_id;
        self.note_exceeded(radar_id);
        let waiting = self.state.radars.get(&radar_id).map_or(0, |radar| radar.daily.held);
        let queue = self.state.held_beyond.entry(radar_id).or_default();
        let place = queue.partition_point(|other| other.hold_seq < held.hold_seq);
        if place < queue.len() || queue.len() as i64 == waiting {
            queue.insert(place, held);
        }
        self.changes.held_beyond_bound += 1;
        self.note_held_beyond_bound(radar_id, 1);
    }

    /// A radar holds `change` more findings beyond the bound than before.
    pub(super) fn note_held_beyond_bound(&mut self, radar_id: RadarId, change: i64) {
        let now = self.now;
        let radar_type = self.state.radars.get(&radar_id).map(|radar| radar.wanted.radar_type);
        let Some(findings_per_day) = radar_type.map(|radar_type| self.findings_per_day(radar_type)) else { return };
        if let Some(radar) = self.radar_mut(radar_id) {
            let reads_on = radar.daily.note_held(change, findings_per_day, now);
            self.changes.reads_on |= reads_on;
        }
    }

    /// A charged finding counts in the day of its radar.
    pub(super) fn note_charged_finding(&mut self, radar_id: RadarId, finding: &Finding) {
        let now = self.now;
        if finding.origin == Origin::Web
            && let Some(radar) = self.radar_mut(radar_id)
        {
            radar.daily.note_charged(now);
        }
    }

    /// Tells the account once for each day of a radar whose bound is exceeded.
    pub(super) fn note_exceeded(&mut self, radar_id: RadarId) {
        let Some(radar) = self.state.radars.get(&radar_id).filter(|radar| self.is_bound_reached(radar)) else { return };
        let (now, radar_type) = (self.now, radar.wanted.radar_type);
        let is_first = self.radar_mut(radar_id).is_some_and(|radar| radar.daily.note_exceeded(now));
        let release_at = self.state.radars.get(&radar_id).and_then(|radar| radar.daily.release_at);
        let Some(release_at) = release_at.filter(|_| is_first) else { return };
        self.changes.exceeded.push((radar_id, release_at));
        let Some(alerts) = &self.state.account.alerts else { return };
        let url = alerts.webhook_url.clone();
        let alert_id = UpdateId::of_bound_alert(radar_id, self.tick());
        self.changes.alerts.push(Alert::Bound(BoundAlert {
            alert_id,
            account_id: self.state.account.account_id,
            radar_id,
            radar_type,
            findings_per_day: self.findings_per_day(radar_type),
            exceeded_at: now,
            release_at,
        }));
        self.enqueue(&url, (alert_id, self.state.account.update_seq, now), None, None);
    }

    /// The bound in force now. Without a price nothing is charged at all.
    fn findings_per_day(&self, radar_type: RadarType) -> u32 {
        self.state.prices.at(radar_type, self.now).map_or(u32::MAX, |price| price.findings_per_day)
    }
}

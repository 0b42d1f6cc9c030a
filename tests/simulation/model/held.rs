//! Findings that are held, for lack of money or because their radar has been charged for as many as its day allows, as the
//! oracle releases them (Spec 2.5; decisions 4.7, 4.9, 4.14).

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{HOLD_LIFE, Model};
use crate::state::{BoundAlert, DAY, Hold};

impl Model {
    /// When the day of findings ends that runs for a radar.
    fn day_ends_at(&self, id: Uuid) -> Option<i64> {
        self.radars[&id].day.map(|(from, _)| from + DAY).filter(|ends_at| self.now < *ends_at)
    }

    /// Whether a radar has been charged for as many findings as its day allows.
    fn is_bound_reached(&self, id: Uuid) -> bool {
        let charged = self.radars[&id].day.map_or(0, |(_, charged)| charged);
        self.day_ends_at(id).is_some() && charged >= self.price(self.radars[&id].radar_type, self.now).findings_per_day
    }

    /// How many findings a radar holds beyond the bound of its day.
    pub fn held_beyond(&self, id: Uuid) -> i64 {
        self.holds.iter().filter(|hold| hold.radar == id && hold.waits_for_day).count() as i64
    }

    /// What strangers show waits while the bound is reached, and behind what waits already.
    pub fn must_wait_for_day(&self, id: Uuid, is_web: bool) -> bool {
        is_web && !self.radars[&id].is_subscription && (self.held_beyond(id) > 0 || self.is_bound_reached(id))
    }

    pub fn hold_beyond_bound(&mut self, (radar, record): (Uuid, Uuid), detected_at: i64) {
        self.tell_of_bound(radar);
        let radar_type = self.radars[&radar].radar_type;
        let rate = self.price(radar_type, detected_at).rate;
        self.holds.push(Hold { radar, radar_type, record, rate, detected_at, is_web: true, waits_for_day: true });
        self.note_fullness(radar);
    }

    /// Once for each day of a radar.
    fn tell_of_bound(&mut self, id: Uuid) {
        let ends_at = self.day_ends_at(id).filter(|_| self.is_bound_reached(id));
        if ends_at.is_none() || self.radars[&id].release_at == ends_at {
            return;
        }
        self.radars.get_mut(&id).expect("the radar").release_at = ends_at;
        if self.has_alerts {
            self.tick();
            self.bound_alerts.push(BoundAlert { radar: id, at: self.now });
        }
    }

    /// Who holds as many as a day allows reads no further.
    fn note_fullness(&mut self, id: Uuid) {
        let most = self.price(self.radars[&id].radar_type, self.now).findings_per_day;
        let (now, is_full) = (self.now, self.held_beyond(id) >= most);
        let radar = self.radars.get_mut(&id).expect("the radar");
        radar.full_since = is_full.then(|| radar.full_since.unwrap_or(now));
    }

    pub fn days_over_at(&self, now: i64) -> Vec<Uuid> {
        let is_over = |id: &Uuid| {
            let radar = &self.radars[id];
            let is_paused = !radar.is_subscription && self.pauses.contains_key(&radar.radar_type);
            radar.release_at.is_some_and(|at| at <= now) && !is_paused
        };
        let mut over: Vec<Uuid> = self.radars.keys().copied().filter(is_over).collect();
        over.sort_by_key(|id| (self.radars[id].release_at, *id));
        over
    }

    /// What waits for money, first in, first out within its type, then the end of pauses (decision 4.7), then what waited for
    /// another day (decision 4.14). Renewals that were due earlier come first, and a stopped account releases nothing.
    pub fn drain(&mut self) {
        if self.left_from.is_some() || self.is_stopped {
            return;
        }
        let mut blocked = BTreeSet::new();
        let for_money: Vec<Hold> = self.holds.iter().filter(|hold| !hold.waits_for_day).cloned().collect();
        for hold in for_money {
            if blocked.contains(&hold.radar_type) {
            } else if self.is_over(&hold) {
                self.drop_hold(&hold);
            } else if self.covers(hold.rate) && self.must_wait_for_day(hold.radar, hold.is_web) {
                self.tell_of_bound(hold.radar);
                self.let_wait(&hold, true);
            } else if !self.publish_held(&hold) {
                blocked.insert(hold.radar_type);
            }
        }
        let paused: Vec<_> = self.pauses.keys().copied().collect();
        for radar_type in paused {
            let rate = self.price(radar_type, self.now).rate;
            if !blocked.contains(&radar_type) && self.covers(rate) {
                self.pauses.remove(&radar_type);
            }
        }
        for id in self.days_over.clone() {
            if self.radars[&id].release_at.is_some_and(|at| at <= self.now) {
                self.release(id, false);
            }
        }
    }

    /// Releases what a radar holds beyond the bound of a day, as many as this day allows, or all of it where an operator
    /// says so; answers how many. A charge that fails pauses the type, and its finding waits for money from then on.
    pub fn release(&mut self, id: Uuid, is_operator: bool) -> usize {
        let holds: Vec<Hold> =
            self.holds.iter().filter(|hold| hold.radar == id && hold.waits_for_day).cloned().collect();
        let mut released = 0;
        for hold in holds {
            if self.pauses.contains_key(&hold.radar_type) {
                break;
            } else if self.is_over(&hold) {
                self.drop_hold(&hold);
            } else if !is_operator && self.is_bound_reached(id) {
                self.tell_of_bound(id);
                break;
            } else if !self.publish_held(&hold) {
                self.pauses.insert(hold.radar_type, self.now);
                self.let_wait(&hold, false);
                break;
            }
            released += 1;
        }
        if released > 0 {
            self.note_fullness(id);
        }
        let (now, is_empty) = (self.now, self.held_beyond(id) == 0);
        let radar = self.radars.get_mut(&id).expect("the radar");
        if is_empty && radar.release_at.is_some_and(|at| at <= now) {
            radar.release_at = None;
        }
        released
    }

    /// A finding goes on waiting, for another day of its radar or for money.
    fn let_wait(&mut self, hold: &Hold, for_day: bool) {
        let waiting = self.holds.iter_mut().find(|waiting| *waiting == hold);
        waiting.expect("the hold").waits_for_day = for_day;
        self.note_fullness(hold.radar);
    }

    fn is_over(&self, hold: &Hold) -> bool {
        !self.is_active(hold.radar) || hold.detected_at + HOLD_LIFE <= self.now
    }

    fn drop_hold(&mut self, hold: &Hold) {
        self.holds.retain(|held| held != hold);
        self.settled.insert((hold.radar, hold.record));
    }

    fn publish_held(&mut self, hold: &Hold) -> bool {
        let is_published = self.publish(hold, false);
        if is_published {
            self.holds.retain(|held| held != hold);
        }
        is_published
    }

    fn covers(&mut self, rate: i64) -> bool {
        rate <= self.balance() && self.is_within_cap(rate)
    }

    fn is_within_cap(&mut self, rate: i64) -> bool {
        let used = self.usage(self.now).used;
        self.cap.is_none_or(|cap| used + rate <= cap)
    }

    /// Charges a finding where that is the model, and publishes it; `false`: the money does not suffice, or must not.
    pub fn publish(&mut self, hold: &Hold, is_paused: bool) -> bool {
        let mut paid_by = None;
        if !self.radars[&hold.radar].is_subscription {
            let key = format!("find:{}:{}", hold.radar, hold.record);
            if is_paused || !self.is_within_cap(hold.rate) || !self.spend(key, hold.rate, self.now) {
                return false;
            }
            paid_by = Some(self.ledger_txs.len() as i64);
            if hold.is_web {
                let (now, runs) = (self.now, self.day_ends_at(hold.radar).is_some());
                let radar = self.radars.get_mut(&hold.radar).expect("the radar");
                radar.day = radar.day.filter(|_| runs).map(|(from, charged)| (from, charged + 1)).or(Some((now, 1)));
            }
        }
        let at = self.publish_update(hold.radar, Some(hold.record), paid_by);
        self.settled.insert((hold.radar, hold.record));
        self.usage(at).found += 1;
        true
    }
}

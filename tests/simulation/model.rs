//! The oracle: what one account must look like, written straight from the specification (2.5, 3) and its decisions
//! (section 4), one thing after another, without batches, indices or bounds.
//!
//! Never here: anything of `radar::domain::book`. Times are microseconds, money is micro-USD.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use radar::domain::radar_type::RadarType;
use uuid::Uuid;

use super::state::{Created, DAY, Hold, Lot, Movement, Price, Radar, Reported, Update, Usage};

const PERIOD: i64 = 30 * DAY;
const REFUND_LIFE: i64 = 7 * DAY;
const HOLD_LIFE: i64 = 60 * DAY;

/// One account.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The instant of the command that is carried out.
    pub now: i64,
    pub prices: BTreeMap<(RadarType, i64), Price>,
    pub lots: Vec<Lot>,
    pub radars: BTreeMap<Uuid, Radar>,
    pub holds: Vec<Hold>,
    pub pauses: BTreeMap<RadarType, i64>,
    pub movements: Vec<Movement>,
    pub updates: Vec<Update>,
    pub usage: BTreeMap<String, Usage>,
    /// What each radar has settled: published or dropped.
    pub settled: BTreeSet<(Uuid, Uuid)>,
}

pub fn month(at: i64) -> String {
    DateTime::from_timestamp_micros(at).map(|at| at.format("%Y-%m").to_string()).unwrap_or_default()
}

impl Model {
    pub fn balance(&self) -> i64 {
        self.lots.iter().map(|lot| lot.left).sum()
    }

    /// What a reader is shown, swept or not (decision 4.3).
    pub fn live_balance(&self, at: i64) -> i64 {
        self.lots.iter().filter(|lot| lot.expires_at.is_none_or(|expires_at| expires_at > at)).map(|lot| lot.left).sum()
    }

    pub fn price(&self, radar_type: RadarType, at: i64) -> Price {
        *self.prices.range((radar_type, i64::MIN)..=(radar_type, at)).next_back().expect("every type has a price").1
    }

    pub fn is_active(&self, radar: Uuid) -> bool {
        self.radars.get(&radar).is_some_and(|radar| radar.ended.is_none())
    }

    /// Expiries and renewals in the order in which they were due, expiries first (decisions 4.5, 4.6, 4.9).
    pub fn catch_up(&mut self) {
        loop {
            let expiries = (1..).zip(&self.lots).filter(|(_, lot)| lot.left > 0);
            let expiry = expiries.filter_map(|(no, lot)| Some((lot.expires_at?, no))).min();
            let renewals = self.radars.iter().filter_map(|(id, radar)| Some((radar.next_charge_at?, *id)));
            let renewal = renewals.min();
            match (expiry, renewal) {
                (Some((at, no)), renewal) if at <= self.now && renewal.is_none_or(|(due, _)| at <= due) => {
                    let left = self.lots[no as usize - 1].left;
                    self.post(format!("expire:{no}"), -left, at, vec![(no, -left)]);
                }
                (_, Some((due, id))) if due <= self.now => self.renew(id, due),
                _ => return,
            }
        }
    }

    fn renew(&mut self, id: Uuid, due: i64) {
        let radar = self.radars[&id].clone();
        let is_served = radar.set_up != "pending";
        let rate = if is_served { self.price(radar.radar_type, due).rate } else { 0 };
        let mut period = radar.period + 1;
        if !self.spend(format!("sub:{id}:{period}"), rate, due) {
            self.end(id, "insufficient_funds");
            self.usage(self.now).deactivated += 1;
            return self.updates.push(Update { radar: id, record: None, paid_by: None });
        }
        while radar.created_at + (period + 1) * PERIOD <= self.now {
            period += 1;
            self.post(format!("sub:{id}:{period}"), 0, radar.created_at + period * PERIOD, Vec::new());
        }
        let radar = self.radars.get_mut(&id).expect("the radar");
        radar.period = period;
        radar.next_charge_at = Some(radar.created_at + (period + 1) * PERIOD);
    }

    /// `None`: the payment was counted before, with another amount. Else whether it is new.
    pub fn top_up(&mut self, reference: &str, amount: i64, expires_at: Option<i64>) -> Option<bool> {
        let key = format!("topup:{reference}");
        if let Some(earlier) = self.movements.iter().find(|movement| movement.key == key) {
            return (earlier.amount == amount).then_some(false);
        }
        let no = self.new_lot(amount, expires_at);
        self.post(key, amount, self.now, vec![(no, amount)]);
        self.catch_up();
        self.drain();
        Some(true)
    }

    pub fn create(&mut self, id: Uuid, radar_type: RadarType, target: String) -> Created {
        let same = |radar: &Radar| radar.ended.is_none() && radar.radar_type == radar_type && radar.target == target;
        if let Some((existing, _)) = self.radars.iter().find(|(_, radar)| same(radar)) {
            return Created::Duplicate(*existing);
        }
        let Price { is_subscription, rate } = self.price(radar_type, self.now);
        if is_subscription && !self.spend(format!("sub:{id}:0"), rate, self.now) {
            return Created::TooPoor;
        }
        self.usage(self.now).activated += 1;
        let next_charge_at = is_subscription.then_some(self.now + PERIOD);
        let (set_up, ended, ended_at, created_at, period) = ("pending", None, None, self.now, 0);
        let radar =
            Radar { radar_type, target, is_subscription, set_up, ended, created_at, ended_at, period, next_charge_at };
        self.radars.insert(id, radar);
        Created::Yes
    }

    /// `failure`: why the target cannot be tracked. A radar that has ended or is set up stays as it is.
    pub fn finish_set_up(&mut self, id: Uuid, failure: Option<&'static str>) {
        let Some(radar) = self.radars.get_mut(&id) else { return };
        if radar.ended.is_some() || radar.set_up != "pending" {
            return;
        }
        let created_at = radar.created_at;
        radar.set_up = if failure.is_some() { "failed" } else { "ready" };
        let Some(reason) = failure else { return };
        self.end(id, reason);
        self.usage(created_at).activated -= 1;
        self.usage(self.now).failed += 1;
        self.refund(&format!("sub:{id}:0"));
        self.updates.push(Update { radar: id, record: None, paid_by: None });
        self.drain();
    }

    /// Findings: each a record and when it was detected.
    pub fn report(&mut self, id: Uuid, findings: &[(Uuid, i64)]) -> Reported {
        let mut reported = Reported::default();
        for &(record, detected_at) in findings {
            let is_held = self.holds.iter().any(|hold| (hold.radar, hold.record) == (id, record));
            if !self.is_active(id) {
                reported.dropped += 1;
            } else if is_held || self.settled.contains(&(id, record)) {
                reported.duplicates += 1;
            } else {
                let radar_type = self.radars[&id].radar_type;
                let rate = self.price(radar_type, detected_at).rate;
                let hold = Hold { radar: id, radar_type, record, rate, detected_at };
                if self.publish(&hold, self.pauses.contains_key(&radar_type)) {
                    reported.published.push(record);
                } else {
                    self.pauses.entry(radar_type).or_insert(self.now);
                    self.holds.push(hold);
                    reported.held += 1;
                }
            }
        }
        reported
    }

    pub fn deactivate(&mut self, id: Uuid) {
        if self.is_active(id) {
            self.end(id, "user_deactivated");
            self.usage(self.now).deactivated += 1;
        }
    }

    /// Held findings, first in, first out within their type, and then the end of pauses (decision 4.7).
    pub fn drain(&mut self) {
        let mut blocked = BTreeSet::new();
        for hold in std::mem::take(&mut self.holds) {
            if blocked.contains(&hold.radar_type) {
                self.holds.push(hold);
            } else if !self.is_active(hold.radar) || hold.detected_at + HOLD_LIFE <= self.now {
                self.settled.insert((hold.radar, hold.record));
            } else if !self.publish(&hold, false) {
                blocked.insert(hold.radar_type);
                self.holds.push(hold);
            }
        }
        let balance = self.balance();
        let is_poor = |radar_type| self.price(radar_type, self.now).rate > balance;
        let paused = self.pauses.keys().copied();
        let still: Vec<_> = paused.filter(|radar_type| blocked.contains(radar_type) || is_poor(*radar_type)).collect();
        self.pauses.retain(|radar_type, _| still.contains(radar_type));
    }

    /// Charges a finding where that is the model, and publishes it; `false`: the money does not suffice, or must not.
    fn publish(&mut self, hold: &Hold, is_paused: bool) -> bool {
        let mut paid_by = None;
        if !self.radars[&hold.radar].is_subscription {
            let key = format!("find:{}:{}", hold.radar, hold.record);
            if is_paused || !self.spend(key, hold.rate, self.now) {
                return false;
            }
            paid_by = Some(self.movements.len() as i64);
        }
        self.updates.push(Update { radar: hold.radar, record: Some(hold.record), paid_by });
        self.settled.insert((hold.radar, hold.record));
        self.usage(self.now).found += 1;
        true
    }

    fn end(&mut self, id: Uuid, reason: &'static str) {
        let radar = self.radars.get_mut(&id).expect("the radar");
        (radar.ended, radar.ended_at, radar.next_charge_at) = (Some(reason), Some(self.now), None);
    }

    /// Takes from the lots: soonest expiry first, then oldest (decision 4.3). `false`: they do not cover it.
    fn spend(&mut self, key: String, amount: i64, due: i64) -> bool {
        let mut order: Vec<usize> = (0..self.lots.len()).collect();
        order.sort_by_key(|&index| (self.lots[index].expires_at.unwrap_or(i64::MAX), index));
        let (mut open, mut parts) = (amount, Vec::new());
        for index in order {
            let part = open.min(self.lots[index].left);
            if part > 0 {
                parts.push((index as i64 + 1, -part));
                open -= part;
            }
        }
        if open == 0 {
            self.post(key, -amount, due, parts);
            self.usage(self.now).used += amount;
        }
        open == 0
    }

    /// Gives a charge back into its lots, last first; what has expired lives a little longer (decision 4.4).
    fn refund(&mut self, key: &str) {
        let Some(charge) = self.movements.iter().find(|movement| movement.key == key).cloned() else { return };
        if charge.amount == 0 {
            return;
        }
        let mut parts = Vec::new();
        for (no, taken) in charge.parts.into_iter().rev() {
            let is_live = self.lots[no as usize - 1].expires_at.is_none_or(|at| at > self.now);
            let no = if is_live { no } else { self.new_lot(-taken, Some(self.now + REFUND_LIFE)) };
            parts.push((no, -taken));
        }
        self.usage.entry(charge.month).or_default().used += charge.amount;
        self.post(format!("refund:{key}"), -charge.amount, self.now, parts);
    }

    fn new_lot(&mut self, granted: i64, expires_at: Option<i64>) -> i64 {
        self.lots.push(Lot { granted, left: 0, expires_at });
        self.lots.len() as i64
    }

    fn post(&mut self, key: String, amount: i64, due_at: i64, parts: Vec<(i64, i64)>) {
        for (no, part) in &parts {
            self.lots[*no as usize - 1].left += part;
        }
        self.movements.push(Movement { key, amount, due_at, parts, month: month(self.now) });
    }

    fn usage(&mut self, at: i64) -> &mut Usage {
        self.usage.entry(month(at)).or_default()
    }
}

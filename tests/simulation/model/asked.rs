//! What is asked of an account, as the oracle carries it out.

use domain::radar_type::RadarType;
use uuid::Uuid;

use super::{Model, PERIOD};
use crate::state::{Approval, ApprovalDecision, Created, DAY, Found, Hold, Price, Radar, Reported};

/// How long a finding waits for money or an operator.
pub const HOLD_LIFE: i64 = 60 * DAY;
/// How long others who announce the same add nothing.
const EVENT_WINDOW: i64 = 30 * DAY;

impl Model {
    pub fn is_active(&self, radar: Uuid) -> bool {
        self.radars.get(&radar).is_some_and(|radar| radar.ended.is_none())
    }

    /// Whether findings arrive: while it is active, and in the paid time that a DELETE has left (decision 1.4); never while
    /// the account is stopped (decision 4.12).
    fn is_watching(&self, radar: Uuid) -> bool {
        let is_in_grace = |radar: &Radar| radar.grace_ends_at().is_some_and(|at| self.now < at);
        let is_watched = self.radars.get(&radar).is_some_and(|radar| radar.ended.is_none() || is_in_grace(radar));
        is_watched && !self.is_stopped
    }

    /// Since when a radar is paused: subscriptions are paid ahead (decision 1.2).
    pub fn paused_since(&self, radar: &Radar) -> Option<i64> {
        let can_be_paused = radar.ended.is_none() && !radar.is_subscription;
        self.pauses.get(&radar.radar_type).filter(|_| can_be_paused).copied()
    }

    /// `None`: the payment was counted before, with another amount. Else whether it is new.
    pub fn top_up(&mut self, reference: &str, amount: i64, expires_at: Option<i64>) -> Option<bool> {
        let key = format!("topup:{reference}");
        if let Some(earlier) = self.ledger_txs.iter().find(|tx| tx.key == key) {
            return (earlier.amount == amount).then_some(false);
        }
        let no = self.new_lot(amount, expires_at);
        self.post(key, amount, self.now, vec![(no, amount)]);
        self.settle_overdue();
        self.drain();
        Some(true)
    }

    pub fn create(&mut self, id: Uuid, radar_type: RadarType, target: String) -> Created {
        if self.is_stopped {
            return Created::Stopped;
        }
        let same = |radar: &Radar| radar.radar_type == radar_type && radar.target == target;
        if let Some((existing, _)) = self.radars.iter().find(|(_, radar)| radar.ended.is_none() && same(radar)) {
            return Created::Duplicate(*existing);
        }
        let Price { is_subscription, rate, has_grace, .. } = self.price(radar_type, self.now);
        if is_subscription && !self.spend(format!("sub:{id}:0"), rate, self.now) {
            return Created::TooPoor;
        }
        self.usage(self.now).activated += 1;
        for radar in self.radars.values_mut().filter(|radar| same(radar) && radar.grace_ends_at().is_some()) {
            radar.ended = Some("grace_period_ended");
        }
        let radar = Radar {
            radar_type,
            target,
            is_subscription,
            has_grace,
            set_up: "pending",
            ended: None,
            created_at: self.now,
            ended_at: None,
            period: 0,
            next_charge_at: is_subscription.then_some(self.now + PERIOD),
            day: None,
            full_since: None,
            release_at: None,
        };
        self.radars.insert(id, radar);
        Created::Yes
    }

    /// `failure`: why the target cannot be tracked. A radar that is set up, or watches no more, stays as it is.
    pub fn finish_set_up(&mut self, id: Uuid, failure: Option<&'static str>) {
        if !self.is_watching(id) || self.radars[&id].set_up != "pending" {
            return;
        }
        let radar = self.radars.get_mut(&id).expect("the radar");
        let (created_at, ended_at) = (radar.created_at, radar.ended_at);
        radar.set_up = if failure.is_some() { "failed" } else { "ready" };
        let Some(reason) = failure else { return };
        self.refund(&format!("sub:{id}:0"));
        self.end(id, reason);
        self.usage(created_at).activated -= 1;
        if let Some(ended_at) = ended_at {
            self.usage(ended_at).deactivated -= 1;
        }
        self.usage(self.now).failed += 1;
        self.publish_update(id, None, None);
        self.drain();
    }

    /// No source answers: the radar is ended and its current period given back, unless it has begun another one, or nobody
    /// looks for it (decision 4.11). `None`: there is no such radar.
    pub fn end_unreachable(&mut self, id: Uuid, period: i64) -> Option<bool> {
        let radar = self.radars.get(&id)?;
        let is_watching = radar.ended.is_none() && radar.set_up == "ready" && !self.is_stopped;
        if !is_watching || radar.period != period {
            return Some(false);
        }
        self.refund(&format!("sub:{id}:{period}"));
        self.end(id, "system_deactivated");
        self.usage(self.now).deactivated += 1;
        self.publish_update(id, None, None);
        self.drain();
        Some(true)
    }

    /// A radar is told what was found.
    pub fn report(&mut self, id: Uuid, findings: &[Found]) -> Reported {
        let mut reported = Reported::default();
        for &Found { record, detected_at, is_web, ref event } in findings {
            let key = (id, record);
            let is_held = self.holds.iter().any(|hold| (hold.radar, hold.record) == key);
            if !self.is_watching(id) {
                reported.dropped += 1;
            } else if is_held
                || self.settled.contains(&key)
                || self.approvals.contains_key(&key)
                || event.as_ref().is_some_and(|event| !self.is_news(id, event))
            {
                reported.duplicates += 1;
            } else if self.is_manual {
                self.approvals.insert(key, Approval { detected_at, is_web, decision: None });
                reported.pending += 1;
            } else if self.must_wait_for_day(id, is_web) {
                self.hold_beyond_bound(key, detected_at);
                reported.held += 1;
            } else {
                self.let_through(key, detected_at, is_web, &mut reported);
            }
        }
        reported
    }

    /// One event, one finding: notes an event of which the radar got nothing within 30 days, and says whether it is one.
    fn is_news(&mut self, id: Uuid, event: &str) -> bool {
        let now = self.now;
        let known = self.events.entry((id, event.to_owned())).or_default();
        let is_news = known.last().is_none_or(|at| at + EVENT_WINDOW <= now);
        known.extend(is_news.then_some(now));
        is_news
    }

    /// `None`: no such finding waits or has waited (one that has waited too long is not asked for). `Err`: it was decided otherwise (decision 4.10).
    pub fn decide_approval(
        &mut self,
        key: (Uuid, Uuid),
        decision: ApprovalDecision,
    ) -> Option<Result<Reported, ApprovalDecision>> {
        let Approval { detected_at, is_web, decision: before } = *self.approvals.get(&key)?;
        let mut reported = Reported::default();
        match before {
            Some(before) if before != decision => return Some(Err(before)),
            Some(_) => {
                reported.duplicates = 1;
                return Some(Ok(reported));
            }
            None => {}
        }
        self.approvals.insert(key, Approval { detected_at, is_web, decision: Some(decision) });
        match decision {
            ApprovalDecision::Reject => {}
            ApprovalDecision::Approve if self.is_watching(key.0) => {
                self.let_through(key, detected_at, is_web, &mut reported);
            }
            ApprovalDecision::Approve => reported.dropped = 1,
        }
        Some(Ok(reported))
    }

    fn let_through(&mut self, (radar, record): (Uuid, Uuid), detected_at: i64, is_web: bool, reported: &mut Reported) {
        let radar_type = self.radars[&radar].radar_type;
        let rate = self.price(radar_type, detected_at).rate;
        let hold = Hold { radar, radar_type, record, rate, detected_at, is_web, waits_for_day: false };
        if self.publish(&hold, self.pauses.contains_key(&radar_type)) {
            reported.published.push(record);
        } else {
            self.pauses.entry(radar_type).or_insert(self.now);
            self.holds.push(hold);
            reported.held += 1;
        }
    }

    pub fn deactivate(&mut self, id: Uuid) {
        if self.is_active(id) {
            self.end(id, "user_deactivated");
            self.usage(self.now).deactivated += 1;
            self.end_grace_when_over(id);
        }
    }

    pub fn end_grace_when_over(&mut self, id: Uuid) {
        let now = self.now;
        if let Some(radar) = self.radars.get_mut(&id).filter(|radar| radar.grace_ends_at().is_some_and(|at| at <= now))
        {
            radar.ended = Some("grace_period_ended");
        }
    }
}

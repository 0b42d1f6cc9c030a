//! The oracle: what one account must look like, written straight from the contract (Spec 2.5, 3; decisions 1.4, section 4),
//! one thing after another, without batches or indices. Here: money and what is due; what is asked for is in
//! `model/asked.rs`, what becomes of findings that are held in `model/held.rs`.
//!
//! Never here: anything of `domain::account`. Times are microseconds, money is micro-USD.

mod asked;
mod held;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use chrono::DateTime;
use domain::radar_type::RadarType;
use uuid::Uuid;

pub use asked::HOLD_LIFE;

use super::state::{
    Alert, Answered, Approval, BoundAlert, DAY, Hold, LedgerTx, Lot, PERIOD, Price, Radar, Update, Usage,
};

const REFUND_LIFE: i64 = 7 * DAY;

/// One account.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The instant of the command that is carried out.
    pub now: i64,
    /// The instant of the last ledger transaction or update.
    pub last_at: i64,
    pub prices: BTreeMap<(RadarType, i64), Price>,
    pub lots: Vec<Lot>,
    pub radars: BTreeMap<Uuid, Radar>,
    pub holds: Vec<Hold>,
    pub pauses: BTreeMap<RadarType, i64>,
    pub ledger_txs: Vec<LedgerTx>,
    pub updates: Vec<Update>,
    pub usage: BTreeMap<String, Usage>,
    /// What each radar has settled: published or dropped.
    pub settled: BTreeSet<(Uuid, Uuid)>,
    /// When each radar got findings of an event, the last at the end.
    pub events: BTreeMap<(Uuid, String), Vec<i64>>,
    /// Whether an operator has stopped the account.
    pub is_stopped: bool,
    /// Whether an operator approves findings.
    pub is_manual: bool,
    /// What waits for approval or was approved or rejected, by radar and record.
    pub approvals: BTreeMap<(Uuid, Uuid), Approval>,
    /// The most that may be spent in a month before findings are held.
    pub cap: Option<i64>,
    /// The balances below which somebody wants to know.
    pub thresholds: Vec<i64>,
    /// Whether somebody is told of anything.
    pub has_alerts: bool,
    pub alerts: Vec<Alert>,
    pub bound_alerts: Vec<BoundAlert>,
    /// The answers that are kept, by key.
    pub answers: BTreeMap<String, Answered>,
    /// The renewals that the transaction decides.
    pub due: VecDeque<(i64, Uuid)>,
    /// When the first renewal was due that it leaves to another one.
    pub left_from: Option<i64>,
    /// Whether one of its commands waits for those.
    pub waits: bool,
    /// The radars whose day is over when the transaction begins, and whose type is not paused then.
    pub days_over: Vec<Uuid>,
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

    /// Begins a transaction, which decides the oldest of the renewals that are due and leaves the others.
    pub fn begin(&mut self, now: i64, renewals_max: usize) {
        self.now = now;
        let due = self.radars.iter().filter_map(|(id, radar)| Some((radar.next_charge_at?, *id)));
        let mut due: Vec<_> = due.filter(|(at, _)| *at <= now).collect();
        due.sort_unstable();
        self.left_from = due.get(renewals_max).map(|(at, _)| *at);
        due.truncate(renewals_max);
        self.due = due.into();
        self.days_over = self.days_over_at(now);
        self.waits = false;
    }

    /// Expiries and renewals in the order in which they were due, expiries first (decisions 4.5, 4.6, 4.9). What was due
    /// before a renewal that is left has the money that was live then.
    pub fn settle_overdue(&mut self) {
        let until = self.left_from.unwrap_or(self.now);
        loop {
            let expiries = (1..).zip(&self.lots).filter(|(_, lot)| lot.left > 0);
            let expiry = expiries.filter_map(|(no, lot)| Some((lot.expires_at?, no))).min();
            match (expiry, self.due.front().copied()) {
                (Some((at, no)), renewal) if at <= until && renewal.is_none_or(|(due, _)| at <= due) => {
                    let left = self.lots[no as usize - 1].left;
                    self.post(format!("expire:{no}"), -left, at, vec![(no, -left)]);
                }
                (_, Some((due, id))) => {
                    self.due.pop_front();
                    self.renew(id, due);
                }
                _ => return,
            }
        }
    }

    /// Renews a radar of which something is asked while older renewals are left.
    pub fn renew_ahead(&mut self, id: Uuid) {
        let due = self.radars.get(&id).and_then(|radar| radar.next_charge_at);
        if let Some(due) = due.filter(|due| *due <= self.now) {
            self.renew(id, due);
        }
    }

    fn renew(&mut self, id: Uuid, due: i64) {
        let radar = self.radars[&id].clone();
        // What falls due while the account is stopped is recorded at 0 (decision 4.12).
        let is_served = radar.set_up != "pending" && !self.is_stopped;
        let rate = if is_served { self.price(radar.radar_type, due).rate } else { 0 };
        let mut period = radar.period + 1;
        if !self.spend(format!("sub:{id}:{period}"), rate, due) {
            self.end(id, "insufficient_funds");
            self.usage(self.now).deactivated += 1;
            self.publish_update(id, None, None);
            return;
        }
        while radar.created_at + (period + 1) * PERIOD <= self.now {
            period += 1;
            self.post(format!("sub:{id}:{period}"), 0, radar.created_at + period * PERIOD, Vec::new());
        }
        let radar = self.radars.get_mut(&id).expect("the radar");
        radar.period = period;
        radar.next_charge_at = Some(radar.created_at + (period + 1) * PERIOD);
    }

    fn end(&mut self, id: Uuid, reason: &'static str) {
        let now = self.now;
        let radar = self.radars.get_mut(&id).expect("the radar");
        (radar.ended, radar.next_charge_at) = (Some(reason), None);
        radar.ended_at.get_or_insert(now);
    }

    /// Takes from the lots that are live at `due`: soonest expiry first, then oldest (decision 4.3). `false`: they do not
    /// cover it.
    fn spend(&mut self, key: String, amount: i64, due: i64) -> bool {
        let is_live = |lot: &Lot| lot.expires_at.is_none_or(|at| at > due);
        let mut order: Vec<usize> = (0..self.lots.len()).filter(|&index| is_live(&self.lots[index])).collect();
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
            let at = self.post(key, -amount, due, parts);
            self.usage(at).used += amount;
        }
        open == 0
    }

    /// Gives a charge back into its lots, last first; what has expired lives a little longer, but not longer than that after
    /// the payment expired that it first came from (decision 4.4).
    fn refund(&mut self, key: &str) {
        let Some(charge) = self.ledger_txs.iter().find(|tx| tx.key == key).cloned() else { return };
        if charge.amount == 0 {
            return;
        }
        let mut parts = Vec::new();
        for (no, taken) in charge.parts.into_iter().rev() {
            let Lot { expires_at, first_expires_at, .. } = self.lots[no as usize - 1];
            if expires_at.is_none_or(|at| at > self.now) {
                parts.push((no, -taken));
                continue;
            }
            let until = first_expires_at.expect("it has expired") + REFUND_LIFE;
            if until > self.now {
                self.lots.push(Lot { granted: -taken, left: 0, expires_at: Some(until), first_expires_at });
                parts.push((self.lots.len() as i64, -taken));
            }
        }
        let given_back: i64 = parts.iter().map(|(_, part)| part).sum();
        self.usage(charge.at).used -= given_back;
        self.post(format!("refund:{key}"), given_back, self.now, parts);
    }

    fn new_lot(&mut self, granted: i64, expires_at: Option<i64>) -> i64 {
        self.lots.push(Lot { granted, left: 0, expires_at, first_expires_at: expires_at });
        self.lots.len() as i64
    }

    /// Every ledger transaction; each threshold that the balance falls below is alerted once to those who asked for it.
    /// Answers its instant, whose month it counts for.
    fn post(&mut self, key: String, amount: i64, due_at: i64, parts: Vec<(i64, i64)>) -> i64 {
        let before = self.balance();
        for (no, part) in &parts {
            self.lots[*no as usize - 1].left += part;
        }
        let at = self.tick();
        self.ledger_txs.push(LedgerTx { key, amount, at, due_at, parts });
        let (balance, tx) = (self.balance(), self.ledger_txs.len() as i64);
        let crossed = self.thresholds.iter().filter(|threshold| balance < **threshold && **threshold <= before);
        self.alerts.extend(crossed.map(|threshold| Alert { tx, threshold: *threshold, balance }));
        at
    }

    /// Every update; answers its instant.
    fn publish_update(&mut self, radar: Uuid, record: Option<Uuid>, paid_by: Option<i64>) -> i64 {
        let at = self.tick();
        self.updates.push(Update { radar, record, at, paid_by });
        at
    }

    /// The account's own time: no two of its ledger transactions and updates have the same instant (decision 3.5).
    fn tick(&mut self) -> i64 {
        self.last_at = self.now.max(self.last_at + 1);
        self.last_at
    }

    fn usage(&mut self, at: i64) -> &mut Usage {
        self.usage.entry(month(at)).or_default()
    }
}

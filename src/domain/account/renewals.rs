//! What is late happens first, in the order in which it was due: expiries, then renewals (decisions 4.3, 4.5, 4.6, 4.9).

use chrono::{DateTime, Utc};

use super::Account;
use super::posting::NewLedgerTx;
use crate::ids::RadarId;
use crate::money::MicroUsd;
use crate::money::ledger::{Bucket, LedgerEntry, TxKind, expiry_key, subscription_key};
use crate::radar::renewal::{missed_periods, next_charge_at};
use crate::radar::{FailureReason, SetUp, Status, StatusReason};

impl Account {
    /// Decides every expiry and every loaded renewal that is due by now.
    ///
    /// Renewals that were due but not loaded keep the money that was live at their time: no lot expires past them.
    pub(super) fn settle_overdue(&mut self) {
        let renewals = std::mem::take(&mut self.state.due_renewals);
        for radar_id in renewals {
            let due_at = self.state.radars.get(&radar_id).and_then(|radar| radar.next_charge_at);
            if let Some(due_at) = due_at.filter(|&due_at| due_at <= self.now) {
                self.expire_lots(due_at);
                self.renew(radar_id, due_at);
            }
        }
        self.expire_lots(self.state.more_renewals_from.unwrap_or(self.now).min(self.now));
    }

    /// Removes what is left of lots whose time has passed, soonest first (Spec 2.5).
    fn expire_lots(&mut self, up_to: DateTime<Utc>) {
        let mut expired: Vec<(DateTime<Utc>, i64, MicroUsd)> = self
            .state
            .lots
            .iter()
            .filter(|lot| !lot.remaining.is_zero())
            .filter_map(|lot| Some((lot.expires_at.filter(|&at| at <= up_to)?, lot.lot_no, lot.remaining)))
            .collect();
        expired.sort_unstable();
        for (due_at, lot_no, remaining) in expired {
            let entries = vec![
                LedgerEntry { bucket: Bucket::Credit, lot_no: Some(lot_no), amount: remaining.negated() },
                LedgerEntry { bucket: Bucket::Breakage, lot_no: None, amount: remaining },
            ];
            let op_key = expiry_key(lot_no);
            self.post(NewLedgerTx { op_key, kind: TxKind::Expiry, due_at, radar: None, update_id: None }, entries);
        }
    }

    /// Charges the period that began at `due_at`, or ends the radar when the balance does not cover it (Spec 3).
    pub(super) fn renew(&mut self, radar_id: RadarId, due_at: DateTime<Utc>) {
        let Some(radar) = self.state.radars.get(&radar_id).filter(|radar| radar.status == Status::Active) else {
            return;
        };
        let (radar_type, created_at, period_no) = (radar.wanted.radar_type, radar.created_at, radar.period_no);
        self.changes.renewals.push(due_at);
        let missed = missed_periods(due_at, self.now);
        let set_up = radar.set_up;
        let tx = |period_no: i64| {
            let key = subscription_key(radar_id, period_no);
            let due_at = next_charge_at(created_at, period_no - 1);
            NewLedgerTx::of_radar((radar_id, radar_type), TxKind::Subscription, key, due_at)
        };
        let price = self.state.prices.at(radar_type, due_at).map(|price| price.rate);
        // What is not even set up has not been served; should that fail, only the creation is there to be refunded. Nor has
        // what fell due while the account was stopped (decision 4.12).
        let is_free = set_up == SetUp::Pending || self.is_stopped();
        let rate = if is_free { Some(MicroUsd::ZERO) } else { price };
        if rate.and_then(|rate| self.charge(rate, tx(period_no + 1))).is_none() {
            self.end(radar_id, StatusReason::InsufficientFunds, set_up);
            self.changes.usage_of(self.now).radars_deactivated += 1;
            let message = "The balance did not cover the renewal; the radar was deactivated.";
            return self.publish_failure(radar_id, FailureReason::InsufficientFunds, MicroUsd::ZERO, message);
        }
        for period_no in period_no + 2..=period_no + 1 + missed {
            self.post(tx(period_no), Vec::new());
        }
        if let Some(radar) = self.radar_mut(radar_id) {
            radar.period_no += 1 + missed;
            radar.next_charge_at = Some(next_charge_at(created_at, radar.period_no));
        }
    }
}

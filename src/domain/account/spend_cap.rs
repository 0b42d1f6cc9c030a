//! The spend cap of a month, and the alerts about a balance that runs low.

use chrono::{DateTime, Utc};

use super::{Account, Alert};
use crate::ids::UpdateId;
use crate::money::MicroUsd;
use crate::money::balance_alert::BalanceAlert;
use crate::money::month::Month;

impl Account {
    /// Whether the balance and the month's cap cover one more finding at `rate`.
    pub(super) fn covers(&self, rate: MicroUsd) -> bool {
        rate <= self.state.account.balance && self.is_within_cap(rate)
    }

    /// Whether one more finding at `rate` stays within the month's cap; findings beyond it are held as for lack of money.
    pub(super) fn is_within_cap(&self, rate: MicroUsd) -> bool {
        let spent = self.state.spent_this_month.micros();
        self.state.account.spend_cap.is_none_or(|cap| spent.saturating_add(rate.micros()) <= cap.micros())
    }

    /// Adds to what the month of `at` has spent, in micro-USD; a refund takes away from the month of its charge.
    pub(super) fn note_spent(&mut self, at: DateTime<Utc>, micros: i64) {
        self.changes.usage_of(at).used_micros += micros;
        if Month::of(at) == Month::of(self.now) {
            let spent = &mut self.state.spent_this_month;
            *spent = MicroUsd::from_micros(spent.micros().saturating_add(micros));
        }
    }

    /// Tells of every threshold that the ledger transaction `tx_seq` has crossed, in the transaction that crossed it.
    pub(super) fn alert(&mut self, before: MicroUsd, tx_seq: i64, crossed_at: DateTime<Utc>) {
        let account = &self.state.account;
        let (account_id, balance) = (account.account_id, account.balance);
        let Some(alerts) = &account.alerts else { return };
        let crossed = alerts.crossed(before, balance);
        let url = alerts.webhook_url.clone();
        for threshold in crossed {
            let alert_id = UpdateId::of_alert(account_id, tx_seq, threshold.micros());
            let alert = BalanceAlert { alert_id, account_id, tx_seq, threshold, balance, crossed_at };
            self.changes.alerts.push(Alert::Balance(alert));
            self.enqueue(&url, (alert_id, self.state.account.update_seq, crossed_at), None, None);
        }
    }
}

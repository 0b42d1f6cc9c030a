//! Commands to an account that has more due renewals than one transaction decides (decisions 4.6, 4.9).
//!
//! Renewals are decided in the order in which they were due, so a command waits until the account is settled. It may go
//! ahead only where the order makes no difference: when the balance covers all due renewals, or does not even cover the
//! command.

use super::Account;
use super::Overtakes;
use crate::ids::RadarId;
use crate::radar::{NewRadar, PricingModel};

impl Account {
    /// Whether a command has to wait for renewals that were due before it. Once one of a transaction waits, all do.
    pub(super) fn must_wait(&mut self, overtakes: Overtakes) -> bool {
        let (is_never, ahead_of) = match overtakes {
            Overtakes::Always => return false,
            Overtakes::OutOfReach if self.has_overdue.is_none() => return false,
            Overtakes::OutOfReach => (false, None),
            Overtakes::Never => (true, None),
            Overtakes::WhenCovered(radar_id) => (false, radar_id),
        };
        let has_overdue = is_never || self.has_overdue.unwrap_or_else(|| !self.covers_everything());
        self.has_overdue = Some(has_overdue);
        if !has_overdue && let Some(radar_id) = ahead_of {
            self.renew_ahead(radar_id);
        }
        has_overdue
    }

    /// Whether the money that can be spent now covers the dearest that can come: every renewal that is left, of which there
    /// are no more than active radars, and every charge that the commands of this transaction can ask for. A cap on the
    /// month makes the order count.
    fn covers_everything(&self) -> bool {
        if self.state.account.spend_cap.is_some() {
            return false;
        }
        let asked = i64::try_from(self.state.charges_asked).unwrap_or(i64::MAX);
        let charges = self.state.account.active_radars.saturating_add(asked);
        let most = self.state.prices.dearest().micros().saturating_mul(charges);
        self.live_micros() >= most
    }

    /// Whether a creation asks for more than there is: renewals that come before it leave no more than that.
    pub(super) fn is_out_of_reach(&self, wanted: &NewRadar) -> bool {
        // A duplicate might be none any more once its original could not be renewed.
        let is_duplicate = self.state.taken.contains_key(&wanted.target.key(wanted.radar_type));
        let price = self.state.prices.at(wanted.radar_type, self.now);
        let is_too_dear = price
            .is_some_and(|price| price.model == PricingModel::Subscription && price.rate.micros() > self.live_micros());
        is_too_dear && !is_duplicate
    }

    fn live_micros(&self) -> i64 {
        self.state.lots.iter().filter(|lot| lot.is_live(self.now)).map(|lot| lot.remaining.micros()).sum()
    }

    /// A radar's own renewal comes before anything else that happens to it.
    fn renew_ahead(&mut self, radar_id: RadarId) {
        let due_at = self.state.radars.get(&radar_id).and_then(|radar| radar.next_charge_at);
        if let Some(due_at) = due_at.filter(|&due_at| due_at <= self.now) {
            self.renew(radar_id, due_at);
        }
    }
}

//! A radar comes into being (Spec 2.5, 2.7, 3).

use chrono::{DateTime, Utc};

use crate::account::posting::NewLedgerTx;
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::ids::{AccountId, RadarId};
use crate::money::ledger::{TxKind, subscription_key};
use crate::radar::daily_bound::DailyBound;
use crate::radar::renewal::next_charge_at;
use crate::radar::{NewRadar, PricingModel, Radar, SetUp, Status};

/// A radar to be created.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The identifier that it shall have.
    pub radar_id: RadarId,
    /// What the customer asks for.
    pub wanted: NewRadar,
    /// Whether its sources have to be looked for: not where there are none but providers that push.
    pub needs_set_up: bool,
}

/// The radar exists.
#[derive(Clone, Debug)]
pub struct Created {
    /// The radar.
    pub radar: Box<Radar>,
    /// Since when its type is paused: it may be so from its beginning (decision 1.2).
    pub paused_since: Option<DateTime<Utc>>,
}

impl Creation {
    pub(in crate::account) fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
        read_set.target_keys.insert((account_id, self.wanted.target.key(self.wanted.radar_type)));
        read_set.webhook_urls.extend(self.wanted.endpoint_url().map(|url| (account_id, url)));
    }

    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<Created> {
        account.create(self)
    }
}

impl Account {
    /// Creates and, for a subscription, charges a radar; set-up follows (decision 1.3).
    pub(in crate::account) fn create(&mut self, creation: &Creation) -> Decision<Created> {
        if self.is_stopped() {
            return Err(CommandRejection::Stopped);
        }
        let Creation { radar_id, wanted, needs_set_up } = creation;
        let key = wanted.target.key(wanted.radar_type);
        if let Some(&existing) = self.state.taken.get(&key) {
            return Err(CommandRejection::Duplicate { existing, field: wanted.target.identifying_field() });
        }
        self.has_room_for_one()?;
        let price = self.state.prices.at(wanted.radar_type, self.now).ok_or(CommandRejection::NoPrice)?;
        let is_subscription = price.model == PricingModel::Subscription;
        if is_subscription {
            let radar = (*radar_id, wanted.radar_type);
            let key = subscription_key(*radar_id, 0);
            let tx = NewLedgerTx::of_radar(radar, TxKind::Subscription, key, self.now);
            self.charge(price.rate, tx).ok_or(CommandRejection::InsufficientBalance)?;
        }
        let radar = Radar {
            radar_id: *radar_id,
            account_id: self.state.account.account_id,
            wanted: wanted.clone(),
            status: Status::Active,
            status_reason: None,
            set_up: if *needs_set_up { SetUp::Pending } else { SetUp::Ready },
            model: price.model,
            grace_period: price.grace_period,
            created_at: self.now,
            deactivated_at: None,
            period_no: 0,
            next_charge_at: is_subscription.then(|| next_charge_at(self.now, 0)),
            daily: DailyBound::default(),
        };
        self.state.account.active_radars += 1;
        if *needs_set_up {
            self.changes.new_set_ups.push(*radar_id);
            self.state.set_ups.insert(*radar_id, 0);
        }
        self.changes.usage_of(self.now).radars_activated += 1;
        self.end_grace_of(&key);
        self.state.taken.insert(key, *radar_id);
        self.state.radars.insert(*radar_id, radar.clone());
        self.dirty_radars.insert(*radar_id);
        let pause = self.state.pauses.get(&wanted.radar_type).filter(|_| radar.can_be_paused());
        Ok(Created { paused_since: pause.map(|pause| pause.since), radar: Box::new(radar) })
    }

    /// Ended radars count until retention removes them: else nothing would bound what creating and deleting leaves behind.
    fn has_room_for_one(&self) -> Result<(), CommandRejection> {
        let account = &self.state.account;
        let max = account.radars_max.unwrap_or(self.settings.radars_max);
        if account.active_radars >= max || account.ended_radars >= max {
            return Err(CommandRejection::TooManyRadars { max });
        }
        Ok(())
    }
}

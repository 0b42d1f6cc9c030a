//! What a radar type costs whom, and from when (Spec 2.5, decision 4.2).

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::closed;
use crate::money::MicroUsd;
use crate::radar_type::{Category, RadarType};

closed! {
    /// How a radar is paid; fixed at its creation (Spec 2.5, decision 4.2).
    PricingModel {
        /// Charged at creation and every 30 days.
        Subscription = "subscription",
        /// Charged per approved finding.
        UpdateBased = "update_based",
    }
}

closed! {
    /// What a DELETE leaves of a paid period (decision 1.4).
    GracePeriod {
        /// Findings stop at once.
        None = "none",
        /// Findings arrive until the paid 30 days end.
        PaidPeriod = "paid_period",
    }
}

/// How a radar type is paid, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Per 30 days or per finding.
    pub model: PricingModel,
    /// Per period or per finding.
    pub rate: MicroUsd,
    /// What a DELETE leaves of a paid period.
    pub grace_period: GracePeriod,
    /// How many findings from the web a radar is charged for per day of its own at most (it begins with the radar's first
    /// charged finding and lasts 24 hours), at least 1; subscriptions have no such bound (decision 4.14).
    pub findings_per_day: u32,
}

/// The largest bound of a day.
pub const FINDINGS_PER_DAY_MAX: u32 = 1_000_000;

/// The bound of a day for a radar type, where nothing else is said (decision 4.14).
fn default_findings_per_day(radar_type: RadarType) -> u32 {
    match radar_type.category() {
        Category::Industry => 5_000,
        Category::Company | Category::Contact => 200,
    }
}

impl Price {
    /// The bound of a radar's day, where it has one (decision 4.14).
    pub fn bound(&self) -> Option<u32> {
        (self.model == PricingModel::UpdateBased).then_some(self.findings_per_day)
    }
}

/// The operator's default for every radar type.
pub type DefaultPrices = Arc<BTreeMap<RadarType, Price>>;

/// The bound of a day for a radar type whose price says nothing of its own: the configured one.
pub fn configured_findings_per_day(defaults: &DefaultPrices, radar_type: RadarType) -> u32 {
    defaults.get(&radar_type).map_or_else(|| default_findings_per_day(radar_type), |price| price.findings_per_day)
}

/// The prices of one account: the newest of its own that is in force, else the default.
#[derive(Clone, Debug, Default)]
pub struct PriceList {
    defaults: DefaultPrices,
    own: BTreeMap<(RadarType, DateTime<Utc>), Price>,
}

impl PriceList {
    /// A list over `defaults` with the account's own prices, each from an instant on.
    pub fn new(defaults: DefaultPrices, own: impl IntoIterator<Item = (RadarType, DateTime<Utc>, Price)>) -> Self {
        let own = own.into_iter().map(|(radar_type, effective_from, price)| ((radar_type, effective_from), price));
        Self { defaults, own: own.collect() }
    }

    /// The price of `radar_type` in force at `at`; `None` where neither the account nor the operator has one.
    pub fn at(&self, radar_type: RadarType, at: DateTime<Utc>) -> Option<Price> {
        let own = self.own.range((radar_type, DateTime::<Utc>::MIN_UTC)..=(radar_type, at)).next_back();
        own.map(|(_, price)| *price).or_else(|| self.defaults.get(&radar_type).copied())
    }

    /// The highest rate of the list, whatever it is for and whenever it is in force.
    pub fn dearest(&self) -> MicroUsd {
        let rates = self.own.values().chain(self.defaults.values()).map(|price| price.rate);
        rates.max().unwrap_or(MicroUsd::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::{DefaultPrices, GracePeriod, Price, PriceList, PricingModel, configured_findings_per_day};
    use crate::money::MicroUsd;
    use crate::radar_type::RadarType::{CompanyJobOpenings, CompanyReviews, IndustryFundingRounds};
    use chrono::DateTime;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    fn price(micros: i64) -> Price {
        Price {
            model: PricingModel::Subscription,
            rate: MicroUsd::from_micros(micros),
            grace_period: GracePeriod::None,
            findings_per_day: 200,
        }
    }

    #[test]
    fn a_price_without_a_bound_of_its_own_has_the_configured_one_of_its_type() {
        let defaults = Arc::new(BTreeMap::from([(CompanyReviews, Price { findings_per_day: 7, ..price(1) })]));
        for (defaults, radar_type, bound) in [
            (&defaults, CompanyReviews, 7),
            (&defaults, IndustryFundingRounds, 5_000),
            (&DefaultPrices::default(), CompanyReviews, 200),
        ] {
            assert_eq!(configured_findings_per_day(defaults, radar_type), bound, "{radar_type:?}");
        }
    }

    #[test]
    fn the_newest_price_in_force_wins_over_the_default() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("an instant");
        let defaults = Arc::new(BTreeMap::from([(CompanyJobOpenings, price(1))]));
        let own = [(CompanyJobOpenings, at(10), price(2)), (CompanyJobOpenings, at(20), price(3))];
        let list = PriceList::new(defaults, own);
        for (seconds, rate) in [(9, 1), (10, 2), (19, 2), (20, 3), (99, 3)] {
            assert_eq!(list.at(CompanyJobOpenings, at(seconds)), Some(price(rate)), "at {seconds}");
        }
        assert_eq!(list.at(CompanyReviews, at(99)), None);
        assert_eq!(list.dearest(), MicroUsd::from_micros(3));
    }
}

//! The `data` of `GET /v1/radar-types` (Spec 2.1; decisions 4.2, 7.5).

use crate::money::Usd;
use crate::record::{Maybe, records};
use crate::shapes::number;
use domain::{Category, GracePeriod, Price, PricingModel, RadarType};

records! {
    /// A radar type: whether it finds anything here, and what it costs.
    #[derive(Debug)]
    pub struct RadarTypeRecord<'a> {
        /// The type.
        radar_type: RadarType,
        /// What it watches, and so the endpoint that creates it.
        category: Category,
        /// Whether `departments`, `seniorities` and `job_titles` narrow it.
        filterable: bool,
        /// Whether any source serves it here; a radar of a type that none serves fails.
        served: bool,
        /// The condition under which a target is served, where not every target is.
        served_if: Option<String>,
        /// The sources that serve it.
        sources: Vec<ServingSource<'a>>,
        /// What it costs the account now; null for a type that has no price and cannot be created.
        price: Option<PriceRecord>,
    }

    /// A source.
    #[derive(Debug)]
    pub struct ServingSource<'a> {
        /// Its identifier.
        pub source_id: &'a str,
        /// Its name.
        pub name: &'a str,
        /// Words that must go with what comes from it.
        pub attribution: Option<&'a str>,
    }

    /// What a radar type costs.
    #[derive(Debug)]
    pub struct PriceRecord {
        /// Paid every 30 days, or per finding.
        model: PricingModel,
        /// What a period or a finding costs, in USD.
        rate_usd: Usd = |about| number(about).minimum(Some(0.0)),
        /// What follows the end of a radar that is paid for.
        grace_period: GracePeriod,
        /// How many findings from the web a radar is charged for at most per day of the radar, which begins with its first
        /// charged finding and lasts 24 hours; what is beyond waits for its next day. Absent where findings are not charged.
        findings_per_day: Maybe<u32>,
    }
}

impl<'a> RadarTypeRecord<'a> {
    /// The record of a type with its enabled sources, the condition under which they serve a target, and what it costs the
    /// account now.
    pub fn of(
        radar_type: RadarType,
        sources: Vec<ServingSource<'a>>,
        served_if: Option<String>,
        price: Option<Price>,
    ) -> Self {
        Self {
            radar_type,
            category: radar_type.category(),
            filterable: radar_type.is_filterable(),
            served: !sources.is_empty(),
            served_if: served_if.filter(|_| !sources.is_empty()),
            sources,
            price: price.as_ref().map(PriceRecord::of),
        }
    }
}

impl PriceRecord {
    /// The record of a price.
    pub fn of(price: &Price) -> Self {
        Self {
            model: price.model,
            rate_usd: Usd(price.rate),
            grace_period: price.grace_period,
            findings_per_day: Maybe(price.bound()),
        }
    }
}

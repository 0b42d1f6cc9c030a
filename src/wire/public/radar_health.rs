//! How much of its day a radar has used (decision 4.14).

use chrono::{DateTime, Utc};

use crate::record::records;
use crate::time::Instant;
use domain::{Price, PricingModel, Radar};

records! {
    /// How many findings from the web the radar is charged for per day of its own, which begins with its first charged finding
    /// and lasts 24 hours, and what it holds beyond that.
    #[derive(Debug)]
    pub struct DailyBoundRecord {
        /// How many may be charged in a day.
        findings_per_day: u32,
        /// How many were charged in the day that runs.
        charged_findings: i64,
        /// How many are held beyond the bound. The next day of the radar releases them in order.
        held_findings: i64,
        /// When the day ends that runs; null before the first finding of a day.
        day_ends_at: Option<Instant>,
        /// Since when the radar reads no further, because it holds as many as a day allows; null while it reads.
        full_since: Option<Instant>,
    }
}

impl DailyBoundRecord {
    /// Where a radar stands at `now` under the price that is in force; `None` where it has no bound.
    pub fn of(radar: &Radar, price: Option<Price>, now: DateTime<Utc>) -> Option<Self> {
        let price = price.filter(|_| radar.model == PricingModel::UpdateBased)?;
        Some(Self {
            findings_per_day: price.findings_per_day,
            charged_findings: radar.daily.charged_in_day(now),
            held_findings: radar.daily.held,
            day_ends_at: radar.daily.day_ends_at(now).map(Instant),
            full_since: radar.daily.full_since.map(Instant),
        })
    }
}

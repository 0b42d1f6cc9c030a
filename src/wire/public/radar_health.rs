//! The `data` of `GET /v1/radars/{id}/health` (decisions 1.3, 4.11, 4.14).

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::record::records;
use crate::time::Instant;
use domain::money::pricing::Price;
use domain::radar::health::HealthState;
use domain::radar::{PricingModel, Radar};

/// How well a radar can see.
#[derive(Debug, Serialize)]
pub struct RadarHealthRecord<'a> {
    /// The radar.
    pub radar_id: Uuid,
    /// Whether it sees anything.
    pub state: HealthState,
    /// When any of its sources was last polled.
    pub polled_at: Option<Instant>,
    /// When any of its sources was last read with success.
    pub succeeded_at: Option<Instant>,
    /// When the first of its sources is polled next, or its set-up is tried again.
    pub next_poll_at: Option<Instant>,
    /// What went wrong last, unless all is well.
    pub last_error: Option<&'a str>,
    /// When the radar is ended unless a source is read with success before.
    pub ends_at: Option<Instant>,
    /// Items that its filter has kept out, and those that are older than itself (decision 4.14).
    pub filtered_items: u64,
    /// Where it looks.
    pub sources: Vec<SourceHealth<'a>>,
    /// How much of its day it has used; absent where findings are not charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daily_bound: Option<DailyBoundRecord>,
}

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

/// One source of a radar.
#[derive(Debug, Serialize)]
pub struct SourceHealth<'a> {
    /// The source.
    pub source_id: &'a str,
    /// When it was last polled for this target.
    pub polled_at: Option<Instant>,
    /// When that last succeeded.
    pub succeeded_at: Option<Instant>,
    /// When it is polled next.
    pub next_poll_at: Option<Instant>,
    /// What went wrong at the last poll.
    pub last_error: Option<&'a str>,
    /// The same of this source.
    pub filtered_items: u64,
}

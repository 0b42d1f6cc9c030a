//! The `data` of `POST /v1/radars/preview`.

use serde::Serialize;
use serde_json::Value;

use super::radar_types::PriceRecord;
use crate::domain::closed;
use crate::domain::money::pricing::Price;
use crate::domain::radar::preview::{Cuts, Rate};
use crate::wire::money::Usd;

/// What a radar would find.
#[derive(Debug, Serialize)]
pub struct PreviewRecord<'a> {
    /// The type.
    pub radar_type: &'static str,
    /// Whether anything would serve the radar.
    pub served: bool,
    /// Whether everything was looked at in time.
    pub complete: bool,
    /// What a reader should know, in a sentence.
    pub note: Option<String>,
    /// Where it would look.
    pub sources: Vec<PreviewSource<'a>>,
    /// What is there now.
    pub items: ItemCounts,
    /// The newest of what it would report, as the `content` of findings.
    pub findings: Vec<Value>,
    /// What it would cost; `None` for a type that has no price and cannot be created.
    pub price: Option<PriceRecord>,
    /// What a month may bring.
    pub month: MonthRecord,
}

closed! {
    /// The result of a look at a source.
    SourceState {
        /// It was read.
        Read = "read",
        /// It could not be read.
        Failed = "failed",
        /// It did not answer in time.
        TooSlow = "too_slow",
        /// It is a provider that hands findings in.
        Pushed = "pushed",
    }
}

/// A feed that would serve the radar, or a provider.
#[derive(Debug, Serialize)]
pub struct PreviewSource<'a> {
    /// The source.
    pub source_id: String,
    /// Its name for people.
    pub name: &'a str,
    /// The result of the look at it.
    #[serde(serialize_with = "as_word")]
    pub state: SourceState,
    /// How many items it shows; null where it could not be read.
    pub items: Option<usize>,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// Counts of items.
#[derive(Debug, Serialize)]
pub struct ItemCounts {
    total: usize,
    wanted: usize,
    cut: CutRecord,
}

#[derive(Debug, Serialize)]
struct CutRecord {
    departments: usize,
    seniorities: usize,
    job_titles: usize,
    countries: usize,
    keyword: usize,
}

/// An estimate.
#[derive(Debug, Serialize)]
pub struct MonthRecord {
    findings: Option<u64>,
    cost_usd: Option<Usd>,
    basis: String,
}

impl ItemCounts {
    /// Of `total` items, `wanted` are not cut.
    pub fn new(total: usize, wanted: usize, cuts: Cuts) -> Self {
        let Cuts { departments, seniorities, job_titles, countries, keyword } = cuts;
        Self { total, wanted, cut: CutRecord { departments, seniorities, job_titles, countries, keyword } }
    }
}

impl MonthRecord {
    /// The estimate that `rate` allows at `price`.
    pub fn of(rate: Rate, price: Option<&Price>) -> Self {
        let (findings, basis) = match rate {
            Rate::PerMonth { findings, dates, since } => {
                (Some(findings), format!("told from the dates of {dates} items, counted since {since}"))
            }
            Rate::Undated => (None, "cannot be told: most items bear no date".to_owned()),
            Rate::TooFew => (None, "cannot be told: there are too few items, or too recent ones".to_owned()),
        };
        Self { findings, cost_usd: price.and_then(|price| rate.cost(price)).map(Usd), basis }
    }
}

fn as_word<S: serde::Serializer>(state: &SourceState, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(state.as_str())
}

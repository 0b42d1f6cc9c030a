//! The `data` of `POST /v1/radars/preview`.

use serde_json::Value;

use super::radar_types::PriceRecord;
use crate::money::Usd;
use crate::record::{records, words};
use crate::shapes::{allowed, list, object};
use domain::{Cuts, Price, RadarType, Rate, closed};

/// Findings that a preview shows at most.
pub const SHOWN_MAX: usize = 5;

records! {
    /// What a radar would find.
    #[derive(Debug)]
    pub struct PreviewRecord<'a> {
        /// The type.
        pub radar_type: RadarType,
        /// Whether anything was found that would serve the radar.
        pub served: bool,
        /// Whether everything was looked at in time.
        pub complete: bool,
        /// What is missing and why, in a sentence.
        pub note: Option<String>,
        /// Where it would look.
        pub sources: Vec<PreviewSource<'a>>,
        /// What is there now, whether new or not.
        pub items: ItemCounts,
        /// The newest of what it would report now.
        pub findings: Vec<Value> = |about| {
            let content = object("The `content` of a finding of the type.").additional_properties(allowed());
            list(content, about).max_items(Some(SHOWN_MAX))
        },
        /// What it costs the account now; null for a type that has no price and cannot be created.
        pub price: Option<PriceRecord>,
        /// What 30 days may bring, at the rate seen.
        pub month: MonthRecord,
    }
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

words!(SourceState);

records! {
    /// A source.
    #[derive(Debug)]
    pub struct PreviewSource<'a> {
        /// Its identifier.
        pub source_id: String,
        /// Its name.
        pub name: &'a str,
        /// Whether it was read; `pushed` for a provider that hands findings in.
        pub state: SourceState,
        /// What it shows of the target; null where it was not read.
        pub items: Option<usize>,
        /// Why it could not be read.
        pub error: Option<String>,
    }

    /// Counts of items.
    #[derive(Debug)]
    pub struct ItemCounts {
        /// All items.
        total: usize,
        /// Those that the radar would report if they were new.
        wanted: usize,
        /// What each field of the request keeps out.
        cut: CutRecord,
    }

    /// Counts of items by what keeps them out.
    #[derive(Debug)]
    struct CutRecord {
        /// What `departments` keeps out, alone or with others.
        departments: usize,
        /// What `seniorities` keeps out, alone or with others.
        seniorities: usize,
        /// What `job_titles` keeps out, alone or with others.
        job_titles: usize,
        /// What `countries` keeps out, alone or with others.
        countries: usize,
        /// What `keyword` keeps out, alone or with others.
        keyword: usize,
    }

    /// An estimate.
    #[derive(Debug)]
    pub struct MonthRecord {
        /// Findings; null where that cannot be told.
        findings: Option<u64>,
        /// What they cost, in USD; null where that cannot be told.
        cost_usd: Option<Usd>,
        /// What this is told from, or why it cannot be told.
        basis: String,
    }
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

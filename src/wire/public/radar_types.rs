//! The `data` of `GET /v1/radar-types` (Spec 2.1; decisions 4.2, 7.5).

use serde::Serialize;

use crate::domain::money::pricing::Price;
use crate::domain::radar_type::RadarType;
use crate::wire::money::Usd;

/// A radar type: whether it finds anything here, and what it costs.
#[derive(Debug, Serialize)]
pub struct RadarTypeRecord<'a> {
    radar_type: &'static str,
    category: &'static str,
    filterable: bool,
    served: bool,
    served_if: Option<&'static str>,
    sources: Vec<ServingSource<'a>>,
    price: Option<PriceRecord>,
}

/// An enabled source of a radar type.
#[derive(Debug, Serialize)]
pub struct ServingSource<'a> {
    /// Its identifier.
    pub source_id: &'a str,
    /// Its name for people.
    pub name: &'a str,
    /// Words that must go with what comes from it.
    pub attribution: Option<&'a str>,
}

/// What a radar type costs.
#[derive(Debug, Serialize)]
pub struct PriceRecord {
    model: &'static str,
    rate_usd: Usd,
    grace_period: &'static str,
}

impl<'a> RadarTypeRecord<'a> {
    /// The record of a type with its enabled sources, the condition under which they serve a target, and what it costs the
    /// account now.
    pub fn of(
        radar_type: RadarType,
        sources: Vec<ServingSource<'a>>,
        served_if: Option<&'static str>,
        price: Option<Price>,
    ) -> Self {
        Self {
            radar_type: radar_type.as_str(),
            category: radar_type.category().as_str(),
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
        Self { model: price.model.as_str(), rate_usd: Usd(price.rate), grace_period: price.grace_period.as_str() }
    }
}

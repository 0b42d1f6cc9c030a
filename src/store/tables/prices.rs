//! The prices of accounts of their own.

use chrono::{DateTime, Utc};
use entity::price;

use super::stored::overwritten;
use crate::database::rows;
use crate::{OwnPrice, Result};
use domain::money::pricing::configured_findings_per_day;
use domain::{AccountId, DefaultPrices, MicroUsd, Price, RadarType};

const TABLE: &str = "price";

overwritten! {
    /// The price of the same instant is replaced.
    price {
        Key: account_id, radar_type, effective_from;
        Kept: created_at;
        Replaced: model, rate_micros, grace_period, findings_per_day;
    }
}

/// A price, with the configured bound of a day where it says none of its own.
pub(crate) fn price(row: price::Model, defaults: &DefaultPrices) -> Result<OwnPrice> {
    let radar_type: RadarType = rows::closed(TABLE, &row.radar_type)?;
    let own_bound = row.findings_per_day.and_then(|bound| u32::try_from(bound).ok());
    let price = Price {
        model: rows::closed(TABLE, &row.model)?,
        rate: MicroUsd::from_micros(row.rate_micros),
        grace_period: rows::closed(TABLE, &row.grace_period)?,
        findings_per_day: own_bound.unwrap_or_else(|| configured_findings_per_day(defaults, radar_type)),
    };
    Ok(OwnPrice { radar_type, effective_from: rows::instant(TABLE, row.effective_from)?, price, own_bound })
}

pub(crate) fn price_row(account_id: AccountId, own: &OwnPrice, now: DateTime<Utc>) -> price::Model {
    price::Model {
        account_id: account_id.0,
        radar_type: own.radar_type.as_str().to_owned(),
        effective_from: own.effective_from.timestamp_micros(),
        model: own.price.model.as_str().to_owned(),
        rate_micros: own.price.rate.micros(),
        grace_period: own.price.grace_period.as_str().to_owned(),
        created_at: now.timestamp_micros(),
        findings_per_day: own.own_bound.map(i64::from),
    }
}

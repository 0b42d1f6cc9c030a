//! The prices of an account's own.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::operator::values::RawFields;
use crate::parameters::{Parameters, instant};
use domain::money::pricing::FINDINGS_PER_DAY_MAX;
use domain::{FieldError, Fields, GracePeriod, Price, PricingModel};

/// A price that is to be set.
#[derive(Debug)]
pub struct WantedPrice {
    /// The price.
    pub price: Price,
    /// Its own bound of a day; `None` where the configured one holds.
    pub own_bound: Option<u32>,
    /// From when on it holds; `None` for now.
    pub effective_from: Option<DateTime<Utc>>,
}

/// Reads the query of `GET /operator/v1/accounts/{id}/prices`: whether what is paid now is asked for.
pub fn is_in_force(raw: &str) -> Result<bool, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["in_force"]);
    let is_in_force = parameters.flag("in_force");
    parameters.finish(is_in_force)
}

/// Reads a price of a radar type whose configured bound of a day is `configured_bound`.
pub fn parse(configured_bound: u32, body: &Value, text: &[u8]) -> Result<WantedPrice, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["model", "rate_usd", "grace_period", "findings_per_day", "effective_from"]);
    let model = fields.required("model", str::parse::<PricingModel>);
    let rate = RawFields::of(text).amount(&mut fields, "rate_usd");
    let grace_period = fields.parsed("grace_period", str::parse::<GracePeriod>);
    let effective_from = fields.parsed("effective_from", instant);
    let grace_period = grace_period.unwrap_or(GracePeriod::None);
    let own_bound = fields.count("findings_per_day", FINDINGS_PER_DAY_MAX);
    let findings_per_day = own_bound.unwrap_or(configured_bound);
    let price = |(model, rate)| Price { model, rate, grace_period, findings_per_day };
    let wanted = |model_and_rate| WantedPrice { price: price(model_and_rate), own_bound, effective_from };
    fields.finish(model.zip(rate).map(wanted))
}

#[cfg(test)]
mod tests {
    use super::{WantedPrice, parse};
    use domain::{FieldError, GracePeriod, MicroUsd, PricingModel};

    fn read(text: &str) -> Result<WantedPrice, Vec<FieldError>> {
        parse(9, &serde_json::from_str(text).expect("JSON"), text.as_bytes())
    }

    #[test]
    fn reads_a_price_and_lists_what_is_wrong() {
        let WantedPrice { price, own_bound, effective_from } =
            read(r#"{"model": "update_based", "rate_usd": 0.01}"#).expect("a price");
        assert_eq!((price.model, price.rate), (PricingModel::UpdateBased, MicroUsd::from_micros(10_000)));
        assert_eq!((price.grace_period, effective_from), (GracePeriod::None, None));
        assert_eq!((price.findings_per_day, own_bound), (9, None), "the configured bound");
        let wanted = read(r#"{"model": "update_based", "rate_usd": 0, "findings_per_day": 7}"#).expect("a price");
        assert_eq!((wanted.price.findings_per_day, wanted.own_bound), (7, Some(7)));
        for wrong in ["0", "-1", "1.5", "\"7\"", "1000001"] {
            let text = format!(r#"{{"model": "update_based", "rate_usd": 0, "findings_per_day": {wrong}}}"#);
            assert_eq!(read(&text).expect_err("a rejection")[0].field, "findings_per_day", "{wrong}");
        }
        let errors = read(r#"{"model": "free", "rate_usd": -1, "grace_period": 3, "from": 1}"#);
        let errors = errors.expect_err("a rejection");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["from", "model", "rate_usd", "grace_period"]);
    }
}

//! `/operator/v1/accounts/{id}/prices`: what an account pays, from when on (decision 4.2).

use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::domain::limits::OWN_PRICES_MAX;
use crate::domain::money::pricing::Price;
use crate::domain::radar::radar_type::RadarType;
use crate::domain::radar::{GracePeriod, PricingModel};
use crate::domain::rejection::{FieldError, Rejection};
use crate::operator::accounts::found;
use crate::operator::call::Call;
use crate::store::OwnPrice;
use crate::web::call::Answer;
use crate::web::call::Body;
use crate::web::errors::Failure;
use crate::wire::fields::Fields;
use crate::wire::money::Usd;
use crate::wire::operator::values::{RawFields, instant, word};
use crate::wire::time::Instant;

/// A price of an account's own.
#[derive(Debug, Serialize)]
struct PriceRecord {
    radar_type: &'static str,
    model: &'static str,
    rate_usd: Usd,
    grace_period: &'static str,
    effective_from: Instant,
}

/// `PUT /operator/v1/accounts/{id}/prices/{radar_type}`
pub(crate) async fn set(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let radar_type: RadarType =
        call.segment("radar_type").parse().map_err(|error| Failure::invalid("radar_type", error))?;
    let (price, effective_from) = parse(&call.body().await?)?;
    let now = call.now();
    let own = OwnPrice { radar_type, effective_from: effective_from.unwrap_or(now), price };
    found(&call, account_id).await?;
    let prices = call.state.shared.store.prices(account_id).await?;
    let is_known = |known: &OwnPrice| (known.radar_type, known.effective_from) == (radar_type, own.effective_from);
    if prices.len() >= OWN_PRICES_MAX && !prices.iter().any(is_known) {
        let reason = format!("an account has at most {OWN_PRICES_MAX} prices of its own, past ones among them");
        return Err(Rejection::Conflict(FieldError::new("effective_from", reason)).into());
    }
    call.state.shared.store.set_price(account_id, own, now).await?;
    call.data(200, "Price set", PriceRecord::of(own))
}

/// `GET /operator/v1/accounts/{id}/prices`
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let account_id = call.account_id()?;
    found(&call, account_id).await?;
    let prices = call.state.shared.store.prices(account_id).await?;
    call.data(200, "Prices", prices.into_iter().map(PriceRecord::of).collect::<Vec<_>>())
}

impl PriceRecord {
    fn of(own: OwnPrice) -> Self {
        Self {
            radar_type: own.radar_type.as_str(),
            model: own.price.model.as_str(),
            rate_usd: Usd(own.price.rate),
            grace_period: own.price.grace_period.as_str(),
            effective_from: Instant(own.effective_from),
        }
    }
}

fn parse(body: &Body) -> Result<(Price, Option<DateTime<Utc>>), Vec<FieldError>> {
    let mut fields = Fields::of(&body.value)?;
    fields.refuse_unknown(&["model", "rate_usd", "grace_period", "effective_from"]);
    let models: Vec<&str> = PricingModel::ALL.iter().map(|model| model.as_str()).collect();
    let model = fields.required("model", |text| word(text, PricingModel::from_stored, &models));
    let rate = RawFields::of(&body.text).amount(&mut fields, "rate_usd");
    let periods: Vec<&str> = GracePeriod::ALL.iter().map(|period| period.as_str()).collect();
    let grace_period = fields.parsed("grace_period", |text| word(text, GracePeriod::from_stored, &periods));
    let effective_from = fields.parsed("effective_from", instant);
    let grace_period = grace_period.unwrap_or(GracePeriod::None);
    let price = model.zip(rate).map(|(model, rate)| (Price { model, rate, grace_period }, effective_from));
    fields.finish(price)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::domain::money::MicroUsd;
    use crate::domain::radar::{GracePeriod, PricingModel};
    use crate::web::call::Body;

    fn body(text: &'static str) -> Body {
        Body { text: text.into(), value: serde_json::from_str(text).expect("JSON") }
    }

    #[test]
    fn reads_a_price_and_lists_what_is_wrong() {
        let (price, from) = parse(&body(r#"{"model": "update_based", "rate_usd": 0.01}"#)).expect("a price");
        assert_eq!((price.model, price.rate), (PricingModel::UpdateBased, MicroUsd::from_micros(10_000)));
        assert_eq!((price.grace_period, from), (GracePeriod::None, None));
        let errors = parse(&body(r#"{"model": "free", "rate_usd": -1, "grace_period": 3, "from": 1}"#));
        let errors = errors.expect_err("a refusal");
        let offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(offending, ["from", "model", "rate_usd", "grace_period"]);
    }
}

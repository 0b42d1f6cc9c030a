//! `/operator/v1/accounts/{id}/prices`: what an account pays, from when on (decision 4.2).

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::field_limits::OWN_PRICES_MAX;
use domain::{Price, RadarType};
use store::OwnPrice;
use wire::operator::money::prices::{self, WantedPrice};
use wire::{Instant, Usd, object};

/// `PUT /operator/v1/accounts/{id}/prices/{radar_type}`
pub(crate) async fn set(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let radar_type: RadarType =
        call.segment("radar_type").parse().map_err(|error| Failure::invalid("radar_type", error))?;
    let body = call.body().await?;
    let configured_bound = call.store().configured_findings_per_day(radar_type);
    let WantedPrice { price, own_bound, effective_from } = prices::parse(configured_bound, &body.value, &body.text)?;
    let now = call.now();
    let own = OwnPrice { radar_type, effective_from: effective_from.unwrap_or(now), price, own_bound };
    call.account(account_id).await?;
    if !call.store().set_price(account_id, own, now).await? {
        let reason = format!("an account has at most {OWN_PRICES_MAX} prices of its own, past ones among them");
        return Err(Failure::conflict("effective_from", reason));
    }
    call.data(200, "Price set", record(own))
}

/// `GET /operator/v1/accounts/{id}/prices`: those of its own, past and future ones among them; with `in_force=true` what it
/// pays now for every type.
pub(crate) async fn list(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let is_in_force = prices::is_in_force(call.query())?;
    call.account(account_id).await?;
    let prices = call.store().prices(account_id).await?;
    if is_in_force {
        let (now, list) = (call.now(), call.store().price_list(account_id).await?);
        let of_type = |&radar_type: &RadarType| {
            let price = list.at(radar_type, now)?;
            let own = prices.iter().filter(|own| own.radar_type == radar_type && own.effective_from <= now);
            let effective_from = own.map(|own| own.effective_from).max();
            Some(object! {
                #[serde(flatten)]
                price: price_record(radar_type, price),
                // Null where the account has no price of its own, so that the configured one holds.
                effective_from: effective_from.map(Instant),
            })
        };
        return call.data(200, "Prices in force", RadarType::ALL.iter().filter_map(of_type).collect::<Vec<_>>());
    }
    call.data(200, "Prices", prices.into_iter().map(record).collect::<Vec<_>>())
}

fn record(OwnPrice { radar_type, effective_from, price, .. }: OwnPrice) -> impl Serialize {
    object! { #[serde(flatten)] price: price_record(radar_type, price), effective_from: Instant(effective_from) }
}

fn price_record(radar_type: RadarType, price: Price) -> impl Serialize {
    object! {
        radar_type,
        model: price.model,
        rate_usd: Usd(price.rate),
        grace_period: price.grace_period,
        #[serde(flatten)]
        bound: price.bound().map(|bound| object! { findings_per_day: bound }),
    }
}

//! What each tool asks of the public API. What costs money or ends something is done only when it is confirmed.

use serde_json::{Value, json};
use uuid::Uuid;

use super::api::{Api, Outcome};
use super::schemas::Arguments;
use domain::{Category, RadarType};

const TYPES: &str = "/v1/radar-types";

pub(super) async fn list_radar_types(api: Api, arguments: Arguments) -> Outcome {
    api.get(TYPES, &arguments).await
}

pub(super) async fn preview_radar(api: Api, arguments: Arguments) -> Outcome {
    api.post("/v1/radars/preview", arguments, None).await
}

pub(super) async fn list_radars(api: Api, arguments: Arguments) -> Outcome {
    api.get("/v1/radars", &arguments).await
}

pub(super) async fn list_updates(api: Api, arguments: Arguments) -> Outcome {
    api.get("/v1/updates", &arguments).await
}

pub(super) async fn get_radar_health(api: Api, mut arguments: Arguments) -> Outcome {
    let path = format!("{}/health", path_of(&mut arguments)?);
    api.get(&path, &arguments).await
}

/// The price is asked for together with the word, so that nobody agrees to one that they have not seen: the same rate is another
/// price per month than per finding.
pub(super) async fn create_radar(api: Api, mut arguments: Arguments) -> Outcome {
    let confirmed = is_confirmed(&mut arguments);
    let rate = arguments.remove("rate_usd").as_ref().and_then(Value::as_f64);
    let model = arguments.remove("model").unwrap_or_default();
    let key = arguments.remove("idempotency_key").filter(|key| !key.is_null());
    let key = key.map(|key| key.as_str().unwrap_or_default().to_owned());
    let radar_type = radar_type(arguments.get("radar_type"))?;
    let price = price(&api, radar_type).await?;
    let is_agreed = rate.is_some() && rate == price["rate_usd"].as_f64() && model == price["model"];
    if !confirmed || !is_agreed {
        let next = match price {
            Value::Null => "This call created nothing: the type has no price here.".to_owned(),
            _ => format!(
                "This call created nothing. Show the price to the user; once they agree, call again with confirm = true, \
                 model = {} and rate_usd = {}.",
                price["model"], price["rate_usd"]
            ),
        };
        return Ok(json!({"created": false, "price": price, "next": next}));
    }
    let path = match radar_type.category() {
        Category::Company => "/v1/radars/companies",
        Category::Contact => "/v1/radars/contacts",
        Category::Industry => "/v1/radars/industry",
    };
    let mut answer = api.post(path, arguments, key).await?;
    Ok(json!({"created": true, "price": price, "radar": answer["data"].take()}))
}

pub(super) async fn deactivate_radar(api: Api, mut arguments: Arguments) -> Outcome {
    let confirmed = is_confirmed(&mut arguments);
    let path = path_of(&mut arguments)?;
    let mut answer = if confirmed { api.delete(&path).await? } else { api.get(&path, &arguments).await? };
    let radar = answer["data"].take();
    let price = price(&api, radar_type(radar.get("radar_type"))?).await?;
    let mut outcome = json!({"deactivated": confirmed, "price": price, "radar": radar});
    if !confirmed {
        outcome["next"] =
            "This call ended nothing. Show the radar to the user; once they agree, call again with confirm = true."
                .into();
    }
    Ok(outcome)
}

/// What a radar of the type costs the account now.
async fn price(api: &Api, radar_type: RadarType) -> Outcome {
    let types = api.get(TYPES, &Arguments::new()).await?;
    let of_type = types["data"].as_array().into_iter().flatten().find(|one| one["radar_type"] == radar_type.as_str());
    Ok(of_type.map_or(Value::Null, |one| one["price"].clone()))
}

fn is_confirmed(arguments: &mut Arguments) -> bool {
    arguments.remove("confirm") == Some(Value::Bool(true))
}

fn radar_type(value: Option<&Value>) -> Result<RadarType, Value> {
    let word = value.and_then(Value::as_str).unwrap_or_default();
    word.parse::<RadarType>().map_err(|error| wrong("radar_type", error))
}

/// The path of the radar that the arguments name.
fn path_of(arguments: &mut Arguments) -> Result<String, Value> {
    let text = arguments.remove("radar_id");
    let id = text.as_ref().and_then(Value::as_str).and_then(|text| Uuid::try_parse(text).ok());
    id.map(|id| format!("/v1/radars/{id}")).ok_or_else(|| wrong("radar_id", "must be a UUID"))
}

/// An argument that the API is not even asked with.
fn wrong(field: &str, reason: impl ToString) -> Value {
    json!({"status": "error", "errors": [{"field": field, "reason": reason.to_string()}]})
}

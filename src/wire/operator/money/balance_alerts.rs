//! The settings of an account's balance alerts.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::money;
use crate::operator::values::RawFields;
use domain::delivery::webhook_url;
use domain::money::balance_alert::THRESHOLDS_MAX;
use domain::{BalanceAlerts, FieldError, Fields, IsForbidden, MicroUsd};

/// Reads the settings.
pub fn parse(body: &Value, text: &[u8], is_forbidden: IsForbidden<'_>) -> Result<BalanceAlerts, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["webhook_url", "thresholds_usd"]);
    if fields.get("webhook_url").is_none() {
        fields.refuse("webhook_url", "is required");
    }
    let webhook_url = fields.webhook_url(is_forbidden);
    let thresholds = thresholds(&mut fields, RawFields::of(text).raw("thresholds_usd"));
    let alerts = webhook_url.zip(thresholds);
    fields.finish(alerts.map(|(accepted, thresholds)| {
        let webhook_url = webhook_url::normalised(&accepted);
        BalanceAlerts { webhook_url, thresholds }
    }))
}

fn thresholds(fields: &mut Fields<'_>, raw: Option<&RawValue>) -> Option<Vec<MicroUsd>> {
    const NAME: &str = "thresholds_usd";
    let given: Option<Vec<Box<RawValue>>> = raw.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let given = given.filter(|given| (1..=THRESHOLDS_MAX).contains(&given.len()));
    let Some(given) = given else {
        fields.refuse(NAME, format!("must be an array of 1 to {THRESHOLDS_MAX} amounts"));
        return None;
    };
    let mut thresholds: Vec<MicroUsd> = Vec::new();
    for raw in given {
        match money::read(&raw) {
            Ok(threshold) if threshold.is_zero() => fields.refuse(NAME, "must be more than 0"),
            Ok(threshold) if thresholds.contains(&threshold) => fields.refuse(NAME, "must not repeat an amount"),
            Ok(threshold) => thresholds.push(threshold),
            Err(error) => fields.refuse(NAME, error),
        }
    }
    thresholds.sort_unstable_by(|one, other| other.cmp(one));
    Some(thresholds)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::parse;
    use domain::{BalanceAlerts, FieldError, MicroUsd};

    fn read(body: &Value) -> Result<BalanceAlerts, Vec<FieldError>> {
        parse(body, body.to_string().as_bytes(), &|_| false)
    }

    #[test]
    fn thresholds_are_amounts_and_each_error_is_named() {
        let url = "https://receiver.example/alerts";
        let alerts = read(&json!({"webhook_url": url, "thresholds_usd": ["1", 10, "5.5"]})).expect("settings");
        let micros: Vec<i64> = alerts.thresholds.into_iter().map(MicroUsd::micros).collect();
        assert_eq!(micros, [10_000_000, 5_500_000, 1_000_000]);
        for (thresholds, count) in [
            (json!([]), 1),
            (json!("5"), 1),
            (json!(["0"]), 1),
            (json!(["1", 1]), 1),
            (json!(["-1", "x", true]), 3),
            (json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), 1),
        ] {
            let body = json!({"webhook_url": url, "thresholds_usd": thresholds});
            let errors = read(&body).expect_err("errors");
            assert_eq!(errors.len(), count, "{thresholds}: {errors:?}");
            assert!(errors.iter().all(|error| error.field == "thresholds_usd"), "{errors:?}");
        }
        let errors = read(&json!({"url": url})).expect_err("errors");
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["url", "webhook_url", "thresholds_usd"]);
    }
}

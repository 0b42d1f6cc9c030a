//! `…/accounts/{id}/balance-alerts`: whom to tell that an account's balance runs low, and below what.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::domain::delivery::webhook_url::{self, IsForbidden};
use crate::domain::ids::AccountId;
use crate::domain::money::MicroUsd;
use crate::domain::money::balance_alert::{BalanceAlert, BalanceAlerts, THRESHOLDS_MAX};
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::operator::accounts::found;
use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::call::Body;
use crate::wire::fields::Fields;
use crate::wire::money::{self, Usd};
use crate::wire::operator::values::RawFields;
use crate::wire::time::Instant;

/// How many of the last alerts are shown.
const SHOWN: u64 = 20;

/// The settings, and the last alerts that they gave.
#[derive(Debug, Serialize)]
struct AlertsRecord {
    webhook_url: Option<String>,
    thresholds_usd: Vec<Usd>,
    last_alerts: Vec<AlertRecord>,
}

#[derive(Debug, Serialize)]
struct AlertRecord {
    alert_id: Uuid,
    threshold_usd: Usd,
    balance_usd: Usd,
    crossed_at: Instant,
}

/// Shows the settings and the last alerts.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let account_id = call.account_id()?;
    found(&call, account_id).await?;
    answer(&call, account_id, "Balance alerts").await
}

/// Replaces the settings.
pub(crate) async fn set(mut call: Call) -> Answer {
    let body = call.body().await?;
    let alerts = parse(&body, &|host| !call.state.shared.guard.permits_host(host))?;
    change(&call, Some(&alerts), "Balance alerts set").await
}

/// Removes the settings.
pub(crate) async fn remove(call: Call) -> Answer {
    call.no_query()?;
    change(&call, None, "Balance alerts removed").await
}

async fn change(call: &Call, alerts: Option<&BalanceAlerts>, message: &str) -> Answer {
    let account_id = call.account_id()?;
    if !call.state.shared.store.set_balance_alerts(account_id, alerts).await? {
        return Err(Rejection::NotFound(Missing::Account).into());
    }
    answer(call, account_id, message).await
}

async fn answer(call: &Call, account_id: AccountId, message: &str) -> Answer {
    let alerts = call.state.shared.store.balance_alerts(account_id).await?;
    let last = call.state.shared.store.last_alerts(account_id, SHOWN).await?;
    let (webhook_url, thresholds) = alerts.map(|alerts| (alerts.webhook_url, alerts.thresholds)).unzip();
    let record = AlertsRecord {
        webhook_url,
        thresholds_usd: thresholds.unwrap_or_default().into_iter().map(Usd).collect(),
        last_alerts: last.into_iter().map(AlertRecord::of).collect(),
    };
    call.data(200, message, record)
}

impl AlertRecord {
    fn of(alert: BalanceAlert) -> Self {
        Self {
            alert_id: alert.alert_id.0,
            threshold_usd: Usd(alert.threshold),
            balance_usd: Usd(alert.balance),
            crossed_at: Instant(alert.crossed_at),
        }
    }
}

fn parse(body: &Body, is_forbidden: IsForbidden<'_>) -> Result<BalanceAlerts, Vec<FieldError>> {
    let mut fields = Fields::of(&body.value)?;
    fields.refuse_unknown(&["webhook_url", "thresholds_usd"]);
    if fields.get("webhook_url").is_none() {
        fields.refuse("webhook_url", "is required");
    }
    let webhook_url = fields.webhook_url(is_forbidden);
    let thresholds = thresholds(&mut fields, RawFields::of(&body.text).raw("thresholds_usd"));
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
    use crate::domain::money::MicroUsd;
    use crate::web::call::Body;

    fn body(value: Value) -> Body {
        Body { text: value.to_string().into(), value }
    }

    #[test]
    fn thresholds_are_amounts_and_each_fault_is_named() {
        let url = "https://receiver.example/alerts";
        let good = body(json!({"webhook_url": url, "thresholds_usd": ["1", 10, "5.5"]}));
        let alerts = parse(&good, &|_| false).expect("settings");
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
            let body = body(json!({"webhook_url": url, "thresholds_usd": thresholds}));
            let errors = parse(&body, &|_| false).expect_err("errors");
            assert_eq!(errors.len(), count, "{thresholds}: {errors:?}");
            assert!(errors.iter().all(|error| error.field == "thresholds_usd"), "{errors:?}");
        }
        let errors = parse(&body(json!({"url": url})), &|_| false).expect_err("errors");
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["url", "webhook_url", "thresholds_usd"]);
    }
}

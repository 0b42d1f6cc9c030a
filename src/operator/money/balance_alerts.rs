//! `…/accounts/{id}/balance-alerts`: where alerts about a low balance are sent, and below which balances.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::{AccountId, BalanceAlert, BalanceAlerts, Missing};
use wire::operator::money::balance_alerts;
use wire::{Instant, Usd, object};

/// How many of the last alerts are shown.
const SHOWN: u64 = 20;

/// Shows the settings and the last alerts.
pub(crate) async fn show(call: Call) -> Answer {
    let account_id = call.existing_account().await?.account_id;
    answer(&call, account_id, "Balance alerts").await
}

/// Replaces the settings.
pub(crate) async fn set(mut call: Call) -> Answer {
    let body = call.body().await?;
    let guard = &call.shared().guard;
    let alerts = balance_alerts::parse(&body.value, &body.text, &|host| !guard.permits_host(host))?;
    change(&call, Some(&alerts), "Balance alerts set").await
}

/// Removes the settings.
pub(crate) async fn remove(call: Call) -> Answer {
    call.no_query()?;
    change(&call, None, "Balance alerts removed").await
}

async fn change(call: &Call, alerts: Option<&BalanceAlerts>, message: &str) -> Answer {
    let account_id = call.account_id()?;
    if !call.store().set_balance_alerts(account_id, alerts).await? {
        return Err(Missing::Account.into());
    }
    answer(call, account_id, message).await
}

async fn answer(call: &Call, account_id: AccountId, message: &str) -> Answer {
    let alerts = call.store().balance_alerts(account_id).await?;
    let last = call.store().last_alerts(account_id, SHOWN).await?;
    let (webhook_url, thresholds) = alerts.map(|alerts| (alerts.webhook_url, alerts.thresholds)).unzip();
    let record = object! {
        webhook_url,
        thresholds_usd: thresholds.unwrap_or_default().into_iter().map(Usd).collect::<Vec<_>>(),
        last_alerts: last.into_iter().map(alert_record).collect::<Vec<_>>(),
    };
    call.data(200, message, record)
}

fn alert_record(alert: BalanceAlert) -> impl Serialize {
    object! {
        alert_id: alert.alert_id,
        threshold_usd: Usd(alert.threshold),
        balance_usd: Usd(alert.balance),
        crossed_at: Instant(alert.crossed_at),
    }
}

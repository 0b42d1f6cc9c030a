//! What the operator has set about an account's money: the month's cap, and alerts about the balance.

use entity::{account, balance_alert};
use sea_orm::{EntityTrait, Set};

use crate::tables::accounts::balance_alerts;
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::{AccountId, BalanceAlert, BalanceAlerts, MicroUsd, Month};

impl Store {
    /// Sets or removes the most that an account may spend in a month before its findings are held; `false` when there is
    /// no such account.
    pub async fn set_spend_cap(&self, account_id: AccountId, cap: Option<MicroUsd>) -> Result<bool> {
        let spend_cap_micros = Set(cap.map(MicroUsd::micros));
        self.set_of_account(account_id, account::ActiveModel { spend_cap_micros, ..Default::default() }).await
    }

    /// An account's cap, and what it has spent in `month`: charges less refunds of those charges.
    pub async fn spend_cap(&self, account_id: AccountId, month: Month) -> Result<(Option<MicroUsd>, MicroUsd)> {
        let cap = "select spend_cap_micros, coalesce((select used_micros from usage_month u
            where u.account_id = account.account_id and u.month = ?), 0) from account where account_id = ?";
        Ok(self.first(cap, (month.to_string(), account_id)).await?.unwrap_or((None, MicroUsd::ZERO)))
    }

    /// Sets or removes the receiver of alerts that the balance runs low; `false` when there is no such account.
    pub async fn set_balance_alerts(&self, account_id: AccountId, alerts: Option<&BalanceAlerts>) -> Result<bool> {
        let thresholds = alerts.map(|alerts| {
            let micros: Vec<i64> = alerts.thresholds.iter().map(|threshold| threshold.micros()).collect();
            serde_json::Value::from(micros).to_string()
        });
        let row = account::ActiveModel {
            alert_url: Set(alerts.map(|alerts| alerts.webhook_url.clone())),
            alert_thresholds: Set(thresholds),
            ..Default::default()
        };
        self.set_of_account(account_id, row).await
    }

    /// The receiver of alerts that the balance runs low.
    pub async fn balance_alerts(&self, account_id: AccountId) -> Result<Option<BalanceAlerts>> {
        let row = self.deadline.io(account::Entity::find_by_id(account_id.0).one(&self.read)).await?;
        let Some(row) = row else { return Ok(None) };
        balance_alerts(row.alert_url.as_deref(), row.alert_thresholds.as_deref())
    }

    /// The last alerts of an account, newest first.
    pub async fn last_alerts(&self, account_id: AccountId, limit: u64) -> Result<Vec<BalanceAlert>> {
        let last = "account_id = ? order by tx_seq desc, threshold_micros limit ?";
        let found =
            self.deadline.io(balance_alert::Entity::values_where(&self.read, last, (account_id, limit))).await?;
        Ok(found.into_iter().map(|(alert, _)| alert).collect())
    }
}

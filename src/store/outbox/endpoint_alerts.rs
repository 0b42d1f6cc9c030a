//! Alerts to accounts about their endpoints (decision 5.6).
//!
//! When an alert is due stands in the health of the endpoint, written together with the attempt that made it necessary.
//! Another transaction writes the alert, which mails tell too, its delivery where the account has an address for alerts, and
//! marks it as sent, so that it is sent once, whatever process dies. Lock order: account, health.

use chrono::{DateTime, Utc};
use entity::{account, endpoint, endpoint_alert};
use sea_orm::{EntityTrait, QuerySelect};

use super::endpoint_health::{Endpoints, lock_healths, write_healths};
use crate::database::{IfPresent, Run, WriteTransaction, bulk};
use crate::tables::deliveries;
use crate::tables::stored::Stored;
use crate::{Result, Store, StoreError};
use domain::account::{EndpointState, NewDelivery};
use domain::{AccountId, EndpointAlert, EndpointId};

/// Endpoints that one look sends alerts about.
const LOOK_MAX: u64 = 50;
/// When the next alert is due.
pub(super) const NEXT: &str = "select min(alert_at) from endpoint_health where alert_at is not null";

/// Turns an alert into its payload, once; the bytes are frozen from then on.
pub type RenderEndpointAlert = fn(&EndpointAlert) -> String;

/// What a look for endpoints that need attention has done.
#[derive(Clone, Debug, Default)]
pub struct EndpointAlerts {
    /// What was due, each with whether its account has an address for alerts.
    pub due: Vec<(EndpointAlert, bool)>,
    /// When the next alert is due, if none comes before.
    pub next_at: Option<DateTime<Utc>>,
}

impl Store {
    /// Sends the alerts that are due at `now`.
    pub async fn all_send_endpoint_alerts(
        &self,
        now: DateTime<Utc>,
        render: RenderEndpointAlert,
    ) -> Result<EndpointAlerts> {
        self.deadline
            .io(async {
                let mut next_at = self.next_endpoint_alert_at().await?;
                let mut due = Vec::new();
                if next_at.is_some_and(|next_at| next_at <= now) {
                    for (endpoint_id, account_id) in self.endpoints_with_due_alerts(now).await? {
                        match self.send_endpoint_alert(account_id, endpoint_id, now, render).await {
                            Ok(alert) => due.extend(alert),
                            // One broken row must not keep the alerts of the others waiting.
                            Err(error @ StoreError::Corrupt { .. }) => {
                                tracing::error!(%error, %endpoint_id, "an alert about an endpoint cannot be written");
                            }
                            Err(error) => return Err(error),
                        }
                    }
                    next_at = self.next_endpoint_alert_at().await?.filter(|next_at| *next_at > now || !due.is_empty());
                }
                Ok(EndpointAlerts { due, next_at })
            })
            .await
    }

    async fn next_endpoint_alert_at(&self) -> Result<Option<DateTime<Utc>>> {
        Ok(self.read.first(NEXT, ()).await?.flatten())
    }

    async fn endpoints_with_due_alerts(&self, now: DateTime<Utc>) -> Result<Vec<(EndpointId, AccountId)>> {
        let due = "select endpoint_id, account_id from endpoint_health where alert_at is not null and alert_at <= ?
            order by alert_at limit ?";
        self.read.all(due, (now, LOOK_MAX)).await
    }

    /// Sends the alert about one endpoint; `None` when another process has done so.
    async fn send_endpoint_alert(
        &self,
        account_id: AccountId,
        endpoint_id: EndpointId,
        now: DateTime<Utc>,
        render: RenderEndpointAlert,
    ) -> Result<Option<(EndpointAlert, bool)>> {
        let transaction = self.begin().await?;
        let account = account::Entity::find_by_id(account_id.0).lock_exclusive().one(&transaction).await?;
        let endpoint = endpoint::Entity::find_by_id(endpoint_id.0).one(&transaction).await?;
        let (Some(account), Some(endpoint)) = (account, endpoint) else {
            return Err(StoreError::corrupt("endpoint_health", "an endpoint of nobody"));
        };
        let locked = lock_healths(&transaction, &Endpoints::from([(endpoint_id, account_id)])).await?;
        let health = locked.into_values().next().unwrap_or_default();
        let Some(alert) = EndpointAlert::due(account_id, (endpoint_id, &endpoint.url), &health, now) else {
            transaction.rollback().await?;
            return Ok(None);
        };
        write_healths(&transaction, [((endpoint_id, account_id), health.alerted())]).await?;
        // An alert address that fails gets no alert about itself.
        let told_at = account.endpoint_alert_url.filter(|url| *url != endpoint.url);
        let row = endpoint_alert::Model {
            alert_id: alert.alert_id.0,
            account_id: account_id.0,
            endpoint_id: endpoint_id.0,
            alert_type: alert.alert_type.as_str().to_owned(),
            created_at: alert.created_at.timestamp_micros(),
            body: render(&alert),
        };
        bulk::insert(&transaction, vec![row], IfPresent::fail()).await?;
        if let Some(url) = &told_at {
            enqueue(&transaction, &alert, url, account.update_seq).await?;
        }
        self.faults.pass_or_fail("store.endpoint_alert", &alert.alert_type.as_str())?;
        transaction.commit().await?;
        Ok(Some((alert, told_at.is_some())))
    }
}

/// Writes the delivery of an alert to `url`, under the lock of the account.
async fn enqueue(transaction: &WriteTransaction, alert: &EndpointAlert, url: &str, update_seq: i64) -> Result<()> {
    let &EndpointAlert { account_id, alert_id, created_at, .. } = alert;
    let endpoint_id = EndpointId::of(account_id, url);
    let known = endpoint::Entity::find_by_id(endpoint_id.0).one(transaction).await?;
    let sequence = known.map_or(0, |known| known.head_sequence) + 1;
    let endpoint = EndpointState { endpoint_id, head_sequence: sequence, created_at };
    let endpoint = endpoint::Entity::row((account_id, (url.to_owned(), endpoint)));
    let delivery = NewDelivery {
        update_id: alert_id,
        update_seq,
        published_at: created_at,
        endpoint_id,
        sequence,
        formatted: None,
        trace: None,
    };
    let delivery = deliveries::new_delivery_row(account_id, &delivery, created_at);
    bulk::insert(transaction, vec![endpoint], IfPresent::overwrite()).await?;
    bulk::insert(transaction, vec![delivery], IfPresent::fail()).await
}

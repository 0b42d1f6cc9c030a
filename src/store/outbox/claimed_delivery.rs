//! A claimed delivery, with everything that its sending needs.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use entity::delivery;
use uuid::Uuid;

use crate::Result;
use crate::database::rows;
use crate::secrets::webhook_secrets::EncryptedSecrets;
use crate::tables::deliveries;
use domain::delivery::Delivery;
use domain::{AccountId, EndpointId, Trace, UpdateId, WebhookFormat};

/// A delivery that this process alone may send until its lease ends.
#[derive(Clone, Debug)]
pub struct ClaimedDelivery {
    /// Whose update it is.
    pub account_id: AccountId,
    /// Where it goes.
    pub endpoint_id: EndpointId,
    /// The delivery as it stood before the claim.
    pub delivery: Delivery,
    /// The update's number at the endpoint.
    pub sequence: i64,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// When its update was published, by the time of its account.
    pub published_at: DateTime<Utc>,
    /// The endpoint's address.
    pub url: Arc<str>,
    /// The form of the payload.
    pub format: WebhookFormat,
    /// The frozen payload.
    pub body: Bytes,
    /// The trace that it belongs to.
    pub trace: Trace,
    /// The account's secrets, encrypted.
    pub secrets: Arc<EncryptedSecrets>,
    /// Counts the claims; a result under an old number is refused.
    pub lease_no: i64,
    /// The node whose claim it is.
    pub claimed_by: Option<Uuid>,
    /// When the claim ends by itself.
    pub lease_until: DateTime<Utc>,
    /// Whether it is the probe of an open breaker.
    pub is_probe: bool,
}

/// What the deliveries of a claim have in common, by identifier.
#[derive(Default)]
pub(super) struct Common {
    pub(super) urls: HashMap<Uuid, Arc<str>>,
    /// Of active accounts only: nothing is attempted for others (decision 4.12).
    pub(super) secrets: HashMap<Uuid, Arc<EncryptedSecrets>>,
}

impl Common {
    /// The delivery of `row` with the next number of its claims; `None` where it has no address or no secrets here.
    pub(super) fn claimed(
        &self,
        row: &delivery::Model,
        body: Bytes,
        (claimed_by, lease_until): (Option<Uuid>, DateTime<Utc>),
        is_probe: bool,
    ) -> Result<Option<ClaimedDelivery>> {
        let (Some(url), Some(secrets)) = (self.urls.get(&row.endpoint_id), self.secrets.get(&row.account_id)) else {
            return Ok(None);
        };
        Ok(Some(ClaimedDelivery {
            account_id: AccountId(row.account_id),
            endpoint_id: EndpointId(row.endpoint_id),
            delivery: deliveries::delivery(row)?,
            sequence: row.sequence,
            created_at: rows::instant("delivery", row.created_at)?,
            published_at: rows::instant("delivery", row.published_at)?,
            url: url.clone(),
            format: row
                .format
                .as_deref()
                .map_or(Ok(WebhookFormat::Standard), |format| rows::closed("delivery", format))?,
            body: row.body.clone().map_or(body, Bytes::from),
            trace: trace(row)?,
            secrets: secrets.clone(),
            lease_no: row.lease_no + 1,
            claimed_by,
            lease_until,
            is_probe,
        }))
    }
}

/// The trace of the request that pushed the finding; without one the update's own.
fn trace(row: &delivery::Model) -> Result<Trace> {
    row.trace.as_deref().map_or(Ok(Trace::of_update(UpdateId(row.update_id))), |trace| rows::closed("delivery", trace))
}

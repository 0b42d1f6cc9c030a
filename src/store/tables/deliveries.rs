//! The outbox: deliveries, and the endpoints that they go to.

use chrono::{DateTime, Utc};
use entity::{delivery, endpoint};

use super::stored::{overwritten, stored};
use crate::Result;
use crate::database::rows;
use domain::account::{EndpointState, NewDelivery};
use domain::delivery::Delivery;
use domain::{AccountId, DeliveryState, UpdateId};

stored! {
    /// Of an endpoint that exists only the sequence goes on.
    endpoint {
        Key: endpoint_id;
        Kept: account_id, url, created_at;
        Replaced: head_sequence;
    }
    (AccountId, (String, EndpointState)) = (account_id, (url, EndpointState { endpoint_id, head_sequence, created_at }))
}

/// How far a delivery has come. Where it belongs and goes is for those who send it, and so are its claims.
pub(crate) fn delivery(row: &delivery::Model) -> Result<Delivery> {
    Ok(Delivery {
        update_id: UpdateId(row.update_id),
        state: rows::closed("delivery", &row.state)?,
        attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        due_at: rows::instant_option("delivery", row.due_at)?,
    })
}

/// A delivery that is due at once.
pub(crate) fn new_delivery_row(account_id: AccountId, new: &NewDelivery, now: DateTime<Utc>) -> delivery::Model {
    delivery::Model {
        update_id: new.update_id.0,
        account_id: account_id.0,
        update_seq: new.update_seq,
        endpoint_id: new.endpoint_id.0,
        sequence: new.sequence,
        state: DeliveryState::Pending.as_str().to_owned(),
        attempts: 0,
        due_at: Some(now.timestamp_micros()),
        lease_until: None,
        lease_no: 0,
        claimed_by: None,
        created_at: now.timestamp_micros(),
        finished_at: None,
        format: new.formatted.as_ref().map(|formatted| formatted.format.as_str().to_owned()),
        body: new.formatted.as_ref().map(|formatted| formatted.body.clone()),
        trace: new.trace.map(|trace| trace.to_string()),
        published_at: new.published_at.timestamp_micros(),
    }
}

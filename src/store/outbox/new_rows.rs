//! The rows of what is sent for the first time.

use entity::{delivery, endpoint};
use uuid::Uuid;

use domain::account::{EndpointState, NewDelivery};
use domain::delivery::DeliveryState;

/// What is done with an endpoint that exists: only its sequence goes on.
pub(crate) const ENDPOINT: &str = "(endpoint_id) do update set head_sequence = excluded.head_sequence";

/// A delivery that is due at once.
pub(crate) fn delivery_row(account_id: Uuid, new: &NewDelivery, now_micros: i64) -> delivery::Model {
    delivery::Model {
        update_id: new.update_id.0,
        account_id,
        update_seq: new.update_seq,
        endpoint_id: new.endpoint_id.0,
        sequence: new.sequence,
        state: DeliveryState::Pending.as_str().to_owned(),
        due_at: Some(now_micros),
        created_at: now_micros,
        ..Default::default()
    }
}

/// An endpoint, which may exist.
pub(crate) fn endpoint_row(account_id: Uuid, url: String, endpoint: EndpointState, now_micros: i64) -> endpoint::Model {
    let EndpointState { endpoint_id, head_sequence } = endpoint;
    endpoint::Model { endpoint_id: endpoint_id.0, account_id, url, head_sequence, created_at: now_micros }
}

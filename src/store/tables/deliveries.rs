//! The outbox: deliveries, and the endpoints that they go to.

use entity::{delivery, endpoint};
use uuid::Uuid;

use super::stored::overwritten;
use crate::StoreError;
use crate::database::rows;
use domain::account::{EndpointState, NewDelivery};
use domain::delivery::{Delivery, DeliveryState};
use domain::ids::{EndpointId, UpdateId};

overwritten! {
    /// Of an endpoint that exists only the sequence goes on.
    endpoint {
        Key: endpoint_id;
        Kept: account_id, url, created_at;
        Replaced: head_sequence;
    }
}

/// The sequence of an endpoint, and whose it is under which address.
pub(crate) fn endpoint(row: endpoint::Model) -> (Uuid, String, EndpointState) {
    let endpoint::Model { endpoint_id, account_id, url, head_sequence, created_at: _ } = row;
    (account_id, url, EndpointState { endpoint_id: EndpointId(endpoint_id), head_sequence })
}

/// An endpoint, which may exist.
pub(crate) fn endpoint_row(account_id: Uuid, url: String, endpoint: EndpointState, now_micros: i64) -> endpoint::Model {
    let EndpointState { endpoint_id, head_sequence } = endpoint;
    endpoint::Model { endpoint_id: endpoint_id.0, account_id, url, head_sequence, created_at: now_micros }
}

/// How far a delivery has come.
pub(crate) fn delivery(row: &delivery::Model) -> Result<Delivery, StoreError> {
    const TABLE: &str = "delivery";
    let delivery::Model {
        update_id,
        // Where it belongs and goes is for those who send it, and so are its claims.
        account_id: _,
        update_seq: _,
        endpoint_id: _,
        sequence: _,
        state,
        attempts,
        due_at,
        lease_until: _,
        lease_no: _,
        claimed_by: _,
        created_at: _,
        finished_at: _,
    } = row;
    Ok(Delivery {
        update_id: UpdateId(*update_id),
        state: rows::closed(TABLE, state)?,
        attempts: u32::try_from(*attempts).unwrap_or(u32::MAX),
        due_at: rows::instant_option(TABLE, *due_at)?,
    })
}

/// A delivery that is due at once.
pub(crate) fn new_delivery_row(account_id: Uuid, new: &NewDelivery, now_micros: i64) -> delivery::Model {
    delivery::Model {
        update_id: new.update_id.0,
        account_id,
        update_seq: new.update_seq,
        endpoint_id: new.endpoint_id.0,
        sequence: new.sequence,
        state: DeliveryState::Pending.as_str().to_owned(),
        attempts: 0,
        due_at: Some(now_micros),
        lease_until: None,
        lease_no: 0,
        claimed_by: None,
        created_at: now_micros,
        finished_at: None,
    }
}

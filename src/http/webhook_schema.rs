//! `GET /v1/webhooks/schema` (Spec 4.11, decision 3.10).

use super::call::{Answer, Call, with_data};
use crate::wire::query;
use crate::wire::webhook_schema::PayloadSchemas;

/// The schemas of what is pushed and pulled.
pub(super) async fn webhook_schema(call: Call) -> Answer {
    let radar_types = query::schema(call.query())?;
    with_data(200, "Payload schemas", call.now(), PayloadSchemas::of(&radar_types))
}

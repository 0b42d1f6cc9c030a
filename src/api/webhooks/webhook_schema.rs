//! `GET /v1/webhooks/schema` (Spec 4.11, decision 3.10).

use crate::api::call::Call;
use crate::web::Answer;
use wire::public::query;
use wire::schema::webhook_schema::PayloadSchemas;

/// The schemas of what is pushed and pulled.
pub(crate) async fn webhook_schema(call: Call) -> Answer {
    let radar_types = query::schema(call.query())?;
    call.data(200, "Payload schemas", PayloadSchemas::of(&radar_types))
}

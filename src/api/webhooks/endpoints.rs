//! `GET /v1/webhooks/endpoints` and `POST …/{id}/enable` (decision 5.6).

use crate::api::call::Call;
use crate::web::Answer;
use domain::{EndpointFilter, EndpointId, Missing};
use wire::public::webhooks::endpoints::{self, EndpointRecord};
use wire::{Page, object};

/// A page of the addresses that the account's webhooks go to.
pub(crate) async fn list(call: Call) -> Answer {
    let (filter, limit) = endpoints::endpoints(call.query())?;
    let store = call.store();
    let found = store.endpoints(call.account_id(), filter, u64::from(limit) + 1).await?;
    let now = call.now();
    let record = |logged| EndpointRecord::of(logged, now);
    let page = Page::cut(found, limit, |last| last.endpoint_id.to_string(), record);
    call.page("Endpoints", page)
}

/// Enables an endpoint, closes its breaker and releases what was held.
pub(crate) async fn enable(call: Call) -> Answer {
    call.no_query()?;
    let endpoint_id = EndpointId(call.id("id")?);
    let store = call.store();
    let released = store.enable_endpoint(call.account_id(), endpoint_id, call.now()).await?.ok_or(Missing::Endpoint)?;
    call.shared().dispatcher.kick();
    let filter = EndpointFilter { endpoint_id: Some(endpoint_id), ..EndpointFilter::default() };
    let enabled = store.endpoints(call.account_id(), filter, 1).await?.pop().ok_or(Missing::Endpoint)?;
    let endpoint = EndpointRecord::of(enabled, call.now());
    call.data(200, "Endpoint enabled", object! { #[serde(flatten)] endpoint, released })
}

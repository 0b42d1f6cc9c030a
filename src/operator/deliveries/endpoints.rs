//! `GET /operator/v1/endpoints` and `POST …/{id}/enable` (decision 5.6).

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::{EndpointFilter, EndpointId, LoggedEndpoint, Missing};
use wire::operator::deliveries::{self, endpoint_record};
use wire::{Page, object};

/// A page of endpoints.
pub(crate) async fn list(call: Call) -> Answer {
    let (filter, limit) = deliveries::endpoints(call.query())?;
    let found = call.store().all_endpoints(filter, u64::from(limit) + 1).await?;
    let record = |logged| endpoint_record(logged, call.now());
    let page = Page::cut(found, limit, |last| last.endpoint_id.to_string(), record);
    call.page("Endpoints", page)
}

/// Enables an endpoint, closes its breaker and releases what was held.
pub(crate) async fn enable(call: Call) -> Answer {
    call.no_query()?;
    let LoggedEndpoint { account_id, endpoint_id, .. } = found(&call).await?;
    let released = call.store().enable_endpoint(account_id, endpoint_id, call.now()).await?;
    call.shared().dispatcher.kick();
    let endpoint = endpoint_record(found(&call).await?, call.now());
    let enabled = object! { #[serde(flatten)] endpoint, released: released.unwrap_or_default() };
    call.data(200, "Endpoint enabled", enabled)
}

async fn found(call: &Call) -> Result<LoggedEndpoint, Failure> {
    let filter = EndpointFilter { endpoint_id: Some(EndpointId(call.id("id")?)), ..EndpointFilter::default() };
    Ok(call.store().all_endpoints(filter, 1).await?.pop().ok_or(Missing::Endpoint)?)
}

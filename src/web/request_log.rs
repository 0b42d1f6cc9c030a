//! One log line per request: route, account, status, duration, error. Never a key, a body, or the values of a path or
//! query.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest};
use uuid::Uuid;

use super::metrics::RequestMetrics;
use clock::Clock;
use domain::ids::AccountId;

/// What the log needs.
pub(crate) struct RequestLog {
    /// Which listener: `public` or `operator`.
    pub(crate) api: &'static str,
    /// The time.
    pub(crate) clock: Clock,
    /// Counts the requests.
    pub(crate) metrics: RequestMetrics,
}

/// The path of a route as the route table writes it. Requests are logged and counted under it.
#[derive(Clone, Copy)]
pub(super) struct Pattern(pub(super) &'static str);

/// What the answer quotes of an error.
#[derive(Clone, Copy)]
struct ErrorId(Uuid);

/// Notes the account for the log line.
pub(crate) fn note_account(request: &HttpRequest, account_id: AccountId) {
    request.extensions_mut().insert(account_id);
}

/// Notes the identifier of the error for the log line.
pub(crate) fn note_error(request: &HttpRequest, error_id: Uuid) {
    request.extensions_mut().insert(ErrorId(error_id));
}

/// Logs and counts a request once it is answered.
pub(crate) async fn log(
    log: Data<RequestLog>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let began_at = log.clock.steady_now();
    let response = next.call(request).await?;
    let duration = log.clock.steady_now() - began_at;
    let request = response.request();
    let route = request.app_data::<Pattern>().map_or("unmatched", |pattern| pattern.0);
    let method = closed_method(request.method().as_str());
    let status = response.status().as_u16();
    log.metrics.count(&[log.api, method, route, &status.to_string()], duration);
    let account = request.extensions().get::<AccountId>().copied().map(tracing::field::display);
    let error_id = request.extensions().get::<ErrorId>().map(|noted| tracing::field::display(noted.0));
    let duration_ms = duration.num_microseconds().unwrap_or(i64::MAX) as f64 / 1000.0;
    tracing::info!(api = log.api, method, route, status, duration_ms, account, error_id, "request");
    Ok(response)
}

/// Callers may invent methods; labels come from a closed set.
fn closed_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("OTHER")
}

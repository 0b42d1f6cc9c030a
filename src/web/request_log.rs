//! One log line per request: route, account, client, status, duration, and why it was refused. Never a key, a body, or the
//! values of a path or query.
//!
//! Every line that is logged while a request is answered carries its identifier.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest};
use tracing::Instrument;
use tracing::field::{Empty, display};
use uuid::Uuid;

use super::headers::client_address::TrustedProxies;
use super::headers::request_id::{self, RequestId};
use super::headers::trace_parent;
use super::metrics::RequestMetrics;
use clock::Clock;
use domain::AccountId;
use wire::error::FieldReason;

/// How much of the name of a field and of a reason is logged, in characters.
const FIELD_MAX: usize = 64;
const REASON_MAX: usize = 200;

/// What the log needs.
pub(crate) struct RequestLog {
    /// Which listener: `public` or `operator`.
    pub(crate) api: &'static str,
    /// The time.
    pub(crate) clock: Clock,
    /// Counts the requests.
    pub(crate) metrics: RequestMetrics,
    /// Whose word for the address of a client counts.
    pub(crate) proxies: TrustedProxies,
}

/// The path of a route as the route table writes it. Requests are logged and counted under it.
#[derive(Clone, Copy)]
pub(super) struct Pattern(pub(super) &'static str);

/// What the answer quotes of an error.
#[derive(Clone, Copy)]
struct ErrorId(Uuid);

/// The first entry of `errors` in the answer.
#[derive(Clone)]
struct Refusal(FieldReason);

/// Notes the account for the log line.
pub(crate) fn note_account(request: &HttpRequest, account_id: AccountId) {
    request.extensions_mut().insert(account_id);
}

/// Notes the identifier of the error for the log line.
pub(crate) fn note_error(request: &HttpRequest, error_id: Uuid) {
    request.extensions_mut().insert(ErrorId(error_id));
}

/// Notes what the answer says is wrong, for the log line.
pub(super) fn note_refusal(request: &HttpRequest, errors: &[FieldReason]) {
    if let Some(first) = errors.first() {
        request.extensions_mut().insert(Refusal(first.clone()));
    }
}

/// Logs and counts a request once it is answered.
pub(crate) async fn log(
    log: Data<RequestLog>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let began_at = log.clock.steady_now();
    let request_id = RequestId::of(request.headers());
    request.extensions_mut().insert(request_id.clone());
    let client = log.proxies.note_client(&request);
    let method = closed_method(request.method().as_str());
    let _in_flight = log.metrics.begin(log.api);
    let span = tracing::error_span!("request", %request_id);
    let traced = tracing::trace_span!(
        target: "otlp", "request", otel.kind = "server", api = log.api, http.request.method = method, %request_id,
        parent = trace_parent::of(request.headers()).map(display), otel.name = Empty, http.route = Empty,
        http.response.status_code = Empty, account_id = Empty, error = Empty
    );
    let mut response = next.call(request).instrument(span).instrument(traced.clone()).await?;
    if let Some(value) = request_id.header() {
        response.headers_mut().insert(request_id::HEADER, value);
    }
    let duration = log.clock.steady_now() - began_at;
    let request = response.request();
    let route = request.app_data::<Pattern>().map_or("unmatched", |pattern| pattern.0);
    let status = response.status().as_u16();
    log.metrics.count(&[log.api, method, route, &status.to_string()], duration);
    let noted = request.extensions();
    if !traced.is_disabled() {
        traced.record("otel.name", format!("{method} {route}"));
        traced.record("http.route", route).record("http.response.status_code", status);
        traced.record("account_id", noted.get::<AccountId>().copied().map(display));
        traced.record("error", status >= 500);
    }
    let account = noted.get::<AccountId>().copied().map(display);
    let error_id = noted.get::<ErrorId>().map(|noted| display(noted.0));
    let refusal = noted.get::<Refusal>().map(|noted| &noted.0);
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        log.metrics.count_limited(log.api, limit_of(account.is_some(), refusal));
    }
    let field = refusal.map(|refusal| loggable(&refusal.field, FIELD_MAX));
    let reason = refusal.map(|refusal| loggable(&refusal.reason, REASON_MAX));
    let duration_ms = duration.num_microseconds().unwrap_or(i64::MAX) as f64 / 1000.0;
    tracing::info!(
        api = log.api, method, route, status, duration_ms, %request_id, %client, account, error_id, field, reason, "request"
    );
    drop(noted);
    Ok(response)
}

/// Callers may invent methods; labels come from a closed set.
fn closed_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("OTHER")
}

/// Which limit a 429 is about: a budget of the account, its redeliveries of the day, or what an address may get wrong.
fn limit_of(has_account: bool, refusal: Option<&FieldReason>) -> &'static str {
    match refusal {
        _ if !has_account => "address",
        Some(refusal) if refusal.reason == "burst" => "burst",
        Some(refusal) if refusal.reason == "minute" => "minute",
        _ => "redeliveries",
    }
}

/// What an answer quotes of its request may be anything, also somebody's address.
fn loggable(text: &str, most: usize) -> String {
    let is_safe = !text.contains(['@', '\u{1b}']) && !text.contains("://");
    if is_safe {
        text.chars().filter(|character| !character.is_control()).take(most).collect()
    } else {
        "…".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::loggable;

    #[test]
    fn nobody_and_nothing_long_gets_into_the_log() {
        for (text, logged) in [
            ("must be one of a, b", "must be one of a, b"),
            ("a\nb", "ab"),
            ("not jane@acme.com", "…"),
            ("not https://www.linkedin.com/in/jane", "…"),
            ("123456789", "12345678"),
        ] {
            assert_eq!(loggable(text, if text == "123456789" { 8 } else { 40 }), logged);
        }
    }
}

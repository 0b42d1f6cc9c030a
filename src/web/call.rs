//! What the calls of both APIs have in common: what is read of a request, and how answers are written.

use std::future::Future;

use actix_web::http::StatusCode;
use actix_web::http::header::{ETAG, HeaderValue, LINK, LOCATION, TryIntoHeaderValue};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, dev};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::to_raw_value;
use tracing::Instrument;
use uuid::Uuid;

use super::errors::Failure;
use super::headers::{entity_tag, paging_link, trace_parent};
use super::{body, request_log};
use clock::Clock;
use domain::Trace;
use wire::{Page, envelope, parameters};

/// What an endpoint answers.
pub(crate) type Answer = Result<HttpResponse, Failure>;

/// A JSON body, as a value and as the very text.
pub(crate) struct Body {
    pub(crate) text: Bytes,
    pub(crate) value: Value,
}

/// A request to an API with the state `S`, on its way to its endpoint.
pub(crate) struct Call<S, O = ()> {
    pub(crate) state: Data<S>,
    /// Whom its key belongs to, where keys belong to somebody.
    pub(crate) owner: O,
    pub(crate) clock: Clock,
    pub(crate) request: HttpRequest,
    pub(crate) payload: dev::Payload,
}

impl<S, O> Call<S, O> {
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Now, for what is remembered in memory ([`Clock::steady_now`]).
    pub(crate) fn steady_now(&self) -> DateTime<Utc> {
        self.clock.steady_now()
    }

    /// The query as it was sent.
    pub(crate) fn query(&self) -> &str {
        self.request.query_string()
    }

    /// Refuses a query on a route that takes no parameters.
    pub(crate) fn no_query(&self) -> Result<(), Failure> {
        Ok(parameters::none(self.query())?)
    }

    /// The trace that the client says its request belongs to.
    pub(crate) fn trace(&self) -> Option<Trace> {
        trace_parent::of(self.request.headers()).map(|parent| parent.trace)
    }

    /// A part of the path.
    pub(crate) fn segment(&self, name: &str) -> &str {
        self.request.match_info().get(name).unwrap_or_default()
    }

    /// An identifier in the path.
    pub(crate) fn id(&self, name: &str) -> Result<Uuid, Failure> {
        Ok(parameters::path_id(self.segment(name))?)
    }

    /// The text of the body, of at most `bytes_max`, of a route that takes no query. It can be read once.
    pub(crate) async fn body_text(&mut self, bytes_max: usize) -> Result<Bytes, Failure> {
        self.no_query()?;
        body::bytes(&self.request, self.payload.take(), &self.clock, bytes_max).await
    }

    /// Notes the identifier of the error for the log line.
    pub(crate) fn note_error(&self, error_id: Uuid) {
        request_log::note_error(&self.request, error_id);
    }

    /// An answer with `data` in the envelope.
    pub(crate) fn data(&self, code: u16, message: &str, data: impl Serialize) -> Answer {
        json(code, &envelope::data(code, message, self.now(), data))
    }

    /// The same of a single record that has a tag: who has it already gets a 304.
    pub(crate) fn record(&self, message: &str, data: impl Serialize) -> Answer {
        let data = to_raw_value(&data).map_err(Failure::internal)?;
        let tag = entity_tag::of(data.get().as_bytes());
        if let Some(unchanged) = entity_tag::unchanged(&self.request, &tag) {
            return Ok(unchanged);
        }
        let mut response = self.data(200, message, data)?;
        response.headers_mut().insert(ETAG, tag.try_into_value().map_err(Failure::internal)?);
        Ok(response)
    }

    /// A page of a list, and where the next one is.
    pub(crate) fn page(&self, message: &str, page: Page<impl Serialize>) -> Answer {
        let next_cursor = page.next_cursor();
        Ok(self.linked(self.fields(200, message, page)?, next_cursor))
    }

    /// The answer with a link to the page that `next_cursor` begins.
    pub(crate) fn linked(&self, mut response: HttpResponse, next_cursor: Option<String>) -> HttpResponse {
        if let Some(link) = next_cursor.and_then(|cursor| paging_link::next(self.query(), &cursor)) {
            response.headers_mut().insert(LINK, link);
        }
        response
    }

    /// An answer whose own fields stand beside the common ones of the envelope.
    pub(crate) fn fields(&self, code: u16, message: &str, fields: impl Serialize) -> Answer {
        json(code, &envelope::success(code, message, self.now(), fields))
    }
}

/// What answers the requests to a route.
pub(crate) trait Handler<C>: AsyncFn(C) -> Answer + Clone + 'static {}
impl<C, F: AsyncFn(C) -> Answer + Clone + 'static> Handler<C> for F {}

/// Runs the work for a request to its end, even when the client hangs up meanwhile: what was decided must also be
/// followed up. A panic becomes a 500.
pub(crate) fn settled(work: impl Future<Output = Answer> + 'static) -> impl Future<Output = Answer> {
    let task = actix_web::rt::spawn(work.in_current_span());
    async { task.await.unwrap_or_else(|error| Err(Failure::internal(error))) }
}

/// The answer, and the path of what was created.
pub(crate) fn located(mut response: HttpResponse, path: &str) -> HttpResponse {
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    response
}

/// An answer with a whole body.
pub(crate) fn json(code: u16, body: &impl Serialize) -> Answer {
    text(code, serde_json::to_string(body).map_err(Failure::internal)?)
}

/// An answer whose JSON is written already.
pub(crate) fn text(code: u16, body: String) -> Answer {
    let status = StatusCode::from_u16(code).map_err(Failure::internal)?;
    Ok(HttpResponse::build(status).content_type("application/json").body(body))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use chrono::DateTime;

    use super::settled;

    #[actix_web::test]
    async fn spec_7_a_panic_is_an_internal_error() {
        let failure = settled(async { panic!("the endpoint is broken") }).await.expect_err("a failure");
        let response = failure.respond(&TestRequest::default().to_http_request(), DateTime::UNIX_EPOCH);
        assert_eq!(response.status().as_u16(), 500);
        let body = actix_web::body::to_bytes(response.into_body()).await.expect("a body");
        assert!(!String::from_utf8_lossy(&body).contains("broken"));
    }
}

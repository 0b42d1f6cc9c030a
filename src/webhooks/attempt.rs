//! Sends one attempt of a delivery and reports its outcome (decisions 5.2 to 5.4, 5.7).
//!
//! Never here: what the outcome changes, a second try, the database.

use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use url::Url;

use super::signature::SigningSecrets;
use clock::Clock;
use domain::delivery::{Outcome, RESPONSE_BYTES_MAX, retry_after};
use domain::{AttemptReport, TraceParent, UpdateId, WebhookFormat};
use outbound::transport::{Answer, Exchange, HeaderName, HeaderValue, Method, Transport, TransportError, header};

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");
const WEBHOOK_SEQUENCE: HeaderName = HeaderName::from_static("webhook-sequence");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Sends attempts. Cheap to clone; belongs to one thread.
#[derive(Clone)]
pub struct Sender {
    transport: Transport,
    clock: Clock,
    user_agent: HeaderValue,
    timeout: Duration,
}

/// What to send, and where.
#[derive(Clone, Debug)]
pub struct OutgoingRequest {
    /// The receiver's address, normalised.
    pub url: String,
    /// The update that `body` is the payload of.
    pub update_id: UpdateId,
    /// The form of the payload.
    pub format: WebhookFormat,
    /// The frozen payload.
    pub body: Bytes,
    /// What makes it a delivery; `None` for a test, which is not signed (Spec 4.10).
    pub delivery: Option<Signing>,
}

/// What a delivery carries and a test does not.
#[derive(Clone, Debug)]
pub struct Signing {
    /// The number of the update at its endpoint.
    pub sequence: i64,
    /// What it is signed with.
    pub secrets: SigningSecrets,
    /// Where the attempt stands in its trace.
    pub parent: TraceParent,
}

impl Sender {
    /// A sender that gives each attempt `timeout` and names itself `user_agent`.
    pub fn new(transport: Transport, clock: Clock, user_agent: HeaderValue, timeout: Duration) -> Self {
        Self { transport, clock, user_agent, timeout }
    }

    /// The same with a time-out of no more than `most`.
    #[must_use]
    pub fn within(self, most: Duration) -> Self {
        Self { timeout: self.timeout.min(most), ..self }
    }

    /// The time-out of one attempt.
    pub const fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Sends `request` once.
    pub async fn send(&self, request: OutgoingRequest) -> AttemptReport {
        let started_at = self.clock.now();
        let began_at = self.clock.steady_now();
        let result = match self.exchange(request, started_at) {
            Some(exchange) => self.transport.exchange(exchange).await,
            None => Err(TransportError::BadTarget),
        };
        let took = self.clock.steady_now() - began_at;
        AttemptReport { duration: took, ..report(result, started_at, self.clock.now()) }
    }

    fn exchange(&self, request: OutgoingRequest, now: DateTime<Utc>) -> Option<Exchange> {
        let url = Url::parse(&request.url).ok()?;
        let id = request.update_id.to_string();
        let mut headers = vec![
            (header::CONTENT_TYPE, HeaderValue::from_static(request.format.media_type())),
            (header::USER_AGENT, self.user_agent.clone()),
            (WEBHOOK_TIMESTAMP, HeaderValue::from(now.timestamp())),
        ];
        if let Some(Signing { sequence, secrets, parent }) = request.delivery {
            let signature = secrets.sign(&id, now, &request.body);
            headers.push((WEBHOOK_SIGNATURE, HeaderValue::try_from(signature).ok()?));
            headers.push((WEBHOOK_SEQUENCE, HeaderValue::from(sequence)));
            headers.push((TRACEPARENT, HeaderValue::try_from(parent.to_string()).ok()?));
        }
        headers.push((WEBHOOK_ID, HeaderValue::try_from(id).ok()?));
        Some(Exchange {
            method: Method::POST,
            url,
            headers,
            body: request.body,
            timeout: self.timeout,
            body_bytes_max: RESPONSE_BYTES_MAX,
        })
    }
}

fn report(result: Result<Answer, TransportError>, started_at: DateTime<Utc>, now: DateTime<Utc>) -> AttemptReport {
    match result {
        Ok(answer) => {
            let outcome = Outcome::of_status(answer.status);
            let hint = answer.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
            let (response, is_cut) = as_text(&answer.body);
            AttemptReport {
                status: Some(answer.status),
                retry_after: hint.filter(|_| outcome.may_ask_for_a_pause()).and_then(|hint| retry_after(hint, now)),
                remote: Some(answer.remote.to_string()),
                response: (!response.is_empty()).then_some(response),
                response_truncated: answer.truncated || is_cut,
                ..AttemptReport::unanswered(outcome, started_at)
            }
        }
        Err(error) => AttemptReport::unanswered(error.outcome(), started_at),
    }
}

/// The bytes as text that any database takes, and whether some had to be cut off: invalid UTF-8 grows when it is
/// replaced, and PostgreSQL takes no zero in a text.
fn as_text(bytes: &[u8]) -> (String, bool) {
    let mut text = String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}");
    let length = text.floor_char_boundary(RESPONSE_BYTES_MAX);
    let is_cut = length < text.len();
    text.truncate(length);
    (text, is_cut)
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
    use chrono::TimeDelta;
    use uuid::Uuid;

    use super::super::secret::WebhookSecret;
    use super::*;
    use outbound::address_guard::AddressGuard;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    type Answering = fn(&HttpRequest) -> HttpResponse;

    /// A receiver on a port of its own, and the requests that it has seen.
    async fn receiver(
        answer: Answering,
    ) -> (u16, tokio::sync::mpsc::UnboundedReceiver<(Vec<(String, String)>, Bytes)>) {
        let (seen, requests) = tokio::sync::mpsc::unbounded_channel();
        let server = HttpServer::new(move || {
            let seen = seen.clone();
            App::new().default_service(web::to(move |request: HttpRequest, body: Bytes| {
                let headers = request
                    .headers()
                    .iter()
                    .map(|(name, value)| (name.as_str().to_owned(), value.to_str().unwrap().to_owned()));
                seen.send((headers.collect(), body)).unwrap();
                let response = answer(&request);
                async move { response }
            }))
        })
        .workers(1)
        .bind(("127.0.0.1", 0))
        .unwrap();
        let port = server.addrs()[0].port();
        actix_rt::spawn(server.run());
        (port, requests)
    }

    fn sender(clock: Clock) -> Sender {
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        let transport = Transport::new(guard, clock.clone());
        Sender::new(transport, clock, HeaderValue::from_static("radar/1"), Duration::from_secs(10))
    }

    fn request(port: u16, secret: &WebhookSecret) -> OutgoingRequest {
        let secrets = SigningSecrets { current: secret.clone(), previous: Vec::new() };
        OutgoingRequest {
            url: format!("http://127.0.0.1:{port}/hook"),
            update_id: UpdateId(Uuid::from_u128(5)),
            format: WebhookFormat::Standard,
            body: Bytes::from_static(br#"{"update_id":"5"}"#),
            delivery: Some(Signing { sequence: 42, secrets, parent: PARENT.parse().unwrap() }),
        }
    }

    fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
        headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    #[actix_web::test]
    async fn a_delivery_is_signed_so_that_another_library_accepts_it() {
        let (port, mut requests) = receiver(|_| HttpResponse::Accepted().body("thanks")).await;
        let secret = WebhookSecret::generate([3; 32]);
        let report = sender(Clock::system()).send(request(port, &secret)).await;
        assert_eq!(
            (report.outcome, report.status, report.response.as_deref()),
            (Outcome::Ok, Some(202), Some("thanks"))
        );
        assert_eq!((report.response_truncated, report.remote.unwrap()), (false, format!("127.0.0.1:{port}")));

        let (headers, body) = requests.recv().await.unwrap();
        let mut received = http_1::HeaderMap::new();
        for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
            received.insert(name, value(&headers, name).unwrap().parse().unwrap());
        }
        standardwebhooks::Webhook::new(&secret.expose()).unwrap().verify(&body, &received).unwrap();
        assert_eq!(value(&headers, "webhook-id"), Some("00000000-0000-0000-0000-000000000005"));
        assert_eq!(value(&headers, "webhook-sequence"), Some("42"));
        assert_eq!(value(&headers, "traceparent"), Some(PARENT));
        assert_eq!(value(&headers, "content-type"), Some("application/json"));
        assert_eq!(value(&headers, "user-agent"), Some("radar/1"));
        assert_eq!(body.as_ref(), br#"{"update_id":"5"}"#);
    }

    #[actix_web::test]
    async fn a_test_is_sent_without_signature_and_sequence() {
        let (port, mut requests) = receiver(|_| HttpResponse::NoContent().finish()).await;
        let test = OutgoingRequest { delivery: None, ..request(port, &WebhookSecret::generate([3; 32])) };
        let report = sender(Clock::system()).send(test).await;
        assert_eq!((report.outcome, report.response), (Outcome::Ok, None));
        let (headers, _) = requests.recv().await.unwrap();
        assert_eq!(value(&headers, "webhook-signature").or(value(&headers, "webhook-sequence")), None);
        assert!(value(&headers, "webhook-id").is_some());
    }

    #[actix_web::test]
    async fn each_attempt_has_the_timestamp_of_the_clock() {
        let (port, mut requests) = receiver(|_| HttpResponse::Ok().finish()).await;
        let clock = Clock::simulated(DateTime::from_timestamp(1_700_000_000, 5_000).unwrap());
        sender(clock).send(request(port, &WebhookSecret::generate([3; 32]))).await;
        let (headers, _) = requests.recv().await.unwrap();
        assert_eq!(value(&headers, "webhook-timestamp"), Some("1700000000"));
    }

    #[actix_web::test]
    async fn decision_5_4_and_decision_5_7_what_the_receiver_says_is_reported() {
        let (port, _requests) = receiver(|request| match request.path() {
            "/busy" => HttpResponse::ServiceUnavailable().insert_header(("retry-after", "90")).finish(),
            "/gone" => HttpResponse::Gone().finish(),
            "/away" => HttpResponse::Found().insert_header(("location", "/hook")).finish(),
            "/calm" => HttpResponse::Ok().insert_header(("retry-after", "90")).finish(),
            _ => HttpResponse::BadRequest().body(vec![0xff; RESPONSE_BYTES_MAX + 1]),
        })
        .await;
        let sender = sender(Clock::system());
        for (path, outcome, pause) in [
            ("busy", Outcome::Http5xx, Some(90)),
            ("gone", Outcome::Http410, None),
            ("away", Outcome::Http3xx, None),
            ("calm", Outcome::Ok, None),
            ("long", Outcome::Http4xx, None),
        ] {
            let mut request = request(port, &WebhookSecret::generate([3; 32]));
            request.url = format!("http://127.0.0.1:{port}/{path}");
            let report = sender.send(request).await;
            assert_eq!((report.outcome, report.retry_after), (outcome, pause.map(TimeDelta::seconds)), "{path}");
            assert_eq!(report.response_truncated, path == "long");
            assert!(report.response.is_none_or(|text| text.len() <= RESPONSE_BYTES_MAX));
        }
    }

    #[actix_web::test]
    async fn an_address_that_cannot_be_requested_is_an_outcome() {
        let sender = sender(Clock::system());
        for (url, outcome) in [
            ("nonsense", Outcome::BadTarget),
            ("ftp://127.0.0.1/", Outcome::BadTarget),
            ("http://10.0.0.1/", Outcome::BlockedTarget),
            ("http://name.invalid/", Outcome::Dns),
        ] {
            let mut request = request(1, &WebhookSecret::generate([3; 32]));
            request.url = url.to_owned();
            let report = sender.send(request).await;
            assert_eq!((report.outcome, report.status), (outcome, None), "{url}");
        }
    }

    #[test]
    fn text_is_fit_for_every_database() {
        assert_eq!(as_text(b"a\0b\xffc"), ("a\u{fffd}b\u{fffd}c".to_owned(), false));
        let (text, is_cut) = as_text(&[0xff; RESPONSE_BYTES_MAX]);
        assert!(is_cut && text.len() <= RESPONSE_BYTES_MAX && text.chars().all(|letter| letter == '\u{fffd}'));
    }
}

//! `radar listen`: a webhook receiver for development, on this machine.

use std::io;
use std::net::SocketAddr;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use awc::http::uri::Uri;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::signature::{self, SignatureError};
use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use clock::Clock;
use webhooks::secret::WebhookSecret;
use wire::time;

/// Where it listens by default.
pub(super) const LISTEN: &str = "127.0.0.1:8090";
/// What `radar trigger` signs with and `radar listen` verifies with by default. Everybody knows it: it is for
/// trying things on one machine.
pub(super) const DEVELOPMENT_SECRET: &str = "whsec_cmFkYXIgc2VjcmV0IGZvciBkZXZlbG9wbWVudCBvbmx5";
/// The largest body that is taken, in bytes.
const BODY_MAX: usize = 1024 * 1024;
/// Headers that belong to one connection and are not passed on.
const OF_CONNECTION: [&str; 4] = ["host", "connection", "content-length", "transfer-encoding"];

/// The arguments of `radar listen`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = LISTEN)]
    listen: SocketAddr,
    /// Secret of the account that the webhooks are signed with
    #[arg(long, value_name = "WHSEC", default_value = DEVELOPMENT_SECRET, hide_default_value = true)]
    secret: String,
    /// Address that gets every verified webhook with its headers; its status is the answer
    #[arg(long, value_name = "URL")]
    forward: Option<Uri>,
}

#[derive(Clone)]
struct Listener {
    secret: String,
    forward: Option<Uri>,
    as_json: bool,
    clock: Clock,
}

/// What is printed of one webhook.
struct Seen<'a> {
    received_at: DateTime<Utc>,
    headers: &'a HeaderMap,
    body: &'a Bytes,
    verified: Result<(), SignatureError>,
    answered: StatusCode,
    forward_error: Option<String>,
}

/// Listens until it is interrupted.
///
/// # Errors
/// [`Failure`] when the secret is none or the address cannot be listened at.
pub fn run(arguments: Arguments, as_json: bool) -> Result<()> {
    let Arguments { listen, secret, forward } = arguments;
    WebhookSecret::parse(&secret).map_err(|error| Failure::of("--secret", error))?;
    let listener = Listener { secret, forward, as_json, clock: Clock::system() };
    actix_rt::System::new().block_on(async {
        let data = listener.clone();
        let server = HttpServer::new(move || {
            App::new()
                .app_data(web::Data::new(data.clone()))
                .app_data(web::Data::new(awc::Client::builder().disable_redirects().no_default_headers().finish()))
                .app_data(web::PayloadConfig::new(BODY_MAX))
                .default_service(web::to(receive))
        });
        let failed = |error: io::Error| Failure::of(listen, error);
        let server = server.workers(1).shutdown_timeout(1).bind(listen).map_err(failed)?;
        let address = server.addrs().first().copied().unwrap_or(listen);
        let at = format!("http://{address}/");
        output::either(&json!({"listening": at}), &format!("listening at {at}"), listener.as_json)?;
        server.run().await.map_err(failed)
    })
}

async fn receive(
    request: HttpRequest,
    body: Bytes,
    listener: web::Data<Listener>,
    client: web::Data<awc::Client>,
) -> HttpResponse {
    let received_at = listener.clock.now();
    let verified = signature::verify(&listener.secret, request.headers(), &body, received_at.timestamp());
    let (answered, forward_error) = match (&verified, &listener.forward) {
        (Err(_), _) => (StatusCode::UNAUTHORIZED, None),
        (Ok(()), None) => (StatusCode::NO_CONTENT, None),
        (Ok(()), Some(to)) => match forward(&client, to, request.headers(), body.clone()).await {
            Ok(status) => (status, None),
            Err(error) => (StatusCode::BAD_GATEWAY, Some(error)),
        },
    };
    let seen = Seen { received_at, headers: request.headers(), body: &body, verified, answered, forward_error };
    // Printing fails when the reader of the output is gone, and then the program is about to end.
    output::print(&if listener.as_json { seen.json() } else { seen.text() }).ok();
    HttpResponse::new(answered)
}

/// Passes a webhook on as it came; the status of the answer.
async fn forward(client: &awc::Client, to: &Uri, headers: &HeaderMap, body: Bytes) -> Result<StatusCode, String> {
    let mut request = client.post(to);
    for (name, value) in headers.iter().filter(|(name, _)| !OF_CONNECTION.contains(&name.as_str())) {
        request = request.append_header((name.clone(), value.clone()));
    }
    let answer = request.send_body(body).await.map_err(|error| error.to_string())?;
    Ok(answer.status())
}

impl Seen<'_> {
    /// One line.
    fn json(&self) -> String {
        let header = |(name, value): (&HeaderName, &HeaderValue)| {
            (name.as_str().to_owned(), Value::from(String::from_utf8_lossy(value.as_bytes())))
        };
        let headers: Map<String, Value> = self.headers.iter().map(header).collect();
        json!({
            "received_at": time::text(self.received_at),
            "verified": self.verified.is_ok(),
            "problem": self.problem(),
            "answered": self.answered.as_u16(),
            "headers": headers,
            "payload": serde_json::from_slice::<Value>(self.body).ok(),
        })
        .to_string()
    }

    fn text(&self) -> String {
        let header = |name: &str| self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("-");
        let verdict = if self.verified.is_ok() { "verified" } else { "REFUSED" };
        let payload = match serde_json::from_slice::<Value>(self.body) {
            Ok(payload) => format!("{payload:#}"),
            Err(_) => String::from_utf8_lossy(self.body).into_owned(),
        };
        let problem = self.problem().map(|problem| format!(": {problem}")).unwrap_or_default();
        format!(
            "{} {verdict} {} answered {}{problem}\n{payload}\n",
            time::text(self.received_at),
            header("webhook-id"),
            self.answered.as_u16(),
        )
    }

    fn problem(&self) -> Option<String> {
        self.verified.as_ref().err().map(ToString::to_string).or_else(|| self.forward_error.clone())
    }
}

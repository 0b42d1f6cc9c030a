//! `radar trigger`: sends a signed sample, as an update of that radar type would be sent.

use std::time::Duration;

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use ipnet::IpNet;
use serde_json::{Value, json};
use uuid::Uuid;

use super::listen::{DEVELOPMENT_SECRET, LISTEN};
use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use clock::Clock;
use domain::{AttemptReport, RadarType, Trace, TraceParent, UnknownWord, UpdateId, UpdateType, WebhookFormat};
use outbound::address_guard::AddressGuard;
use outbound::transport::Transport;
use webhooks::attempt::{OutgoingRequest, Sender, Signing};
use webhooks::sample;
use webhooks::secret::WebhookSecret;
use webhooks::signature::SigningSecrets;

/// The longest that a receiver may take.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The arguments of `radar trigger`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Radar type, such as company_job_openings
    #[arg(value_parser = radar_type)]
    radar_type: RadarType,
    /// Address of the receiver; by default that of radar listen
    #[arg(long, value_name = "URL", default_value_t = format!("http://{LISTEN}/"))]
    url: String,
    /// Secret to sign with; by default the one that radar listen verifies with
    #[arg(long, value_name = "WHSEC", default_value = DEVELOPMENT_SECRET, hide_default_value = true)]
    secret: String,
    /// Form of the payload, as webhook_format of a radar
    #[arg(long, value_parser = format, default_value = WebhookFormat::Standard.as_str())]
    format: WebhookFormat,
    /// Send a radar_failure instead of a finding
    #[arg(long)]
    failure: bool,
}

/// Sends one sample.
///
/// # Errors
/// [`Failure`] when the secret is none, or the receiver does not answer with 2xx.
pub fn run(arguments: &Arguments, as_json: bool) -> Result<()> {
    let secret = WebhookSecret::parse(&arguments.secret).map_err(|error| Failure::of("--secret", error))?;
    let clock = Clock::system();
    let update_id = UpdateId(Uuid::new_v4());
    let update_type = if arguments.failure { UpdateType::Failure } else { UpdateType::Finding };
    let payload = sample::payload(arguments.radar_type, update_type, arguments.format, update_id, clock.now())
        .map_err(|errors| Failure::of(arguments.radar_type.as_str(), format!("no sample: {errors:?}")))?;
    let secrets = SigningSecrets { current: secret, previous: Vec::new() };
    let parent = TraceParent { trace: Trace::of_update(update_id), span_id: update_id.0.as_u64_pair().1 };
    let request = OutgoingRequest {
        url: arguments.url.clone(),
        update_id,
        format: arguments.format,
        body: Bytes::from(payload.clone()),
        delivery: Some(Signing { sequence: 1, secrets, parent }),
    };
    let report = actix_rt::System::new().block_on(async { sender(clock).send(request).await });
    let outcome = report.outcome.as_str();
    let status = report.status.map_or_else(String::new, |status| format!(" ({status})"));
    let took_ms = report.duration.num_milliseconds();
    let text = format!("{update_id} sent to {}: {outcome}{status} in {took_ms} ms", arguments.url);
    output::either(&described(arguments, update_id, &payload, &report), &text, as_json)?;
    if report.outcome.is_success() { Ok(()) } else { Err(Failure::of(&arguments.url, format!("{outcome}{status}"))) }
}

/// Sends as the service does, but to any address: the person at this machine can reach them all without it.
fn sender(clock: Clock) -> Sender {
    let anywhere = [IpNet::V4(Default::default()), IpNet::V6(Default::default())];
    let transport = Transport::new(AddressGuard::new(anywhere.to_vec()), clock.clone());
    let user_agent = HeaderValue::from_static(concat!("radar/", env!("CARGO_PKG_VERSION")));
    Sender::new(transport, clock, user_agent, TIMEOUT)
}

fn described(arguments: &Arguments, update_id: UpdateId, payload: &str, report: &AttemptReport) -> Value {
    json!({
        "webhook_url": arguments.url,
        "update_id": update_id.0,
        "outcome": report.outcome.as_str(),
        "http_status": report.status,
        "duration_ms": report.duration.num_milliseconds(),
        "payload": serde_json::from_str::<Value>(payload).ok(),
    })
}

fn format(text: &str) -> Result<WebhookFormat, UnknownWord> {
    text.parse()
}

fn radar_type(text: &str) -> Result<RadarType, String> {
    text.parse().map_err(|_| format!("is none of {}", RadarType::WORDS.join(", ")))
}

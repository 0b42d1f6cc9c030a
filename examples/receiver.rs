//! A webhook receiver: verifies the signature of each update, takes it once, and answers.
//!
//! ```console
//! cargo run --example receiver -- 127.0.0.1:8090 whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
//! radar trigger company_job_openings --secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
//! ```
//!
//! The secret of an account is what `radar admin account create` prints, or `GET /v1/webhooks/secret`.

#![allow(clippy::print_stdout, reason = "it prints what it receives")]

use std::collections::HashSet;
use std::error::Error;

use actix_web::http::header::HeaderMap;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use parking_lot::Mutex;
use serde_json::Value;
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, Webhook};

/// The longest body that is taken, in bytes. The content of a finding is 64 KiB at most.
const BODY_MAX: usize = 1024 * 1024;

struct Receiver {
    webhook: Webhook,
    /// The updates that were taken. A receiver in earnest keeps them where it keeps what it makes of them, in the same
    /// transaction: then a crash loses nothing and does nothing twice.
    taken: Mutex<HashSet<String>>,
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(listen), Some(secret)) = (arguments.next(), arguments.next()) else {
        return Err("usage: receiver ADDRESS SECRET".into());
    };
    let receiver = web::Data::new(Receiver { webhook: Webhook::new(&secret)?, taken: Mutex::default() });
    let app = move || {
        let limit = web::PayloadConfig::new(BODY_MAX);
        App::new().app_data(receiver.clone()).app_data(limit).default_service(web::post().to(receive))
    };
    Ok(HttpServer::new(app).workers(1).bind(listen)?.run().await?)
}

/// Any 2xx ends the delivery; any other answer has it sent again later, but 410 ends it and disables the address.
async fn receive(request: HttpRequest, body: web::Bytes, receiver: web::Data<Receiver>) -> HttpResponse {
    let headers = signed_headers(request.headers());
    // The bytes are verified as they came: JSON that was read and written again has another signature.
    if receiver.webhook.verify(&body, &headers).is_err() {
        return HttpResponse::Unauthorized().finish();
    }
    let Ok(update) = serde_json::from_slice::<Value>(&body) else {
        return HttpResponse::BadRequest().finish();
    };
    // An alert about the account is signed in the same way; it has an `alert_id` in its place.
    let Some(id) = update["update_id"].as_str().or_else(|| update["alert_id"].as_str()) else {
        return HttpResponse::BadRequest().finish();
    };
    // The same update comes again when an answer was lost or something is sent again.
    if receiver.taken.lock().insert(id.to_owned()) {
        println!("{} {id} {}", update["update_type"], update["content"]);
    }
    HttpResponse::NoContent().finish()
}

/// What the signature needs, for a library with another version of the types of HTTP.
fn signed_headers(headers: &HeaderMap) -> http_1::HeaderMap {
    let pair = |name| {
        let value = http_1::HeaderValue::from_bytes(headers.get(name)?.as_bytes()).ok()?;
        Some((http_1::HeaderName::from_static(name), value))
    };
    [HEADER_WEBHOOK_ID, HEADER_WEBHOOK_TIMESTAMP, HEADER_WEBHOOK_SIGNATURE].into_iter().filter_map(pair).collect()
}

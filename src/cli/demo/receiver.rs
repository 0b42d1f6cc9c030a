//! A customer's webhook receiver, on a free port of this machine.
//!
//! Duty: check the Standard Webhooks signature by itself, as a customer would, and report every delivery with its exact
//! bytes.

use std::io;

use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use tokio::sync::mpsc;

use super::local_server::LocalServer;
use crate::cli::customer::signature::{SignatureError, verify};
use clock::Clock;

/// One delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// The body as it came.
    pub body: Bytes,
    /// Why the signature is not accepted, if so.
    pub signature: Result<(), SignatureError>,
}

#[derive(Clone)]
struct ReceiverState {
    clock: Clock,
    secret: String,
    reports: mpsc::Sender<Delivery>,
}

/// Starts a receiver that knows the `secret` of its account, on a free port of the loopback interface; must be called within
/// an actix system.
pub fn start(clock: Clock, secret: String, reports: mpsc::Sender<Delivery>) -> io::Result<LocalServer> {
    let shared = ReceiverState { clock, secret, reports };
    LocalServer::start(move |config| {
        config.app_data(web::Data::new(shared.clone())).default_service(web::to(receive));
    })
}

async fn receive(request: HttpRequest, body: Bytes, shared: web::Data<ReceiverState>) -> HttpResponse {
    let signature = verify(&shared.secret, request.headers(), &body, shared.clock.now().timestamp());
    let response = if signature.is_ok() { HttpResponse::NoContent() } else { HttpResponse::Unauthorized() }.finish();
    // Nobody is interested in deliveries any more once the demo has ended.
    drop(shared.reports.send(Delivery { body, signature }).await);
    response
}

//! A customer's webhook receiver, on a free port of this machine.
//!
//! Duty: check the Standard Webhooks signature by itself, as a customer would, and report every delivery with its exact
//! bytes.

use std::io;
use std::sync::{Arc, OnceLock};

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

/// The receiver, listening until [`Receiver::stop`].
pub struct Receiver {
    secret: Arc<OnceLock<String>>,
    server: LocalServer,
}

#[derive(Clone)]
struct ReceiverState {
    clock: Clock,
    secret: Arc<OnceLock<String>>,
    reports: mpsc::Sender<Delivery>,
}

impl Receiver {
    /// Starts listening on a free port of the loopback interface; must be called within an actix system.
    pub fn start(clock: Clock, reports: mpsc::Sender<Delivery>) -> io::Result<Self> {
        let secret = Arc::new(OnceLock::new());
        let shared = ReceiverState { clock, secret: secret.clone(), reports };
        let server = LocalServer::start(move |config| {
            config.app_data(web::Data::new(shared.clone())).default_service(web::to(receive));
        })?;
        Ok(Self { secret, server })
    }

    /// The address to give as `webhook_url`.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.server.address())
    }

    /// Sets the secret of the account; only the first one counts.
    pub fn trust(&self, secret: String) {
        self.secret.get_or_init(|| secret);
    }

    /// Ends listening.
    pub async fn stop(self) {
        self.server.stop().await;
    }
}

async fn receive(request: HttpRequest, body: Bytes, shared: web::Data<ReceiverState>) -> HttpResponse {
    let secret = shared.secret.get().map(String::as_str).unwrap_or_default();
    let signature = verify(secret, request.headers(), &body, shared.clock.now().timestamp());
    let response = if signature.is_ok() { HttpResponse::NoContent() } else { HttpResponse::Unauthorized() }.finish();
    // Nobody is interested in deliveries any more once the demo has ended.
    drop(shared.reports.send(Delivery { body, signature }).await);
    response
}

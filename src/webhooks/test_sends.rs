//! Sends test payloads, once each and unsigned, and answers the outcome (Spec 4.10, decision 3.9).
//!
//! Never here: retries, signatures, or a record of what was sent.

use std::time::Duration;

use super::attempt::{OutgoingRequest, Sender};
use clock::Clock;
use domain::AttemptReport;
use outbound::fair_work::FairWork;

/// Sends under way at most.
const IN_FLIGHT_MAX: usize = 256;
/// The longest that a send may take.
pub const TIMEOUT_MAX: Duration = Duration::from_secs(5);

/// The way to the sending of test payloads.
pub type TestSends = FairWork<OutgoingRequest, AttemptReport>;

/// Sends with `sender` on this thread.
pub fn start(sender: Sender, clock: &Clock) -> TestSends {
    let sender = sender.within(TIMEOUT_MAX);
    FairWork::start(IN_FLIGHT_MAX, clock, move |_, request| {
        let sender = sender.clone();
        async move {
            let report = sender.send(request).await;
            tracing::debug!(outcome = report.outcome.as_str(), status = report.status, "a test payload was sent");
            report
        }
    })
}

#[cfg(test)]
mod tests {
    use awc::http::header::HeaderValue;
    use bytes::Bytes;
    use tokio::net::TcpListener;
    use uuid::Uuid;

    use super::*;
    use domain::delivery::Outcome;
    use domain::{AccountId, UpdateId, WebhookFormat};
    use outbound::address_guard::AddressGuard;
    use outbound::transport::Transport;

    fn sends(allowed: &str) -> TestSends {
        let clock = Clock::system();
        let transport = Transport::new(AddressGuard::new(vec![allowed.parse().unwrap()]), clock.clone());
        let user_agent = HeaderValue::from_static("radar/1");
        start(Sender::new(transport, clock.clone(), user_agent, Duration::from_secs(60)), &clock)
    }

    const ALICE: AccountId = AccountId(Uuid::from_u128(1));

    fn request(listener: &TcpListener) -> OutgoingRequest {
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let format = WebhookFormat::Standard;
        OutgoingRequest {
            url,
            update_id: UpdateId(Uuid::nil()),
            format,
            body: Bytes::from_static(b"{}"),
            delivery: None,
        }
    }

    #[actix_rt::test]
    async fn spec_4_10_a_forbidden_address_is_refused_at_the_send() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sends = sends("127.9.9.9/32");
        let report = sends.ask(ALICE, request(&listener)).await.unwrap();
        assert_eq!(report.outcome, Outcome::BlockedTarget);
        let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(nobody.is_err(), "a connection was made");
    }
}

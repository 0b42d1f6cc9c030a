//! Sends test payloads, once each and unsigned, and reports the outcome (Spec 4.10, decision 3.9).
//!
//! The caller may be on any thread; the sending happens on the thread that called [`TestSends::start`]. Sends
//! under way are bounded, in all and for each account: a place is taken before a send is accepted and freed when it is
//! over. Never here: retries, signatures, or a record of what was sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use super::attempt::{OutgoingRequest, Sender};
use crate::clock::{Busy, Clock};
use crate::domain::delivery::AttemptReport;
use crate::domain::ids::AccountId;
use crate::domain::scheduling::fair_share;

/// Sends under way at most.
const IN_FLIGHT_MAX: usize = 256;
/// The longest that a send may take.
pub const TIMEOUT_MAX: Duration = Duration::from_secs(5);

/// The way to the sending of test payloads, from any thread. Clones share the bound.
#[derive(Clone)]
pub struct TestSends {
    places: Arc<Places>,
    accepted: mpsc::Sender<Accepted>,
    clock: Clock,
}

/// As many test payloads are under way as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many test payloads are under way")]
pub struct TooMany;

/// A payload that was accepted.
#[derive(Debug)]
pub struct TestSend(oneshot::Receiver<AttemptReport>);

struct Places {
    free: Arc<Semaphore>,
    held: Mutex<HashMap<AccountId, usize>>,
}

/// A place that an account holds.
struct Place {
    places: Arc<Places>,
    account_id: AccountId,
    _permit: OwnedSemaphorePermit,
}

struct Accepted {
    request: OutgoingRequest,
    place: Place,
    outcome: oneshot::Sender<AttemptReport>,
    /// Keeps a simulated clock from moving until the send is over.
    busy: Option<Busy>,
}

impl TestSends {
    /// Sends with `sender` on this thread, as long as a clone of the returned value lives.
    pub fn start(sender: Sender, clock: &Clock) -> Self {
        Self::with_places(IN_FLIGHT_MAX, sender, clock)
    }

    /// Accepts one payload of an account and returns before it is sent.
    ///
    /// # Errors
    /// [`TooMany`]; nothing is sent.
    pub fn send(&self, account_id: AccountId, request: OutgoingRequest) -> Result<TestSend, TooMany> {
        let place = Places::take(&self.places, account_id).ok_or(TooMany)?;
        let (outcome, report) = oneshot::channel();
        let request = OutgoingRequest { delivery: None, ..request };
        let accepted = Accepted { request, place, outcome, busy: self.clock.busy() };
        self.accepted.try_send(accepted).map_err(|_| TooMany)?;
        Ok(TestSend(report))
    }

    /// Accepts nothing more, and waits until nothing is under way: no longer than the time-out of a send.
    pub async fn drain(&self) {
        let all = u32::try_from(self.accepted.max_capacity()).unwrap_or(u32::MAX);
        if let Ok(places) = self.places.free.acquire_many(all).await {
            places.forget();
        }
    }

    fn with_places(places: usize, sender: Sender, clock: &Clock) -> Self {
        let (accepted, waiting) = mpsc::channel(places);
        let timeout = sender.timeout().min(TIMEOUT_MAX);
        actix_rt::spawn(send_all(sender.with_timeout(timeout), waiting));
        let places = Places { free: Arc::new(Semaphore::new(places)), held: Mutex::default() };
        Self { places: Arc::new(places), accepted, clock: clock.clone() }
    }
}

impl TestSend {
    /// Waits for the outcome; `None` when the service stops first.
    pub async fn report(self) -> Option<AttemptReport> {
        self.0.await.ok()
    }
}

impl Places {
    fn take(places: &Arc<Self>, account_id: AccountId) -> Option<Place> {
        let mut held = places.held.lock().unwrap_or_else(PoisonError::into_inner);
        let of_account = held.get(&account_id).copied().unwrap_or_default();
        if !fair_share::may_take(of_account, places.free.available_permits()) {
            return None;
        }
        let permit = places.free.clone().try_acquire_owned().ok()?;
        held.insert(account_id, of_account + 1);
        Some(Place { places: places.clone(), account_id, _permit: permit })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.places.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.account_id) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.account_id);
            }
        }
    }
}

async fn send_all(sender: Sender, mut waiting: mpsc::Receiver<Accepted>) {
    while let Some(Accepted { request, place, outcome, busy }) = waiting.recv().await {
        let sender = sender.clone();
        actix_rt::spawn(async move {
            let report = sender.send(request).await;
            tracing::debug!(outcome = report.outcome.as_str(), status = report.status, "a test payload was sent");
            drop(place);
            // The caller may have given up.
            outcome.send(report).ok();
            drop(busy);
        });
    }
}

#[cfg(test)]
mod tests {
    use awc::http::header::HeaderValue;
    use bytes::Bytes;
    use tokio::io::AsyncReadExt;
    use tokio::net::{TcpListener, TcpStream};
    use uuid::Uuid;

    use super::*;
    use crate::domain::delivery::Outcome;
    use crate::domain::ids::UpdateId;
    use crate::outbound::address_guard::AddressGuard;
    use crate::outbound::transport::Transport;

    fn sends(places: usize, allowed: &str) -> TestSends {
        let clock = Clock::system();
        let transport = Transport::new(AddressGuard::new(vec![allowed.parse().unwrap()]), clock.clone());
        let user_agent = HeaderValue::from_static("radar/1");
        TestSends::with_places(
            places,
            Sender::new(transport, clock.clone(), user_agent, Duration::from_secs(60)),
            &clock,
        )
    }

    const ALICE: AccountId = AccountId(Uuid::from_u128(1));
    const BOB: AccountId = AccountId(Uuid::from_u128(2));

    fn request(listener: &TcpListener) -> OutgoingRequest {
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        OutgoingRequest { url, update_id: UpdateId(Uuid::nil()), body: Bytes::from_static(b"{}"), delivery: None }
    }

    async fn accept(listener: &TcpListener) -> TcpStream {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut head = [0; 4];
        stream.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"POST");
        stream
    }

    #[actix_rt::test]
    async fn spec_4_10_sends_under_way_are_bounded_and_places_come_free() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sends = sends(18, "127.0.0.0/8");
        // Of 18 places one account gets two: with the second, no more than 16 would be free for a third.
        assert!(sends.send(ALICE, request(&listener)).is_ok());
        let second = sends.send(ALICE, request(&listener)).unwrap();
        assert_eq!(sends.send(ALICE, request(&listener)).unwrap_err(), TooMany);
        let others = sends.send(BOB, request(&listener)).unwrap();
        // The receivers hang until their connections are dropped.
        let hanging = (accept(&listener).await, accept(&listener).await, accept(&listener).await);
        assert_eq!(sends.send(ALICE, request(&listener)).unwrap_err(), TooMany);
        drop(hanging);
        for send in [second, others] {
            assert!(send.report().await.is_some_and(|report| report.status.is_none()));
        }
        sends.drain().await;
        assert!(sends.places.held.lock().unwrap().is_empty());
        assert_eq!(sends.send(ALICE, request(&listener)).unwrap_err(), TooMany, "nothing is accepted after a drain");
    }

    #[actix_rt::test]
    async fn spec_4_10_a_forbidden_address_is_refused_at_the_send() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sends = sends(1, "127.9.9.9/32");
        let report = sends.send(ALICE, request(&listener)).unwrap().report().await.unwrap();
        assert_eq!(report.outcome, Outcome::BlockedTarget);
        let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(nobody.is_err(), "a connection was made");
    }
}

//! Sends test payloads: once each, unsigned, while nobody waits for the receiver (Spec 4.10, decision 3.9).
//!
//! Whoever asks may be on any thread; the sending happens on the thread that [`TestSends::start`] was called on. Sends
//! under way are bounded: a place is taken before a send is accepted and freed when it is over. Never here: retries,
//! signatures, or a record of what was sent.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::attempt::{Parcel, Sender};
use crate::clock::{Busy, Clock};

/// Sends under way at most.
const IN_FLIGHT_MAX: usize = 256;

/// The way to the sending of test payloads, from any thread. Clones share the bound.
#[derive(Clone)]
pub struct TestSends {
    places: Arc<Semaphore>,
    accepted: mpsc::Sender<Accepted>,
    clock: Clock,
}

/// As many test payloads are under way as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many test payloads are under way")]
pub struct TooMany;

struct Accepted {
    parcel: Parcel,
    place: OwnedSemaphorePermit,
    /// Keeps a simulated clock from moving until the send is over.
    busy: Option<Busy>,
}

impl TestSends {
    /// Sends with `sender` on this thread, for as long as a clone of what is returned lives.
    pub fn start(sender: Sender, clock: &Clock) -> Self {
        Self::with_places(IN_FLIGHT_MAX, sender, clock)
    }

    /// Accepts one payload for `url` and returns before it is sent.
    ///
    /// # Errors
    /// [`TooMany`]; nothing is sent.
    pub fn send(&self, parcel: Parcel) -> Result<(), TooMany> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| TooMany)?;
        let accepted = Accepted { parcel: Parcel { delivery: None, ..parcel }, place, busy: self.clock.busy() };
        self.accepted.try_send(accepted).map_err(|_| TooMany)
    }

    /// Accepts nothing more, and waits until nothing is under way: no longer than the time-out of a send.
    pub async fn drain(&self) {
        let all = u32::try_from(self.accepted.max_capacity()).unwrap_or(u32::MAX);
        if let Ok(places) = self.places.acquire_many(all).await {
            places.forget();
        }
    }

    fn with_places(places: usize, sender: Sender, clock: &Clock) -> Self {
        let (accepted, waiting) = mpsc::channel(places);
        actix_rt::spawn(send_all(sender, waiting));
        Self { places: Arc::new(Semaphore::new(places)), accepted, clock: clock.clone() }
    }
}

async fn send_all(sender: Sender, mut waiting: mpsc::Receiver<Accepted>) {
    while let Some(Accepted { parcel, place, busy }) = waiting.recv().await {
        let sender = sender.clone();
        actix_rt::spawn(async move {
            let report = sender.send(parcel).await;
            tracing::debug!(outcome = report.outcome.as_str(), status = report.status, "a test payload was sent");
            drop((place, busy));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use awc::http::header::HeaderValue;
    use bytes::Bytes;
    use tokio::io::AsyncReadExt;
    use tokio::net::{TcpListener, TcpStream};
    use uuid::Uuid;

    use super::*;
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

    fn parcel(listener: &TcpListener) -> Parcel {
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        Parcel { url, update_id: UpdateId(Uuid::nil()), body: Bytes::from_static(b"{}"), delivery: None }
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
        let sends = sends(2, "127.0.0.0/8");
        assert_eq!((sends.send(parcel(&listener)), sends.send(parcel(&listener))), (Ok(()), Ok(())));
        assert_eq!(sends.send(parcel(&listener)), Err(TooMany));
        // The receivers hang until their connections are dropped.
        let hanging = (accept(&listener).await, accept(&listener).await);
        assert_eq!(sends.send(parcel(&listener)), Err(TooMany));
        drop(hanging);
        sends.drain().await;
        assert_eq!(sends.send(parcel(&listener)), Err(TooMany), "nothing more is accepted after a drain");
    }

    #[actix_rt::test]
    async fn spec_4_10_a_forbidden_address_is_refused_at_the_send() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let sends = sends(1, "127.9.9.9/32");
        assert_eq!(sends.send(parcel(&listener)), Ok(()));
        sends.drain().await;
        let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(nobody.is_err(), "a connection was made");
    }
}

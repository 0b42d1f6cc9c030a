//! Sends finished spans in batches, one request at a time.

use std::time::Duration;

use bytes::Bytes;
use ipnet::{Ipv4Net, Ipv6Net};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use url::Url;

use crate::encoding;
use crate::layer::SpanLayer;
use crate::span::FinishedSpan;
use crate::{Fate, SpanFigures, WAITING_MAX};
use clock::Clock;
use outbound::address_guard::AddressGuard;
use outbound::transport::{Exchange, HeaderValue, Method, Transport, TransportError, header};

/// Spans that one request carries.
const BATCH_MAX: usize = 512;
/// How long spans may wait for others to go with.
const LINGER: Duration = Duration::from_secs(1);
/// How long a collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: usize = 4 * 1024;

/// Spans on their way to a collector, not sent yet.
pub struct Exporter {
    collector: Url,
    version: &'static str,
    figures: SpanFigures,
    finished: mpsc::Receiver<FinishedSpan>,
}

/// Spans that are being sent.
pub struct Exporting {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Exporter {
    /// What takes spans, and what sends them to `collector`, below whose path `v1/traces` is added, under the version of
    /// this program.
    pub fn new(mut collector: Url, version: &'static str, figures: SpanFigures) -> (SpanLayer, Self) {
        if let Ok(mut path) = collector.path_segments_mut() {
            path.pop_if_empty().extend(["v1", "traces"]);
        }
        let (waiting, finished) = mpsc::channel(WAITING_MAX);
        let layer = SpanLayer { clock: Clock::system(), figures: figures.clone(), waiting };
        (layer, Self { collector, version, figures, finished })
    }

    /// How many were sent and lost.
    pub fn figures(&self) -> &SpanFigures {
        &self.figures
    }

    /// Sends from now on, on this thread.
    pub fn start(self) -> Exporting {
        let (stop, stopped) = oneshot::channel();
        Exporting { stop, task: actix_rt::spawn(self.run(stopped)) }
    }

    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        // The collector is the operator's own, wherever it is. A simulated clock goes on while it is asked.
        let (clock, everywhere) = (Clock::system(), vec![Ipv4Net::default().into(), Ipv6Net::default().into()]);
        let transport = Transport::new(AddressGuard::new(everywhere), clock.clone());
        let mut batch = Vec::with_capacity(BATCH_MAX);
        let mut is_taken = true;
        let mut goes_on = true;
        while goes_on {
            goes_on = tokio::select! {
                biased;
                _ = &mut stopped => false,
                received = self.finished.recv_many(&mut batch, BATCH_MAX) => received > 0,
            };
            if goes_on && batch.len() < BATCH_MAX {
                goes_on = tokio::select! { biased; _ = &mut stopped => false, () = clock.sleep(LINGER) => true };
            }
            while batch.len() < BATCH_MAX
                && let Ok(span) = self.finished.try_recv()
            {
                batch.push(span);
            }
            if !batch.is_empty() {
                let sent = self.send(&transport, &batch).await;
                self.figures.note(if sent.is_ok() { Fate::Sent } else { Fate::Failed }, batch.len());
                match &sent {
                    Err(error) if is_taken => tracing::warn!(%error, "the collector does not take traces"),
                    Ok(()) if !is_taken => tracing::info!("the collector takes traces again"),
                    _ => {}
                }
                is_taken = sent.is_ok();
                batch.clear();
            }
        }
    }

    async fn send(&self, transport: &Transport, spans: &[FinishedSpan]) -> Result<(), NotTaken> {
        let exchange = Exchange {
            method: Method::POST,
            url: self.collector.clone(),
            headers: vec![(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))],
            body: Bytes::from(encoding::request(self.version, spans).to_string()),
            timeout: TIMEOUT,
            body_bytes_max: ANSWER_BYTES_MAX,
        };
        let answer = transport.exchange(exchange).await?;
        if (200..300).contains(&answer.status) { Ok(()) } else { Err(NotTaken::Status(answer.status)) }
    }
}

impl Exporting {
    /// Sends what waits, a batch of it at most, and ends.
    pub async fn stop(self) {
        self.stop.send(()).ok();
        self.task.await.ok();
    }
}

/// Why spans are lost.
#[derive(Debug, thiserror::Error)]
enum NotTaken {
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error("answered {0}")]
    Status(u16),
}

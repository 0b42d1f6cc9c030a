//! Keeps alive the actors that must always run: a panicked one is started again from its factory, later each time.

use std::time::Duration;

use actix::Recipient;
use tokio::sync::oneshot;

use super::mailbox::{Mailbox, MailboxState, Posted};
use super::metrics::Resident;
use domain::scheduling::backoff::backoff;

/// The wait before the first restart.
const BACKOFF_MIN: Duration = Duration::from_millis(100);
/// The longest wait before a restart.
const BACKOFF_MAX: Duration = Duration::from_secs(30);
/// After this long without a panic the next one counts as the first.
const HEALTHY_AFTER: Duration = Duration::from_secs(600);

/// A field of every supervised actor: reports a panic that ends it, which actix itself does not. An actor that stops
/// drops the report.
pub struct ExitGuard {
    panicked: Option<oneshot::Sender<()>>,
    _resident: Resident,
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if let Some(panicked) = self.panicked.take().filter(|_| std::thread::panicking()) {
            // Without a supervisor nothing is restarted.
            panicked.send(()).ok();
        }
    }
}

/// Starts the actor of a mailbox on this thread and keeps it alive until it stops by itself.
pub fn supervise<M, A>(mailbox: &Mailbox<M>, start: impl Fn(ExitGuard) -> A + 'static)
where
    M: Send + 'static,
    A: Into<Recipient<Posted<M>>>,
{
    let mailbox = mailbox.clone();
    let first = begin(&mailbox, &start);
    actix::spawn(async move {
        let MailboxState { actor_metrics, clock, kind, .. } = mailbox.shared();
        let mut panicked = first;
        let mut crashes = 0;
        loop {
            let started_at = clock.steady_now();
            if panicked.await.is_err() {
                return;
            }
            actor_metrics.note(*kind, |figures| figures.restarts += 1);
            let lived = (clock.steady_now() - started_at).to_std().unwrap_or_default();
            crashes = if lived >= HEALTHY_AFTER { 1 } else { crashes + 1 };
            tracing::error!(actor = kind.as_str(), crashes, "an actor panicked and is restarted");
            clock.sleep(backoff(crashes, BACKOFF_MIN, BACKOFF_MAX)).await;
            panicked = begin(&mailbox, &start);
        }
    });
}

fn begin<M, A>(mailbox: &Mailbox<M>, start: &impl Fn(ExitGuard) -> A) -> oneshot::Receiver<()>
where
    M: Send + 'static,
    A: Into<Recipient<Posted<M>>>,
{
    let (report, panicked) = oneshot::channel();
    let MailboxState { actor_metrics, kind, .. } = mailbox.shared();
    mailbox.connect(start(ExitGuard { panicked: Some(report), _resident: actor_metrics.resident(*kind) }));
    panicked
}

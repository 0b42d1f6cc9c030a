//! Keeps alive the actors that must always run: a panicked one is started again from its factory, later each time.

use std::time::Duration;

use actix::{Actor, Addr};
use tokio::sync::oneshot;

use super::mailbox::Mailbox;
use super::metrics::{ActorMetrics, Kind, Resident};
use crate::clock::Clock;
use crate::domain::scheduling::backoff::backoff;

/// The wait before the first restart.
const BACKOFF_MIN: Duration = Duration::from_millis(100);
/// The longest wait before a restart.
const BACKOFF_MAX: Duration = Duration::from_secs(30);
/// After this long without a panic the next one counts as the first.
const HEALTHY_AFTER: Duration = Duration::from_secs(600);

/// How an actor ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was stopped.
    Stopped,
    /// It panicked.
    Panicked,
}

/// A field of every supervised actor: reports its end, however it comes. actix itself reports none.
pub struct ExitGuard {
    report: Option<oneshot::Sender<Exit>>,
    _resident: Resident,
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        let exit = if std::thread::panicking() { Exit::Panicked } else { Exit::Stopped };
        if let Some(report) = self.report.take() {
            // Without a supervisor nothing is restarted.
            report.send(exit).ok();
        }
    }
}

/// Starts an actor on this thread and keeps it alive until it stops by itself.
pub fn supervise<A, F>(kind: Kind, actor_metrics: &ActorMetrics, clock: &Clock, mailbox: &Mailbox<A>, start: F)
where
    A: Actor,
    F: Fn(ExitGuard) -> Addr<A> + 'static,
{
    let (actor_metrics, clock, mailbox) = (actor_metrics.clone(), clock.clone(), mailbox.clone());
    let first = begin(kind, &actor_metrics, &mailbox, &start);
    actix::spawn(async move {
        let mut exit = first;
        let mut crashes = 0;
        loop {
            let started_at = clock.now();
            if exit.await.unwrap_or(Exit::Stopped) == Exit::Stopped {
                return;
            }
            actor_metrics.restarted(kind);
            let lived = (clock.now() - started_at).to_std().unwrap_or_default();
            crashes = if lived >= HEALTHY_AFTER { 1 } else { crashes + 1 };
            tracing::error!(actor = kind.as_str(), crashes, "an actor panicked and is restarted");
            clock.sleep(backoff(crashes, BACKOFF_MIN, BACKOFF_MAX)).await;
            exit = begin(kind, &actor_metrics, &mailbox, &start);
        }
    });
}

fn begin<A: Actor>(
    kind: Kind,
    actor_metrics: &ActorMetrics,
    mailbox: &Mailbox<A>,
    start: &impl Fn(ExitGuard) -> Addr<A>,
) -> oneshot::Receiver<Exit> {
    let (report, exit) = oneshot::channel();
    mailbox.connect(start(ExitGuard { report: Some(report), _resident: actor_metrics.resident(kind) }));
    exit
}

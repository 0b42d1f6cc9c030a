//! Keeps the actors alive that must always be there: restarts a panicked one from its factory, later each time.

use std::time::Duration;

use actix::{Actor, Addr};
use tokio::sync::oneshot;

use super::mailbox::Mailbox;
use super::metrics::{ActorMetrics, Kind, Resident};
use crate::clock::Clock;

/// The wait before the first restart.
const BACKOFF_MIN: Duration = Duration::from_millis(100);
/// The longest wait before a restart.
const BACKOFF_MAX: Duration = Duration::from_secs(30);
/// An actor that lived this long is well: its next panic counts as its first.
const HEALTHY_AFTER: Duration = Duration::from_secs(600);

/// How an actor ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It was stopped.
    Stopped,
    /// It panicked.
    Panicked,
}

/// A field of every kept actor: its end, however it comes, is reported. actix itself reports none.
pub struct ExitGuard {
    report: Option<oneshot::Sender<Exit>>,
    _resident: Resident,
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        let exit = if std::thread::panicking() { Exit::Panicked } else { Exit::Stopped };
        if let Some(report) = self.report.take() {
            // A supervisor that is gone has nobody left to restart.
            report.send(exit).ok();
        }
    }
}

/// The wait before the restart that follows `crashes` panics in a row: doubling, bounded.
pub fn backoff(crashes: u32, min: Duration, max: Duration) -> Duration {
    min.saturating_mul(1_u32.checked_shl(crashes.saturating_sub(1).min(20)).unwrap_or(u32::MAX)).min(max)
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

#[cfg(test)]
mod tests {
    use super::backoff;
    use std::time::Duration;

    #[test]
    fn restarts_come_later_each_time_up_to_a_bound() {
        let (min, max) = (Duration::from_secs(1), Duration::from_secs(600));
        let waits: Vec<u64> = [1, 2, 3, 10, 11, 40].map(|crashes| backoff(crashes, min, max).as_secs()).to_vec();
        assert_eq!(waits, [1, 2, 4, 512, 600, 600]);
    }
}

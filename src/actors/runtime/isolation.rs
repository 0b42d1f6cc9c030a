//! Keeps everything else away while a suspect runs (`domain::scheduling::attempts`).
//!
//! Attempts run concurrently. A suspect, whose last attempt never ended, runs alone: if the process dies then, the suspect
//! is to blame. The others wait only for a short time: running attempts get a moment to end, others continue next to a
//! suspect that takes long, and between two suspects they get at least as much time as the last one took.
//!
//! Duty: who may begin. Never here: what an attempt is. Belongs to one thread.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::Notify;

use clock::Clock;

/// How long what is under way may take to end before a suspect begins all the same.
const SETTLE_MAX: Duration = Duration::from_secs(5);
/// How long a suspect holds up the others at most.
const ALONE_MAX: Duration = Duration::from_secs(30);
/// The shortest time between two suspects.
const APART_MIN: Duration = Duration::from_millis(100);

/// Decides who may begin.
pub struct Isolation {
    pub(super) clock: Clock,
    at_work: Cell<usize>,
    is_closed: Cell<bool>,
    /// When the next suspect may begin.
    next_at: Cell<Option<DateTime<Utc>>>,
    changed: Notify,
}

/// An attempt under way; ends when this is dropped.
struct AtWork {
    isolation: Rc<Isolation>,
}

/// A suspect under way, alone for as long as this lives.
pub struct Alone {
    isolation: Rc<Isolation>,
    since: DateTime<Utc>,
}

impl Isolation {
    /// No attempt is under way yet.
    pub fn new(clock: Clock) -> Rc<Self> {
        let (at_work, is_closed, next_at) = (Cell::new(0), Cell::new(false), Cell::new(None));
        Rc::new(Self { clock, at_work, is_closed, next_at, changed: Notify::new() })
    }

    /// Waits until no suspect is alone.
    pub async fn opened(&self) {
        while self.is_closed.get() {
            self.changed.notified().await;
        }
    }

    /// An attempt, which counts as under way from now until it ends or is dropped; a suspect's runs alone.
    pub fn run<F: Future>(
        self: &Rc<Self>,
        alone: Option<Alone>,
        attempt: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        self.at_work.set(self.at_work.get() + 1);
        let at_work = AtWork { isolation: self.clone() };
        async move {
            let _at_work = at_work;
            match alone {
                Some(alone) => alone.run(attempt).await,
                None => attempt.await,
            }
        }
    }

    /// Waits until a suspect may begin; from then on no other attempt begins.
    pub async fn alone(self: &Rc<Self>) -> Alone {
        loop {
            self.opened().await;
            let left = self.next_at.get().map(|next_at| next_at - self.clock.steady_now());
            match left.and_then(|left| left.to_std().ok()).filter(|left| !left.is_zero()) {
                Some(left) => self.clock.sleep(left).await,
                None => break,
            }
        }
        self.is_closed.set(true);
        let alone = Alone { isolation: self.clone(), since: self.clock.steady_now() };
        let settled = async {
            while self.at_work.get() > 0 {
                self.changed.notified().await;
            }
        };
        tokio::select! {
            biased;
            () = settled => {}
            () = self.clock.sleep(SETTLE_MAX) => {}
        }
        alone
    }
}

impl Alone {
    /// Runs `work` alone; if it takes long, the others continue next to it.
    async fn run<T>(self, work: impl Future<Output = T>) -> T {
        let clock = self.isolation.clock.clone();
        let mut work = std::pin::pin!(work);
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = clock.sleep(ALONE_MAX) => drop(self),
        }
        work.await
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.isolation.at_work.set(self.isolation.at_work.get().saturating_sub(1));
        self.isolation.changed.notify_waiters();
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let now = self.isolation.clock.steady_now();
        let apart = (now - self.since).to_std().unwrap_or_default().max(APART_MIN);
        self.isolation.next_at.set(now.checked_add_signed(chrono::Duration::from_std(apart).unwrap_or_default()));
        self.isolation.is_closed.set(false);
        self.isolation.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use futures_util::FutureExt;

    use super::Isolation;
    use clock::Clock;

    fn isolation() -> std::rc::Rc<Isolation> {
        Isolation::new(Clock::simulated("2026-11-21T00:00:00Z".parse().unwrap()))
    }

    #[test]
    fn a_suspect_waits_for_the_others_and_they_for_it() {
        let isolation = isolation();
        let at_work = isolation.run(None, pending::<()>());
        let mut context = Context::from_waker(Waker::noop());
        let mut alone = pin!(isolation.alone());
        assert!(alone.as_mut().poll(&mut context).is_pending(), "somebody is at work");
        assert!(isolation.opened().now_or_never().is_none(), "nothing new begins meanwhile");
        drop(at_work);
        let Poll::Ready(alone) = alone.as_mut().poll(&mut context) else { panic!("nobody is at work") };
        assert!(isolation.alone().now_or_never().is_none(), "one suspect at a time");
        assert!(isolation.opened().now_or_never().is_none());
        drop(alone);
        assert!(isolation.opened().now_or_never().is_some());
        assert!(isolation.alone().now_or_never().is_none(), "the others have time in between");
    }

    #[test]
    fn a_suspect_that_is_given_up_keeps_nobody_waiting() {
        let isolation = isolation();
        let at_work = isolation.run(None, pending::<()>());
        {
            let mut alone = pin!(isolation.alone());
            assert!(alone.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert!(isolation.opened().now_or_never().is_some());
        drop(at_work);
        let _at_work = isolation.run(None, pending::<()>());
        assert!(isolation.at_work.get() == 1);
    }
}

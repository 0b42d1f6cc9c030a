//! Time, as everything in this service sees it.
//!
//! Duty: the only room that asks the machine for the time or waits for it. All waiting and all `now` go through
//! [`Clock`], so that a test or an operator can move a simulated one. It never decides anything.

#![expect(clippy::disallowed_methods, reason = "the only room that reads the time and waits")]

mod in_order;
mod machine;
mod simulated;
mod system;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use machine::Machine;
use simulated::Simulated;
use system::System;

/// The clock of one running service: the machine's, or one that only the operator moves.
#[derive(Clone)]
pub struct Clock {
    system: Arc<System>,
    /// `None` for the machine's.
    simulated: Option<Arc<Simulated>>,
    /// Where several machines are simulated: which of them shows this clock.
    machine: Option<Arc<Machine>>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self { system: Arc::default(), simulated: None, machine: None }
    }

    /// A clock that stands still at `start_at` until [`Clock::advance`] moves it.
    pub fn simulated(start_at: DateTime<Utc>) -> Self {
        Self { simulated: Some(Arc::new(Simulated::new(start_at))), ..Self::system() }
    }

    /// A simulated clock for tests that must run the same way every time: I/O is done in the order in which it is asked
    /// for, one piece at a time, and its answers are seen only when nothing else can run.
    pub fn in_order(start_at: DateTime<Utc>) -> Self {
        Self { simulated: Some(Arc::new(Simulated::in_order(start_at))), ..Self::system() }
    }

    /// The clock of one more machine in the simulation of this one, `ahead` of it or behind. Their I/O is one at a time, too.
    #[must_use]
    pub fn of_machine(&self, ahead: chrono::TimeDelta) -> Self {
        Self { machine: Some(Arc::new(Machine::new(ahead))), ..self.clone() }
    }

    /// Freezes the machine of this clock, or lets it go on: until then its I/O waits, and time passes without it. To be
    /// called in a piece of I/O of the simulation itself, so that it is in the middle of none.
    pub fn set_frozen(&self, is_frozen: bool) {
        if let (Some(clock), Some(machine)) = (&self.simulated, &self.machine) {
            clock.set_frozen(machine, is_frozen);
        }
    }

    /// The present instant, in whole microseconds, the unit that the store keeps.
    pub fn now(&self) -> DateTime<Utc> {
        match &self.simulated {
            None => self.system.now(),
            Some(clock) => clock.now() + self.ahead(),
        }
    }

    /// The same on the machine of the database, of which all processes are told the same.
    pub fn common_now(&self) -> DateTime<Utc> {
        self.now() - self.ahead()
    }

    fn ahead(&self) -> chrono::TimeDelta {
        self.machine.as_ref().map_or(chrono::TimeDelta::zero(), |machine| machine.ahead)
    }

    /// What this clock would show had nobody set it since it was made. For spans of time and for what is remembered in
    /// memory only: such an instant is neither stored nor shown, and compared with others of its kind alone.
    pub fn steady_now(&self) -> DateTime<Utc> {
        match &self.simulated {
            None => self.system.steady_now(),
            Some(clock) => clock.now(),
        }
    }

    /// Sets the system clock by so much forward, or back where it is negative, as an administrator does to the machine's;
    /// for tests. A simulated clock stays as it is.
    pub fn step(&self, by: chrono::Duration) {
        self.system.step(by);
    }

    /// Whether other processes may go by the same time: a simulated clock belongs to one, unless machines are simulated.
    pub const fn is_shared(&self) -> bool {
        self.simulated.is_none() || self.machine.is_some()
    }

    /// Whether this clock moves only on request.
    pub fn is_simulated(&self) -> bool {
        self.simulated.is_some()
    }

    /// Waits until `wake_at`; returns at once when that instant has passed.
    pub async fn sleep_until(&self, wake_at: DateTime<Utc>) {
        match &self.simulated {
            None => self.system.sleep_until(wake_at).await,
            Some(clock) => clock.sleep_until(wake_at.checked_sub_signed(self.ahead()).unwrap_or(wake_at)).await,
        }
    }

    /// Waits until `wake_at`, but no longer than that is ahead now, however the machine's wall clock is set meanwhile: for
    /// loops, which look again at what is due.
    pub async fn look_at(&self, wake_at: DateTime<Utc>) {
        let left = (wake_at - self.now()).to_std().unwrap_or_default();
        tokio::select! {
            biased;
            () = self.sleep_until(wake_at) => {}
            () = self.sleep(left) => {}
        }
    }

    /// Waits for `duration`, however the machine's wall clock is set meanwhile: back-offs, time-outs and the renewal of
    /// leases go on when it is set back.
    pub async fn sleep(&self, duration: Duration) {
        match &self.simulated {
            None => tokio::time::sleep(duration).await,
            Some(clock) => {
                let duration = chrono::Duration::from_std(duration).unwrap_or(chrono::Duration::MAX);
                let wake_at = clock.now().checked_add_signed(duration).unwrap_or(DateTime::<Utc>::MAX_UTC);
                clock.sleep_until(wake_at).await;
            }
        }
    }

    /// How long a loop may sleep when nothing that it knows of is due.
    ///
    /// Where there are other processes that is `period`: it finds what another one wrote or a lost wake-up left. A simulated
    /// clock mostly belongs to one process whose wake-ups are certain, so polling there would only step through empty time;
    /// but a test may lose them on purpose.
    pub fn backstop(&self, period: Duration) -> Duration {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        match &self.simulated {
            Some(clock) if !self.is_shared() && clock.is_in_order() => DAY,
            Some(_) if !self.is_shared() => 365 * DAY,
            _ => period,
        }
    }

    /// Runs `work` (a database call, a network call) and keeps a simulated clock from moving until it is done.
    pub async fn io<F: Future>(&self, work: F) -> F::Output {
        let _busy = self.busy();
        match &self.simulated {
            None => work.await,
            Some(clock) => clock.io(work, self.machine.as_ref()).await,
        }
    }

    /// Waits for an answer of an actor, and keeps a simulated clock from moving until then.
    pub async fn hold<F: Future>(&self, answer: F) -> F::Output {
        let _busy = self.busy();
        answer.await
    }

    /// Keeps a simulated clock from moving while the returned value lives.
    pub fn busy(&self) -> Option<Busy> {
        let clock = self.simulated.clone()?;
        clock.begin_io(self.machine.as_ref());
        Some(Busy { clock, machine: self.machine.clone() })
    }

    /// The machine's own time, which goes on whatever the clock says: for bounds on I/O.
    pub fn real_now(&self) -> Instant {
        Instant::now()
    }

    /// Gives `work` a bound in real time, which runs on whatever the clock says: for I/O and for orderly stops.
    pub async fn real_timeout<F: Future>(&self, bound: Duration, work: F) -> Option<F::Output> {
        tokio::time::timeout(bound, work).await.ok()
    }

    /// A timer in real time, which runs on whatever the clock says: for the deadlines of connections.
    pub fn real_timer(&self, duration: Duration) -> RealTimer {
        RealTimer { sleep: Box::pin(tokio::time::sleep(duration)) }
    }

    /// Moves a simulated clock forward by `duration`, one timer at a time, and returns once the system is quiet there.
    ///
    /// `None` on the system clock, which cannot be moved.
    pub async fn advance(&self, duration: chrono::Duration) -> Option<DateTime<Utc>> {
        Some(self.simulated.as_ref()?.advance(duration).await)
    }

    /// Sets a simulated clock to where an earlier run left it; it never goes back. Not for use once timers wait.
    pub fn resume_at(&self, at: DateTime<Utc>) {
        if let Some(clock) = &self.simulated {
            clock.resume_at(at);
        }
    }

    /// Runs for as long as the service does, on the runtime that [`Clock::runtime`] made.
    pub async fn drive(&self) {
        match &self.simulated {
            None => std::future::pending().await,
            Some(clock) => clock.drive().await,
        }
    }

    /// A runtime of one thread whose idle moments step this clock, if it is a simulated one; [`Clock::drive`] is to run on it.
    ///
    /// # Errors
    /// What the system says when it has no room for one.
    pub fn runtime(&self) -> std::io::Result<tokio::runtime::Runtime> {
        let stepped = self.simulated.clone();
        let step = move || {
            if let Some(clock) = &stepped {
                clock.step_when_quiet();
            }
        };
        tokio::runtime::Builder::new_current_thread().enable_all().on_thread_park(step).build()
    }
}

/// Is ready once its time has passed.
pub struct RealTimer {
    sleep: Pin<Box<tokio::time::Sleep>>,
}

impl RealTimer {
    /// Lets it run again, for `duration` from now.
    pub fn restart(&mut self, duration: Duration) {
        let now = tokio::time::Instant::now();
        self.sleep.as_mut().reset(now.checked_add(duration).unwrap_or(now));
    }
}

impl Future for RealTimer {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.sleep.as_mut().poll(context)
    }
}

/// Proof that something is under way which the simulated clock must not overtake.
pub struct Busy {
    clock: Arc<Simulated>,
    machine: Option<Arc<Machine>>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.clock.end_io(self.machine.as_ref());
    }
}

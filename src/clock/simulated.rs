//! The simulated clock: timers in order, stepped from one instant to the next, only when nothing is runnable and no I/O
//! is in flight.
//!
//! The stepping hangs on the actors' runtime going idle, not on paused tokio time: the database driver lives on threads
//! that tokio does not know, so a paused clock would overtake it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};

use chrono::{DateTime, SubsecRound, Utc};
use parking_lot::Mutex;
use tokio::sync::{Notify, oneshot};

use super::in_order::InOrder;
use super::machine::Machine;

/// Deadline, then order of registration: the total order in which timers fire.
type TimerKey = (DateTime<Utc>, u64);

pub(super) struct Simulated {
    state: Mutex<State>,
    in_flight: AtomicUsize,
    /// Makes the runtime that steps the clock run, and so park, once more.
    nudge: Arc<Notify>,
    in_order: Option<InOrder>,
}

struct State {
    now: DateTime<Utc>,
    next_timer_no: u64,
    timers: BTreeMap<TimerKey, Waker>,
    advances: Vec<Advance>,
}

struct Advance {
    until: DateTime<Utc>,
    done: oneshot::Sender<DateTime<Utc>>,
}

impl Simulated {
    pub(super) fn new(start_at: DateTime<Utc>) -> Self {
        let state =
            State { now: start_at.trunc_subsecs(6), next_timer_no: 0, timers: BTreeMap::new(), advances: Vec::new() };
        Self { state: Mutex::new(state), in_flight: AtomicUsize::new(0), nudge: Arc::default(), in_order: None }
    }

    pub(super) fn in_order(start_at: DateTime<Utc>) -> Self {
        let clock = Self::new(start_at);
        Self { in_order: Some(InOrder::new(clock.nudge.clone())), ..clock }
    }

    pub(super) fn is_in_order(&self) -> bool {
        self.in_order.is_some()
    }

    pub(super) async fn io<F: Future>(&self, work: F, machine: Option<&Arc<Machine>>) -> F::Output {
        match &self.in_order {
            Some(in_order) => in_order.run(work, machine).await,
            None => work.await,
        }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.state.lock().now
    }

    pub(super) fn resume_at(&self, at: DateTime<Utc>) {
        let mut state = self.state.lock();
        state.now = state.now.max(at.trunc_subsecs(6));
    }

    /// Never ends: must run on the runtime that steps the clock, so that it can be woken from other threads.
    pub(super) async fn drive(&self) {
        loop {
            self.nudge.notified().await;
        }
    }

    pub(super) fn sleep_until(&self, wake_at: DateTime<Utc>) -> Sleep<'_> {
        Sleep { clock: self, wake_at, key: None }
    }

    pub(super) async fn advance(&self, duration: chrono::Duration) -> DateTime<Utc> {
        let (done, quiet) = oneshot::channel();
        let until = {
            let mut state = self.state.lock();
            let from = state.advances.iter().map(|advance| advance.until).max().unwrap_or(state.now);
            let until = from.checked_add_signed(duration).unwrap_or(DateTime::<Utc>::MAX_UTC);
            state.advances.push(Advance { until, done });
            until
        };
        self.nudge.notify_one();
        // A sender that is dropped means the service stops: there is no later instant to report.
        quiet.await.unwrap_or(until)
    }

    /// One step of the simulation: moves to the first deadline within the nearest advance and wakes what waits for it, in
    /// the order in which it began to wait; or ends that advance.
    pub(super) fn step_when_quiet(&self) {
        if self.in_order.as_ref().is_some_and(InOrder::pass_on) {
            return;
        }
        if self.in_flight.load(Ordering::SeqCst) > 0 {
            return;
        }
        let mut state = self.state.lock();
        let Some(nearest) = (0..state.advances.len()).min_by_key(|&index| state.advances[index].until) else {
            return;
        };
        let until = state.advances[nearest].until;
        match state.timers.first_key_value().map(|(&key, _)| key) {
            Some((deadline, _)) if deadline <= until => {
                state.now = state.now.max(deadline);
                let later = state.timers.split_off(&(deadline, u64::MAX));
                let due = std::mem::replace(&mut state.timers, later);
                drop(state);
                due.into_values().for_each(Waker::wake);
                // Those of a machine that is frozen do not run, and nothing else might.
                self.nudge.notify_one();
            }
            _ => {
                state.now = state.now.max(until);
                let advance = state.advances.swap_remove(nearest);
                let now = state.now;
                drop(state);
                // The caller may have given up waiting; the time has passed all the same.
                advance.done.send(now).ok();
            }
        }
    }

    /// Something is under way, for which time stands still unless it is on a machine that is frozen.
    pub(super) fn begin_io(&self, machine: Option<&Arc<Machine>>) {
        if let Some(machine) = machine {
            machine.begin_io();
        }
        if machine.is_none_or(|machine| !machine.is_frozen()) {
            self.in_flight.fetch_add(1, Ordering::SeqCst);
        }
    }

    pub(super) fn end_io(&self, machine: Option<&Arc<Machine>>) {
        if let Some(machine) = machine {
            machine.end_io();
        }
        if machine.is_none_or(|machine| !machine.is_frozen()) {
            self.forget_in_flight(1);
        }
    }

    /// Freezes a machine, or lets it go on.
    pub(super) fn set_frozen(&self, machine: &Machine, is_frozen: bool) {
        let in_flight = machine.set_frozen(is_frozen);
        if is_frozen {
            self.forget_in_flight(in_flight);
        } else {
            self.in_flight.fetch_add(in_flight, Ordering::SeqCst);
        }
    }

    fn forget_in_flight(&self, count: usize) {
        if self.in_flight.fetch_sub(count, Ordering::SeqCst) == count {
            self.nudge.notify_one();
        }
    }
}

/// A sleep on the simulated clock. Dropping it takes its timer out of the heap.
pub(super) struct Sleep<'a> {
    clock: &'a Simulated,
    wake_at: DateTime<Utc>,
    key: Option<TimerKey>,
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let clock = self.clock;
        let mut state = clock.state.lock();
        if self.wake_at <= state.now {
            return Poll::Ready(());
        }
        let wake_at = self.wake_at;
        let key = *self.key.get_or_insert_with(|| {
            state.next_timer_no += 1;
            (wake_at, state.next_timer_no)
        });
        state.timers.insert(key, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.clock.state.lock().timers.remove(&key);
        }
    }
}

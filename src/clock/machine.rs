//! Several machines in one simulation, beside one database server: time passes for all of them alike, the clock of each is
//! wrong in its own way, and one can be frozen, as a machine is that is out of memory or moved to another host.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use chrono::TimeDelta;

/// One of them.
pub(super) struct Machine {
    /// By how much its clock is ahead, or behind where it is negative.
    pub(super) ahead: TimeDelta,
    is_frozen: AtomicBool,
    in_flight: AtomicUsize,
}

impl Machine {
    pub(super) fn new(ahead: TimeDelta) -> Self {
        Self { ahead, is_frozen: AtomicBool::new(false), in_flight: AtomicUsize::new(0) }
    }

    pub(super) fn is_frozen(&self) -> bool {
        self.is_frozen.load(SeqCst)
    }

    /// Freezes it or lets it go on; how much of it is under way, if that is a change.
    pub(super) fn set_frozen(&self, is_frozen: bool) -> usize {
        let is_changed = self.is_frozen.swap(is_frozen, SeqCst) != is_frozen;
        if is_changed { self.in_flight.load(SeqCst) } else { 0 }
    }

    pub(super) fn begin_io(&self) {
        self.in_flight.fetch_add(1, SeqCst);
    }

    pub(super) fn end_io(&self) {
        self.in_flight.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use chrono::{DateTime, TimeDelta};

    use crate::Clock;

    #[test]
    fn time_passes_without_a_machine_that_is_frozen() {
        let clock = Clock::in_order(DateTime::UNIX_EPOCH);
        let (machine, long) = (clock.of_machine(TimeDelta::seconds(5)), TimeDelta::seconds(10));
        let freezing = async {
            clock.io(async { machine.set_frozen(true) }).await;
            let mut asked = pin!(machine.io(async { 7 }));
            tokio::select! {
                biased;
                _ = &mut asked => panic!("it is frozen"),
                now = clock.advance(long) => assert_eq!(now, Some(DateTime::UNIX_EPOCH + long)),
            }
            assert_eq!((machine.common_now(), machine.now()), (clock.now(), clock.now() + TimeDelta::seconds(5)));
            machine.set_frozen(false);
            assert_eq!(asked.await, 7);
        };
        clock.runtime().unwrap().block_on(async {
            tokio::select! {
                () = clock.drive() => {}
                () = freezing => {}
            }
        });
    }
}

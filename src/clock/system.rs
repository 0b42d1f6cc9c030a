//! The machine's clock: its wall clock, which can be set, and the time since the start, which cannot.

use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::time::{Duration, Instant};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

/// The longest that a sleep goes without looking at the wall clock again: one that was set forward is noticed within
/// this time.
const SLEEP_MAX: Duration = Duration::from_secs(60);

pub(super) struct System {
    began_at: DateTime<Utc>,
    began: Instant,
    /// By how much a test has set it forward, in microseconds.
    stepped_us: AtomicI64,
}

impl Default for System {
    fn default() -> Self {
        Self { began_at: Utc::now().trunc_subsecs(6), began: Instant::now(), stepped_us: AtomicI64::new(0) }
    }
}

impl System {
    pub(super) fn now(&self) -> DateTime<Utc> {
        (Utc::now() + TimeDelta::microseconds(self.stepped_us.load(SeqCst))).trunc_subsecs(6)
    }

    pub(super) fn steady_now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.began.elapsed()).unwrap_or(TimeDelta::MAX);
        self.began_at.checked_add_signed(elapsed).unwrap_or(DateTime::<Utc>::MAX_UTC).trunc_subsecs(6)
    }

    pub(super) fn step(&self, by: TimeDelta) {
        self.stepped_us.fetch_add(by.num_microseconds().unwrap_or_default(), SeqCst);
    }

    pub(super) async fn sleep_until(&self, wake_at: DateTime<Utc>) {
        while let Ok(left) = (wake_at - self.now()).to_std() {
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(SLEEP_MAX)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::TimeDelta;

    use crate::Clock;

    #[tokio::test]
    async fn a_clock_that_is_set_moves_no_span_and_makes_no_loop_wait_longer() {
        let clock = Clock::system();
        let (wall, steady) = (clock.now(), clock.steady_now());
        clock.step(TimeDelta::hours(2));
        assert!(clock.now() - wall >= TimeDelta::hours(2));
        assert!(clock.steady_now() - steady < TimeDelta::hours(1));
        let soon = clock.now() + TimeDelta::milliseconds(20);
        let looking = clock.look_at(soon);
        let setting = async { clock.step(TimeDelta::hours(-2)) };
        tokio::join!(looking, setting);
        assert!(clock.now() < soon, "it looks although the wall clock is behind");
        clock.step(TimeDelta::hours(2));
        let waiting = clock.real_timeout(Duration::from_secs(60), clock.sleep_until(soon));
        assert!(waiting.await.is_some(), "an instant of the wall clock is waited for by the wall clock");
    }
}

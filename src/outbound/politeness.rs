//! Politeness towards one host: how many requests at once, how far apart, silence when the host asks for it, and quotas
//! that several hosts may share (decision 7.4).
//!
//! Duty: who may send when. Never here: what is sent, or why.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::LocalBoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use clock::Clock;
use domain::scheduling::quota::{Quota, SentRequests};

/// Requests to one host at once.
pub const CONCURRENCY: usize = 2;
/// Hosts that are remembered before those at rest are forgotten.
const HOSTS_REMEMBERED: usize = 4_096;

/// The permission to send one request to a host, which ends when it is dropped.
pub type Turn = Box<dyn Any>;

/// Turns that several processes take at the same hosts.
pub trait SharedTurns {
    /// Whether another process may ask hosts now.
    fn are_wanted(&self) -> bool;

    /// Waits for a turn at `host`, whose requests are `gap` apart over all processes. This process's `permit` is held until
    /// the others know that the turn has ended.
    fn turn(&self, host: &str, gap: Duration, permit: OwnedSemaphorePermit) -> LocalBoxFuture<'static, Turn>;
}

/// When each host may be asked again. Belongs to one thread.
pub struct Politeness {
    clock: Clock,
    shared: OnceCell<Box<dyn SharedTurns>>,
    hosts: RefCell<HashMap<String, Rc<Host>>>,
    /// By the name of a group of hosts; source files name them, so there are few.
    sent: RefCell<HashMap<String, SentRequests>>,
    /// Has no permit; it is closed when nobody may wait any more.
    stop: Semaphore,
}

/// The pace that a source asks for beside what every host gets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace<'a> {
    /// The least time between two requests to the host.
    pub gap: Duration,
    /// The quotas of a group of hosts, by its name; they hold for this process, and begin anew with it.
    pub quotas: Option<(&'a str, &'a [Quota])>,
}

struct Host {
    permits: Arc<Semaphore>,
    /// The first instant at which the next request may be sent.
    next_at: Cell<Option<DateTime<Utc>>>,
    /// The host asked for silence until then.
    silent_until: Cell<Option<DateTime<Utc>>>,
}

impl Politeness {
    /// Nothing has been asked of any host.
    pub fn new(clock: Clock) -> Self {
        let (hosts, sent) = Default::default();
        Self { clock, shared: OnceCell::new(), hosts, sent, stop: Semaphore::new(0) }
    }

    /// Takes turns with other processes from now on; only the first call counts.
    pub fn share(&self, turns: Box<dyn SharedTurns>) {
        self.shared.get_or_init(|| turns);
    }

    /// Waits for a turn at `host`, whose requests are `gap` apart.
    ///
    /// # Errors
    /// How much longer the host wants silence. Once the service stops, also for a turn that does not come at once.
    pub async fn turn(&self, host: &str, gap: Duration) -> Result<Turn, Duration> {
        tokio::select! {
            biased;
            turn = self.turn_of(host, gap) => turn,
            _ = self.stop.acquire() => Err(gap),
        }
    }

    /// Lets nobody wait any more: the service stops.
    pub fn stop_waiting(&self) {
        self.stop.close();
    }

    /// Whether nobody may wait any more.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_closed()
    }

    async fn turn_of(&self, name: &str, gap: Duration) -> Result<Turn, Duration> {
        let host = self.host(name);
        // The semaphore is never closed, so a permit always comes.
        let permit = host.permits.clone().acquire_owned().await.map_err(|_| gap)?;
        let now = self.clock.steady_now();
        if let Some(left) =
            host.silent_until.get().and_then(|until| (until - now).to_std().ok()).filter(|left| !left.is_zero())
        {
            return Err(left);
        }
        if let Some(shared) = self.shared.get().filter(|shared| shared.are_wanted()) {
            return Ok(shared.turn(name, gap, permit).await);
        }
        let slot = host.next_at.get().map_or(now, |next_at| next_at.max(now));
        let gap = chrono::Duration::from_std(gap).unwrap_or(chrono::Duration::zero());
        host.next_at.set(slot.checked_add_signed(gap));
        if slot > now {
            self.clock.sleep((slot - now).to_std().unwrap_or_default()).await;
        }
        Ok(Box::new(permit))
    }

    /// Notes a request that the quotas of `pace` permit.
    ///
    /// # Errors
    /// How long it is until they do.
    pub fn count(&self, pace: &Pace<'_>) -> Result<(), Duration> {
        let Some((group, quotas)) = pace.quotas else { return Ok(()) };
        self.sent.borrow_mut().entry(group.to_owned()).or_default().note(quotas, self.clock.steady_now())
    }

    /// `host` asked for silence for `pause`.
    pub fn be_silent(&self, host: &str, pause: Duration) {
        let pause = chrono::Duration::from_std(pause).unwrap_or(chrono::Duration::zero());
        self.host(host).silent_until.set(self.clock.steady_now().checked_add_signed(pause));
    }

    fn host(&self, name: &str) -> Rc<Host> {
        let mut hosts = self.hosts.borrow_mut();
        if hosts.len() >= HOSTS_REMEMBERED && !hosts.contains_key(name) {
            let now = self.clock.steady_now();
            let is_past = |instant: Option<DateTime<Utc>>| instant.is_none_or(|instant| instant <= now);
            hosts.retain(|_, host| {
                Rc::strong_count(host) > 1 || !is_past(host.next_at.get()) || !is_past(host.silent_until.get())
            });
        }
        let new = || {
            let permits = Arc::new(Semaphore::new(CONCURRENCY));
            Rc::new(Host { permits, next_at: Cell::new(None), silent_until: Cell::new(None) })
        };
        hosts.entry(name.to_owned()).or_insert_with(new).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use chrono::TimeDelta;
    use futures_util::FutureExt;

    use super::Politeness;
    use clock::Clock;

    fn standing() -> Clock {
        Clock::simulated("2026-11-21T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn requests_to_a_host_are_apart_and_those_to_others_are_not() {
        let politeness = Politeness::new(standing());
        let gap = Duration::from_secs(1);
        assert!(politeness.turn("a.example", gap).now_or_never().is_some(), "the first waits for nothing");
        assert!(politeness.turn("a.example", gap).now_or_never().is_none(), "the second waits for the gap");
        assert!(politeness.turn("b.example", gap).now_or_never().is_some());
    }

    #[test]
    fn without_a_gap_only_the_number_at_once_counts() {
        let politeness = Politeness::new(standing());
        let turn = || politeness.turn("a.example", Duration::ZERO).now_or_never();
        let (first, second) = (turn(), turn());
        assert!(first.is_some() && second.is_some() && turn().is_none());
        drop(first);
        assert!(turn().is_some());
    }

    #[test]
    fn at_a_stop_nobody_waits_and_what_need_not_wait_goes_on() {
        let politeness = Politeness::new(standing());
        let gap = Duration::from_secs(60);
        let first = politeness.turn("a.example", Duration::ZERO).now_or_never().unwrap().unwrap();
        let _second = politeness.turn("a.example", gap).now_or_never().unwrap().unwrap();
        let mut waits_for_a_place = std::pin::pin!(politeness.turn("a.example", gap));
        assert!(waits_for_a_place.as_mut().now_or_never().is_none());
        politeness.stop_waiting();
        assert!(politeness.is_stopping());
        assert_eq!(waits_for_a_place.now_or_never().unwrap().unwrap_err(), gap);
        drop(first);
        let waits_for_the_gap = politeness.turn("a.example", gap).now_or_never();
        assert!(waits_for_the_gap.unwrap().is_err());
        assert!(politeness.turn("b.example", gap).now_or_never().unwrap().is_ok());
    }

    #[tokio::test]
    async fn a_clock_that_is_set_back_makes_nobody_wait_longer() {
        let clock = Clock::system();
        let (politeness, gap) = (Politeness::new(clock.clone()), Duration::from_millis(10));
        clock.step(TimeDelta::hours(2));
        politeness.be_silent("a.example", gap);
        drop(politeness.turn("b.example", gap).await.unwrap());
        clock.step(TimeDelta::hours(-2));
        clock.sleep(gap * 2).await;
        for host in ["a.example", "b.example"] {
            let turn = politeness.turn(host, Duration::ZERO).now_or_never();
            assert!(turn.is_some_and(|turn| turn.is_ok()), "{host}");
        }
    }

    #[test]
    fn a_host_that_asks_for_silence_gets_it() {
        let politeness = Politeness::new(standing());
        politeness.be_silent("a.example", Duration::from_secs(30));
        let turn = politeness.turn("a.example", Duration::ZERO).now_or_never().unwrap();
        assert_eq!(turn.unwrap_err(), Duration::from_secs(30));
    }
}

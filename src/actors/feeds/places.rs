//! The places of polls: so many in all, and of one host no more than its share (`domain::scheduling::host_places`).
//!
//! Duty: who polls now, who waits and who comes back later. Never here: what a poll is. Belongs to one thread.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use clock::Clock;
use domain::scheduling::host_places;

/// Polls that are claimed for each place, at work or waiting.
const CLAIMED_PER_PLACE: usize = 8;
/// How long a poll of a host takes of which nothing is known.
const POLL_TIME: Duration = Duration::from_secs(1);
/// Hosts that are remembered before those without a poll are forgotten.
const HOSTS_REMEMBERED: usize = 4_096;

/// All places.
pub(super) struct Places {
    clock: Clock,
    count: usize,
    all: Arc<Semaphore>,
    /// Polls of all hosts, at work and waiting.
    polls: Rc<Cell<usize>>,
    hosts: RefCell<HashMap<String, Rc<Host>>>,
}

struct Host {
    share: Arc<Semaphore>,
    /// Its polls, at work and waiting.
    polls: Cell<usize>,
    poll_time: Cell<Duration>,
    /// The end of its backlog: the time that was given last to a poll for which it has no place now.
    backlog_ends_at: Cell<Option<DateTime<Utc>>>,
}

/// A poll of a host, which waits for a place or has one; it ends when this is dropped.
pub(super) struct Entry {
    host: Rc<Host>,
    /// How many places its host has.
    share: usize,
    all: Arc<Semaphore>,
    polls: Rc<Cell<usize>>,
    clock: Clock,
}

/// A place; it is free again when this is dropped.
pub(super) struct Place<'a> {
    entry: &'a Entry,
    taken_at: DateTime<Utc>,
    _permits: [OwnedSemaphorePermit; 2],
}

impl Places {
    pub(super) fn new(count: usize, clock: Clock) -> Self {
        let count = count.max(1);
        Self { clock, count, all: Arc::new(Semaphore::new(count)), polls: Rc::default(), hosts: RefCell::default() }
    }

    /// How many more polls may be claimed.
    pub(super) fn room(&self) -> usize {
        self.count.saturating_mul(CLAIMED_PER_PLACE).saturating_sub(self.polls.get())
    }

    /// Gives out no place any more, also to those who wait.
    pub(super) fn close(&self) {
        self.all.close();
        self.hosts.borrow().values().for_each(|host| host.share.close());
    }

    /// Lets a poll of `host` in.
    ///
    /// # Errors
    /// How much later it should come back: too many polls of the host wait already.
    pub(super) fn enter(&self, host: &str) -> Result<Entry, Duration> {
        let host = self.host(host);
        let share = host_places::SHARE.most(self.count);
        let poll_time = host.poll_time.get();
        if host.polls.get() >= host_places::polls_max(share, poll_time) {
            let now = self.clock.steady_now();
            let until = host_places::put_off(now, host.backlog_ends_at.get(), share, poll_time);
            host.backlog_ends_at.set(Some(until));
            return Err((until - now).to_std().unwrap_or_default());
        }
        host.polls.set(host.polls.get() + 1);
        self.polls.set(self.polls.get() + 1);
        Ok(Entry { host, share, all: self.all.clone(), polls: self.polls.clone(), clock: self.clock.clone() })
    }

    fn host(&self, name: &str) -> Rc<Host> {
        let mut hosts = self.hosts.borrow_mut();
        if hosts.len() >= HOSTS_REMEMBERED && !hosts.contains_key(name) {
            hosts.retain(|_, host| host.polls.get() > 0);
        }
        let new = || {
            let share = Arc::new(Semaphore::new(host_places::SHARE.most(self.count)));
            let (polls, poll_time, backlog_ends_at) = (Cell::new(0), Cell::new(POLL_TIME), Cell::new(None));
            Rc::new(Host { share, polls, poll_time, backlog_ends_at })
        };
        hosts.entry(name.to_owned()).or_insert_with(new).clone()
    }
}

impl Entry {
    /// Waits for a place, first for one of the host: a poll that waits there takes no place of the others. `None` once
    /// the places are closed.
    pub(super) async fn place(&self) -> Option<Place<'_>> {
        let of_host = self.host.share.clone().acquire_owned().await.ok()?;
        let of_all = self.all.clone().acquire_owned().await.ok()?;
        Some(Place { entry: self, taken_at: self.clock.steady_now(), _permits: [of_host, of_all] })
    }

    /// Ends the poll; how long its feed waits for the next one: for `interval`, or, of a host that is full, until those that
    /// were put off have had their turn.
    pub(super) fn leave(self, interval: Duration) -> Duration {
        if self.host.polls.get() <= self.share {
            return interval;
        }
        let (now, ends_at, poll_time) =
            (self.clock.steady_now(), self.host.backlog_ends_at.get(), self.host.poll_time.get());
        let Some(turn) = host_places::turn_behind_backlog(now, interval, ends_at, self.share, poll_time) else {
            return interval;
        };
        self.host.backlog_ends_at.set(Some(turn));
        host_places::wait_until(now, turn)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        for polls in [&self.host.polls, &*self.polls] {
            polls.set(polls.get().saturating_sub(1));
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let Entry { host, clock, .. } = self.entry;
        let took = (clock.steady_now() - self.taken_at).to_std().unwrap_or_default();
        host.poll_time.set(host_places::poll_time(host.poll_time.get(), took));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt;

    use super::Places;
    use clock::Clock;

    #[test]
    fn a_host_takes_its_share_and_leaves_the_rest_to_the_others() {
        let places = Places::new(8, Clock::simulated(chrono::DateTime::UNIX_EPOCH));
        let slow: Vec<_> = (0..5).map(|_| places.enter("slow.example").unwrap()).collect();
        let at_work: Vec<_> = slow.iter().filter_map(|entry| entry.place().now_or_never()).collect();
        assert_eq!(at_work.len(), 2, "a quarter");
        let others: Vec<_> = (0..6).map(|n| places.enter(&format!("{n}.example")).unwrap()).collect();
        let others_at_work: Vec<_> = others.iter().filter_map(|entry| entry.place().now_or_never()).collect();
        assert_eq!(others_at_work.len(), 6);
        let one_more = places.enter("more.example").unwrap();
        assert!(one_more.place().now_or_never().is_none(), "all are taken");
        drop(others_at_work);
        assert!(one_more.place().now_or_never().is_some());
        assert!(slow[4].place().now_or_never().is_none(), "free places are not for a host that has its share");
    }

    #[test]
    fn who_waits_when_the_places_are_closed_gets_none() {
        let places = Places::new(4, Clock::simulated(chrono::DateTime::UNIX_EPOCH));
        let [first, second] = [(); 2].map(|()| places.enter("slow.example").unwrap());
        let at_work = first.place().now_or_never().unwrap();
        let mut waiting = std::pin::pin!(second.place());
        assert!(at_work.is_some() && waiting.as_mut().now_or_never().is_none());
        places.close();
        assert!(waiting.now_or_never().unwrap().is_none());
        assert!(places.enter("other.example").unwrap().place().now_or_never().unwrap().is_none());
    }

    #[test]
    fn a_feed_that_was_polled_goes_behind_those_that_were_put_off() {
        let second = Duration::from_secs(1);
        let places = Places::new(8, Clock::simulated(chrono::DateTime::UNIX_EPOCH));
        assert_eq!(places.enter("slow.example").unwrap().leave(second), second, "nobody waits");
        let polled: Vec<_> = (0..9).map_while(|_| places.enter("slow.example").ok()).collect();
        let put_off = (0..4).filter_map(|_| places.enter("slow.example").err()).max().unwrap();
        assert_eq!(places.enter("other.example").unwrap().leave(second), second);
        let mut waits: Vec<_> = polled.into_iter().map(|entry| entry.leave(second)).collect();
        assert_eq!(waits.split_off(6), [second, second], "nobody waits for their places");
        assert!(waits[0] > put_off && waits.is_sorted_by(|one, next| one < next), "{put_off:?}, {waits:?}");
    }

    #[test]
    fn polls_of_a_host_with_a_long_queue_come_back_later() {
        let places = Places::new(8, Clock::simulated(chrono::DateTime::UNIX_EPOCH));
        let entries: Vec<_> = (0..9).map_while(|_| places.enter("slow.example").ok()).collect();
        assert_eq!(entries.len(), 8, "two at work, and what they do in three seconds");
        let [first, second] = [(); 2].map(|()| places.enter("slow.example").err().unwrap());
        assert!(first > Duration::from_secs(3) && second > first);
        assert!(places.enter("other.example").is_ok());
        drop(entries);
        assert!(places.enter("slow.example").is_ok());
    }
}

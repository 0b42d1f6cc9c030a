//! Who reads next where threads are few: shared fairly among accounts and hosts, as set-ups are among accounts.
//!
//! Duty: pure bookkeeping of places in the queue and at work. Never here: threads, time, or what is read. The rule:
//! `domain::scheduling::fair_share`.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use tokio::sync::oneshot;

use domain::AccountId;
use domain::scheduling::fair_share::{Places, Share};

/// On whose behalf something is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// An account that had it looked for.
    Account(AccountId),
    /// The host of a feed, which may be of many accounts.
    Host(String),
}

/// All on whose behalf a page is read; nobody where it is read for the service itself.
pub type Holders = Arc<[Holder]>;

/// What one holder gets of the pages in the queue, and of the threads.
const SHARE: Share = Share::one_in(2);

/// A page that waits for a thread.
#[derive(Debug)]
struct Waiting {
    number: u64,
    holders: Holders,
    go: oneshot::Sender<()>,
}

/// The pages that wait and that are read.
#[derive(Debug)]
pub struct Queue {
    /// Those of pages, waiting or at work.
    pages: Places<Holder>,
    /// Those of threads. Whoever was given up holds one until it is back.
    threads: Places<Holder>,
    waiting: VecDeque<Waiting>,
    numbers: u64,
    /// How many threads had been given when a holder was given its last one, as long as it has pages.
    served: HashMap<Holder, u64>,
    given: u64,
}

impl Queue {
    /// A queue of so many pages in front of so many threads.
    pub fn new(pages: usize, threads: usize) -> Self {
        let [pages, threads] = [pages, threads].map(|count| Places::new(count, SHARE));
        Self { pages, threads, waiting: VecDeque::new(), numbers: 0, served: HashMap::new(), given: 0 }
    }

    /// Lets a page in: its number, and what tells when it has a thread. `None`: its holders have their share of the queue.
    pub fn enter(&mut self, holders: &Holders) -> Option<(u64, oneshot::Receiver<()>)> {
        if self.pages.room(holders) == 0 {
            return None;
        }
        self.pages.take(holders, 1);
        self.numbers += 1;
        let (go, gone) = oneshot::channel();
        self.waiting.push_back(Waiting { number: self.numbers, holders: holders.clone(), go });
        self.give_threads();
        Some((self.numbers, gone))
    }

    /// A page that has begun or not is no page any more.
    pub fn leave(&mut self, holders: &Holders) {
        self.pages.give_back(holders, 1);
        self.served.retain(|holder, _| self.pages.held(std::slice::from_ref(holder)) > 0);
    }

    /// The page of this number, which is at no work yet, wants no thread any more.
    pub fn stop_waiting(&mut self, number: u64, holders: &Holders) {
        match self.waiting.iter().position(|waiting| waiting.number == number) {
            Some(at) => drop(self.waiting.remove(at)),
            None => self.end_work(holders, true),
        }
    }

    /// Somebody's thread has ended its work; `is_free` where it or another takes the next page.
    pub fn end_work(&mut self, holders: &Holders, is_free: bool) {
        self.threads.give_back(holders, 1);
        if !is_free {
            self.threads.remove();
        }
        self.give_threads();
    }

    /// There is one more thread, in the place of one that is still held.
    pub fn add_thread(&mut self) {
        self.threads.add();
        self.give_threads();
    }

    /// How many pages wait.
    pub fn waiting_count(&self) -> usize {
        self.waiting.len()
    }

    /// Gives free threads to those who wait: first to whose holders have the fewest, then to whose holders were served
    /// least recently, so that a long queue of one delays no other.
    fn give_threads(&mut self) {
        loop {
            let next = self.waiting.iter().enumerate().filter(|(_, waiting)| self.threads.room(&waiting.holders) > 0);
            let next = next.min_by_key(|(at, waiting)| {
                let served = waiting.holders.iter().filter_map(|holder| self.served.get(holder)).max();
                (self.threads.held(&waiting.holders), served, *at)
            });
            let Some(Waiting { holders, go, .. }) = next.map(|(at, _)| at).and_then(|at| self.waiting.remove(at))
            else {
                return;
            };
            self.threads.take(&holders, 1);
            self.given += 1;
            self.served.extend(holders.iter().map(|holder| (holder.clone(), self.given)));
            // A caller that is gone gives its place back, as one that has begun does.
            go.send(()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Holder, Holders, Queue};
    use domain::AccountId;

    fn host(name: &str) -> Holders {
        [Holder::Host(name.to_owned())].into()
    }

    #[test]
    fn a_host_that_wants_everything_leaves_half_and_delays_no_other() {
        let (slow, other) = (host("slow.example"), host("other.example"));
        let mut queue = Queue::new(64, 2);
        let mut of_slow: Vec<_> = std::iter::from_fn(|| queue.enter(&slow)).collect();
        assert_eq!(of_slow.len(), 32, "half of the queue");
        let at_work = of_slow.iter_mut().filter_map(|(_, go)| go.try_recv().ok()).count();
        assert_eq!(at_work, 1, "half of the threads");
        let (number, mut go) = queue.enter(&other).unwrap();
        assert!(go.try_recv().is_ok(), "others find a thread at once");
        // With all threads at work, the one that comes free is for a holder that has none.
        let (_, mut third) = queue.enter(&host("third.example")).unwrap();
        assert!(third.try_recv().is_err());
        queue.end_work(&slow, true);
        assert!(third.try_recv().is_ok(), "however many of the slow host wait");
        assert_eq!(queue.waiting_count(), 31);
        queue.stop_waiting(number, &other);
        assert_eq!(of_slow.iter_mut().filter_map(|(_, go)| go.try_recv().ok()).count(), 1);
    }

    #[test]
    fn an_account_has_its_share_whatever_the_hosts_are() {
        let account = Holder::Account(AccountId(Uuid::from_u128(1)));
        let of_account = |number: u32| -> Holders { [account.clone(), Holder::Host(number.to_string())].into() };
        let mut queue = Queue::new(64, 4);
        let mut pages: Vec<_> = (0..10).filter_map(|number| queue.enter(&of_account(number))).collect();
        assert_eq!(pages.iter_mut().filter_map(|(_, go)| go.try_recv().ok()).count(), 2);
        // A page of the service itself has no holder.
        assert!(queue.enter(&Holders::default()).unwrap().1.try_recv().is_ok());
    }

    #[test]
    fn a_thread_that_was_given_up_counts_for_its_holder_until_it_is_back() {
        let (slow, other) = (host("slow.example"), host("other.example"));
        let mut queue = Queue::new(64, 2);
        assert!(queue.enter(&slow).unwrap().1.try_recv().is_ok());
        queue.add_thread();
        let (_, mut again) = queue.enter(&slow).unwrap();
        assert!(again.try_recv().is_err(), "two are free, but one is held");
        assert!(queue.enter(&other).unwrap().1.try_recv().is_ok());
        queue.end_work(&slow, false);
        assert!(again.try_recv().is_ok());
    }
}

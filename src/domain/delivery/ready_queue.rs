//! Claimed deliveries that wait for a place: accounts take turns, and of one account its endpoints; of one endpoint, first
//! attempts go before repeated ones.

use std::collections::{BTreeMap, VecDeque};

use crate::ids::{AccountId, EndpointId};

/// Deliveries in the order in which they are sent.
#[derive(Debug)]
pub struct ReadyQueue<T> {
    accounts: Turns<AccountId, Turns<EndpointId, OfEndpoint<T>>>,
    len: usize,
}

/// First attempts, and repeated ones.
type OfEndpoint<T> = [VecDeque<T>; 2];

/// Values that take turns, by their keys.
#[derive(Debug)]
struct Turns<K, V> {
    order: VecDeque<K>,
    values: BTreeMap<K, V>,
}

impl<T> ReadyQueue<T> {
    /// How many wait.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether none waits.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a delivery; `is_repeated` says whether it has had an attempt.
    pub fn push(&mut self, account_id: AccountId, endpoint_id: EndpointId, is_repeated: bool, delivery: T) {
        self.accounts.of(account_id).of(endpoint_id)[usize::from(is_repeated)].push_back(delivery);
        self.len += 1;
    }

    /// Takes the next delivery that `may_begin`; it is asked once for each endpoint at most.
    pub fn next(&mut self, mut may_begin: impl FnMut(&T) -> bool) -> Option<T> {
        let mut first = |endpoint: &mut OfEndpoint<T>| {
            endpoint.iter_mut().find(|queue| !queue.is_empty())?.pop_front_if(|delivery| may_begin(delivery))
        };
        let is_done = |endpoint: &OfEndpoint<T>| endpoint.iter().all(VecDeque::is_empty);
        let taken =
            self.accounts.next(|account| account.next(&mut first, is_done), |account| account.values.is_empty());
        self.len -= usize::from(taken.is_some());
        taken
    }

    /// Takes all deliveries of an endpoint out.
    pub fn remove(&mut self, account_id: AccountId, endpoint_id: EndpointId) -> Vec<T> {
        let Some(account) = self.accounts.values.get_mut(&account_id) else { return Vec::new() };
        let removed: Vec<T> = account.remove(endpoint_id).into_iter().flatten().flatten().collect();
        if account.values.is_empty() {
            self.accounts.remove(account_id);
        }
        self.len -= removed.len();
        removed
    }

    /// Takes everything out.
    pub fn clear(&mut self) -> Vec<T> {
        std::iter::from_fn(|| self.next(|_| true)).collect()
    }
}

impl<T> Default for ReadyQueue<T> {
    fn default() -> Self {
        Self { accounts: Turns::default(), len: 0 }
    }
}

impl<K: Copy + Ord, V: Default> Turns<K, V> {
    /// The value of a key; a new one has the last turn.
    fn of(&mut self, key: K) -> &mut V {
        self.values.entry(key).or_insert_with(|| {
            self.order.push_back(key);
            V::default()
        })
    }

    /// Lets the values take turns until one gives something. One that `is_done` after its turn is removed.
    fn next<T>(&mut self, mut take: impl FnMut(&mut V) -> Option<T>, is_done: impl Fn(&V) -> bool) -> Option<T> {
        for _ in 0..self.order.len() {
            let key = self.order.pop_front()?;
            let value = self.values.get_mut(&key)?;
            let taken = take(value);
            if is_done(value) {
                self.values.remove(&key);
            } else {
                self.order.push_back(key);
            }
            if taken.is_some() {
                return taken;
            }
        }
        None
    }

    fn remove(&mut self, key: K) -> Option<V> {
        let removed = self.values.remove(&key)?;
        self.order.retain(|other| *other != key);
        Some(removed)
    }
}

impl<K, V> Default for Turns<K, V> {
    fn default() -> Self {
        Self { order: VecDeque::new(), values: BTreeMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    fn endpoint(number: u128) -> EndpointId {
        EndpointId(Uuid::from_u128(number))
    }

    /// A queue of texts such as `1.2a`: account, endpoint and which; in upper case it is a repeated one.
    fn queue(texts: &[&'static str]) -> ReadyQueue<&'static str> {
        let mut queue = ReadyQueue::default();
        for text in texts {
            let number = |place: usize| u128::from(text.as_bytes()[place] - b'0');
            let is_repeated = text.ends_with(char::is_uppercase);
            queue.push(account(number(0)), endpoint(number(0) * 10 + number(2)), is_repeated, *text);
        }
        queue
    }

    #[test]
    fn accounts_and_endpoints_take_turns_and_first_attempts_go_before_repeated_ones() {
        let mut queue = queue(&["1.1A", "1.1b", "1.1c", "1.2a", "2.1a", "2.1b"]);
        assert_eq!(queue.len(), 6);
        assert_eq!(queue.clear(), ["1.1b", "2.1a", "1.2a", "2.1b", "1.1c", "1.1A"]);
        assert!(queue.is_empty() && queue.accounts.order.is_empty() && queue.accounts.values.is_empty());
    }

    #[test]
    fn what_may_not_begin_holds_nobody_else_up() {
        let mut queue = queue(&["1.1a", "1.2a", "2.1a"]);
        let mut asked = 0;
        let next = queue.next(|text| {
            asked += 1;
            text.starts_with('2')
        });
        assert_eq!((next, asked, queue.len()), (Some("2.1a"), 3, 2));
        assert_eq!(queue.next(|_| false), None);
        assert_eq!(queue.len(), 2);
    }

    #[test]
    fn the_deliveries_of_an_endpoint_can_be_taken_out() {
        let mut queue = queue(&["1.1a", "1.1B", "1.2a"]);
        assert_eq!(queue.remove(account(1), endpoint(11)), ["1.1a", "1.1B"]);
        assert_eq!(queue.remove(account(1), endpoint(11)), Vec::<&str>::new());
        assert_eq!(queue.clear(), ["1.2a"]);
    }
}

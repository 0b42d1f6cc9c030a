//! Claimed deliveries that wait for a place: accounts take turns, and of one account its endpoints; of one endpoint, first
//! attempts go before repeated ones.

use std::collections::{BTreeMap, VecDeque};

use crate::domain::ids::{AccountId, EndpointId};

/// Deliveries in the order in which they are sent.
#[derive(Debug)]
pub struct ReadyQueue<T> {
    turns: VecDeque<AccountId>,
    accounts: BTreeMap<AccountId, OfAccount<T>>,
    len: usize,
}

#[derive(Debug)]
struct OfAccount<T> {
    turns: VecDeque<EndpointId>,
    endpoints: BTreeMap<EndpointId, OfEndpoint<T>>,
}

#[derive(Debug)]
struct OfEndpoint<T> {
    first: VecDeque<T>,
    repeated: VecDeque<T>,
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
        let account = self.accounts.entry(account_id).or_insert_with(|| {
            self.turns.push_back(account_id);
            OfAccount { turns: VecDeque::new(), endpoints: BTreeMap::new() }
        });
        let endpoint = account.endpoints.entry(endpoint_id).or_insert_with(|| {
            account.turns.push_back(endpoint_id);
            OfEndpoint { first: VecDeque::new(), repeated: VecDeque::new() }
        });
        if is_repeated { &mut endpoint.repeated } else { &mut endpoint.first }.push_back(delivery);
        self.len += 1;
    }

    /// Takes the next delivery that `may_begin`; it is asked once for each endpoint at most.
    pub fn next(&mut self, mut may_begin: impl FnMut(&T) -> bool) -> Option<T> {
        for _ in 0..self.turns.len() {
            let account_id = self.turns.pop_front()?;
            let account = self.accounts.get_mut(&account_id)?;
            let taken = account.next(&mut may_begin);
            if account.endpoints.is_empty() {
                self.accounts.remove(&account_id);
            } else {
                self.turns.push_back(account_id);
            }
            if taken.is_some() {
                self.len -= 1;
                return taken;
            }
        }
        None
    }

    /// Takes all deliveries of an endpoint out.
    pub fn remove(&mut self, account_id: AccountId, endpoint_id: EndpointId) -> Vec<T> {
        let Some(account) = self.accounts.get_mut(&account_id) else { return Vec::new() };
        let Some(endpoint) = account.endpoints.remove(&endpoint_id) else { return Vec::new() };
        account.turns.retain(|other| *other != endpoint_id);
        if account.endpoints.is_empty() {
            self.accounts.remove(&account_id);
            self.turns.retain(|other| *other != account_id);
        }
        let removed: Vec<T> = endpoint.first.into_iter().chain(endpoint.repeated).collect();
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
        Self { turns: VecDeque::new(), accounts: BTreeMap::new(), len: 0 }
    }
}

impl<T> OfAccount<T> {
    fn next(&mut self, may_begin: &mut impl FnMut(&T) -> bool) -> Option<T> {
        for _ in 0..self.turns.len() {
            let endpoint_id = self.turns.pop_front()?;
            let endpoint = self.endpoints.get_mut(&endpoint_id)?;
            let queue = if endpoint.first.is_empty() { &mut endpoint.repeated } else { &mut endpoint.first };
            let taken = queue.pop_front_if(|delivery| may_begin(delivery));
            if endpoint.first.is_empty() && endpoint.repeated.is_empty() {
                self.endpoints.remove(&endpoint_id);
            } else {
                self.turns.push_back(endpoint_id);
            }
            if taken.is_some() {
                return taken;
            }
        }
        None
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
        assert!(queue.is_empty() && queue.turns.is_empty() && queue.accounts.is_empty());
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

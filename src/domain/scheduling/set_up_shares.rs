//! Which accounts begin set-ups when places are free: fair among them, however many radars of each wait.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::fair_share::leaves_half;
use crate::ids::AccountId;

/// How many more set-ups each of the `waiting` accounts, the one that has waited longest first, may begin.
///
/// `at_work` says how many of the `places` each account holds. The account with the fewest comes first, and takes as much
/// as [`leaves_half`] allows.
pub fn shares(places: usize, at_work: &BTreeMap<AccountId, usize>, waiting: &[AccountId]) -> Vec<(AccountId, usize)> {
    let taken: usize = at_work.values().sum();
    let mut free = places.saturating_sub(taken);
    let held = |account_id: &AccountId| at_work.get(account_id).copied().unwrap_or_default();
    let mut queue: BinaryHeap<_> =
        waiting.iter().enumerate().map(|(order, account_id)| Reverse((held(account_id), order))).collect();
    let mut given: BTreeMap<usize, usize> = BTreeMap::new();
    while let (true, Some(Reverse((holds, order)))) = (free > 0, queue.pop()) {
        if !leaves_half(holds, free) {
            continue;
        }
        *given.entry(order).or_default() += 1;
        free -= 1;
        queue.push(Reverse((holds + 1, order)));
    }
    given.into_iter().map(|(order, count)| (waiting[order], count)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::shares;
    use crate::ids::AccountId;

    fn account(no: u8) -> AccountId {
        AccountId(Uuid::from_u128(u128::from(no)))
    }

    fn share(places: usize, at_work: &[(u8, usize)], waiting: &[u8]) -> Vec<(u8, usize)> {
        let at_work = at_work.iter().map(|&(no, count)| (account(no), count)).collect();
        let waiting: Vec<AccountId> = waiting.iter().map(|&no| account(no)).collect();
        let given = shares(places, &at_work, &waiting);
        given.into_iter().map(|(account_id, count)| (account_id.0.as_u128() as u8, count)).collect()
    }

    #[test]
    fn nobody_takes_what_those_who_come_later_need() {
        for (places, at_work, waiting, expected) in [
            (128, &[][..], &[1][..], &[(1, 64)][..]),
            (128, &[(1, 64)], &[1], &[]),
            (128, &[(1, 64)], &[1, 2], &[(2, 32)]),
            (128, &[(1, 64), (2, 32)], &[1, 2, 3], &[(3, 16)]),
            (8, &[], &[1, 2, 3], &[(1, 2), (2, 2), (3, 2)]),
            (8, &[(1, 4), (2, 2), (3, 1)], &[1, 2, 3, 4], &[(4, 1)]),
            (8, &[(1, 8)], &[2], &[]),
            (1, &[], &[5, 6], &[(5, 1)]),
            (2, &[], &[5], &[(5, 1)]),
        ] {
            assert_eq!(share(places, at_work, waiting), expected, "{places} places, {at_work:?}, {waiting:?}");
        }
    }

    proptest! {
        #[test]
        fn places_are_never_given_twice_and_an_account_without_one_comes_first(
            places in 1..200usize,
            held in proptest::collection::btree_map(0..20u8, 0..50usize, 0..20),
            waiting in proptest::collection::btree_set(0..30u8, 0..30),
        ) {
            let at_work: BTreeMap<AccountId, usize> = held.iter().map(|(&no, &count)| (account(no), count)).collect();
            let waiting: Vec<AccountId> = waiting.iter().map(|&no| account(no)).collect();
            let given: BTreeMap<AccountId, usize> = shares(places, &at_work, &waiting).into_iter().collect();
            let free = places.saturating_sub(held.values().sum());
            let begun: usize = given.values().sum();
            prop_assert!(begun <= free);
            prop_assert!(given.keys().all(|account_id| waiting.contains(account_id)));
            let is_without = |account_id: &&AccountId| at_work.get(account_id).copied().unwrap_or_default() == 0;
            let without: Vec<_> = waiting.iter().filter(is_without).collect();
            let served = without.iter().filter(|account_id| given.contains_key(account_id)).count();
            prop_assert_eq!(served, without.len().min(free));
        }
    }
}

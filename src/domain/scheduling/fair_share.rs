//! How places are shared that many want: the one rule for accounts, hosts and endpoints, and who holds how many.
//!
//! A holder of none takes any free place. A holder of some takes another as long as it then has no more than its share of
//! what the others leave: the fewer are left, the fewer one may hold. So those that come later find a place without
//! waiting, however much the others want. What each use shares and how is said where the places are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::hash::Hash;

/// How much of the places that the others leave one holder may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    one_in: usize,
    at_least: usize,
}

impl Share {
    /// One in so many of them.
    pub const fn one_in(one_in: usize) -> Self {
        Self { one_in, at_least: 1 }
    }

    /// The same, but at least so many as long as they are free.
    #[must_use]
    pub const fn at_least(self, at_least: usize) -> Self {
        Self { at_least, ..self }
    }

    /// The most that one holder has of so many places when no other has any.
    pub fn most(self, places: usize) -> usize {
        (places / self.one_in.max(1)).max(self.at_least)
    }

    /// How many more of the `free` places a holder of `held` places may take.
    pub fn room(self, held: usize, free: usize) -> usize {
        self.most(free.saturating_add(held)).saturating_sub(held).min(free)
    }

    /// Whether a holder of `held` places may take one of the `free` ones.
    pub fn may_take(self, held: usize, free: usize) -> bool {
        self.room(held, free) > 0
    }
}

/// Places, and how many of them each holder has. One place may have several holders.
#[derive(Clone, Debug)]
pub struct Places<H> {
    share: Share,
    count: usize,
    taken: usize,
    held: HashMap<H, usize>,
}

impl<H: Clone + Eq + Hash> Places<H> {
    /// So many places, all of them free.
    pub fn new(count: usize, share: Share) -> Self {
        Self { share, count, taken: 0, held: HashMap::new() }
    }

    /// How many are free.
    pub const fn free(&self) -> usize {
        self.count.saturating_sub(self.taken)
    }

    /// How many are taken.
    pub const fn taken(&self) -> usize {
        self.taken
    }

    /// How many the one of `holders` with the most has.
    pub fn held(&self, holders: &[H]) -> usize {
        holders.iter().filter_map(|holder| self.held.get(holder)).copied().max().unwrap_or_default()
    }

    /// How many more `holders` may take.
    pub fn room(&self, holders: &[H]) -> usize {
        self.share.room(self.held(holders), self.free())
    }

    /// `holders` take `count` places, whether there is room for them or not.
    pub fn take(&mut self, holders: &[H], count: usize) {
        self.taken += count;
        if count > 0 {
            holders.iter().for_each(|holder| *self.held.entry(holder.clone()).or_default() += count);
        }
    }

    /// `holders` give `count` places back.
    pub fn give_back(&mut self, holders: &[H], count: usize) {
        self.taken = self.taken.saturating_sub(count);
        for holder in holders {
            if let Some(held) = self.held.get_mut(holder) {
                *held = held.saturating_sub(count);
                if *held == 0 {
                    self.held.remove(holder);
                }
            }
        }
    }

    /// There is one place more.
    pub const fn add(&mut self) {
        self.count += 1;
    }

    /// There is one place less.
    pub const fn remove(&mut self) {
        self.count = self.count.saturating_sub(1);
    }

    /// How many more places each of those who wait, the one that has waited longest first, may take: the one with the fewest
    /// comes first.
    pub fn shares(&self, waiting: &[H]) -> Vec<(H, usize)> {
        let mut free = self.free();
        let queue = waiting.iter().enumerate().map(|(order, holder)| (self.held(std::slice::from_ref(holder)), order));
        let mut queue: BinaryHeap<_> = queue.map(Reverse).collect();
        let mut given: BTreeMap<usize, usize> = BTreeMap::new();
        while let (true, Some(Reverse((held, order)))) = (free > 0, queue.pop()) {
            if self.share.may_take(held, free) {
                *given.entry(order).or_default() += 1;
                free -= 1;
                queue.push(Reverse((held + 1, order)));
            }
        }
        given.into_iter().map(|(order, count)| (waiting[order].clone(), count)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::{Places, Share};

    const HALF: Share = Share::one_in(2);

    fn places(count: usize, held: &[(u8, usize)]) -> Places<u8> {
        let mut places = Places::new(count, HALF);
        held.iter().for_each(|&(holder, held)| places.take(&[holder], held));
        places
    }

    #[test]
    fn a_holder_has_its_share_of_what_the_others_leave() {
        for (share, held, free, room) in [
            (HALF, 0, 0, 0),
            (HALF, 0, 1, 1),
            (HALF, 1, 1, 0),
            (HALF, 1, 2, 0),
            (HALF, 1, 3, 1),
            (HALF, 0, 128, 64),
            (HALF, 32, 32, 0),
            (HALF, usize::MAX, usize::MAX, 0),
            (Share::one_in(3), 0, 60, 20),
            (Share::one_in(3), 5, 40, 10),
            (Share::one_in(16), 0, 16, 1),
            (Share::one_in(16), 1, 30, 0),
            (Share::one_in(16), 1, 31, 1),
            (Share::one_in(9).at_least(2), 0, 1, 1),
            (Share::one_in(9).at_least(2), 1, 1, 1),
            (Share::one_in(9).at_least(2), 2, 15, 0),
        ] {
            assert_eq!(share.room(held, free), room, "{share:?}, {held} held, {free} free");
            assert_eq!(share.may_take(held, free), room > 0);
        }
        assert_eq!([0, 1, 3, 4, 31, 32].map(|places| Share::one_in(4).most(places)), [1, 1, 1, 1, 7, 8]);
    }

    #[test]
    fn nobody_takes_what_those_who_come_later_need() {
        for (count, held, waiting, expected) in [
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
            assert_eq!(places(count, held).shares(waiting), expected, "{count} places, {held:?}, {waiting:?}");
        }
    }

    #[test]
    fn a_place_counts_for_all_of_its_holders_and_may_go() {
        let mut places = places(3, &[]);
        places.take(&[1, 2], 1);
        assert_eq!((places.free(), places.held(&[2, 3]), places.room(&[1]), places.room(&[3])), (2, 1, 0, 1));
        places.add();
        assert_eq!((places.free(), places.room(&[1])), (3, 1));
        places.give_back(&[1, 2], 1);
        places.remove();
        assert_eq!((places.free(), places.taken()), (3, 0));
        assert!(places.held.is_empty());
    }

    proptest! {
        #[test]
        fn places_are_never_given_twice_and_a_holder_of_none_comes_first(
            count in 1..200usize,
            held in proptest::collection::btree_map(0..20u8, 0..50usize, 0..20),
            waiting in proptest::collection::btree_set(0..30u8, 0..30),
        ) {
            let held: Vec<(u8, usize)> = held.into_iter().collect();
            let mut places = places(count, &held);
            let waiting: Vec<u8> = waiting.into_iter().collect();
            let given: HashMap<u8, usize> = places.shares(&waiting).into_iter().collect();
            prop_assert!(given.values().sum::<usize>() <= places.free());
            prop_assert!(given.keys().all(|holder| waiting.contains(holder)));
            let without: Vec<_> = waiting.iter().filter(|holder| places.held(&[**holder]) == 0).collect();
            let served = without.iter().filter(|holder| given.contains_key(holder)).count();
            prop_assert_eq!(served, without.len().min(places.free()));
            given.iter().for_each(|(holder, count)| places.take(&[*holder], *count));
            prop_assert!(places.taken() <= count.max(held.iter().map(|(_, held)| held).sum()));
        }

        #[test]
        fn who_holds_nothing_finds_a_place_and_who_holds_more_finds_less(
            one_in in 1..20usize,
            at_least in 1..4usize,
            held in 0..300usize,
            free in 0..300usize,
        ) {
            let share = Share::one_in(one_in).at_least(at_least);
            prop_assert_eq!(share.may_take(0, free), free > 0);
            prop_assert!(share.room(held + 1, free) <= share.room(held, free));
            prop_assert!(share.room(held, free) <= share.room(held, free + 1));
            prop_assert!(share.room(held, free) <= free);
            let most = held + share.room(held, free);
            prop_assert!(most <= held.max(at_least).max((held + free) / one_in));
        }

        /// However few holders want everything, one more finds a place.
        #[test]
        fn a_few_holders_leave_places_to_the_others(greedy in 1..6u8, one_in in 2..20usize, count in 32..300usize) {
            let mut places = Places::new(count, Share::one_in(one_in));
            for holder in (0..greedy).cycle().take(usize::from(greedy) * count) {
                let room = places.room(&[holder]).min(1);
                places.take(&[holder], room);
            }
            prop_assert!(places.room(&[greedy]) > 0);
        }
    }
}

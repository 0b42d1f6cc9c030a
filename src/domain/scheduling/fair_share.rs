//! How shared places are given to those that want several.
//!
//! A holder of none gets any free place. A holder of some gets another while many are free: the fewer are left, the fewer
//! one may hold, so that a few accounts cannot take all of them.

/// How many places must be free for each that is held already.
const FREE_PER_HELD: usize = 16;

/// Whether a holder of `held` places may take one of the `free` ones.
pub const fn may_take(held: usize, free: usize) -> bool {
    free > held.saturating_mul(FREE_PER_HELD)
}

/// Whether a holder of `held` places may take one of the `free` ones where each takes at most half of what the others
/// leave, so that a later one finds a place without waiting. A holder of none takes the last one.
pub const fn leaves_half(held: usize, free: usize) -> bool {
    free > 0 && (held == 0 || held < free.saturating_add(held) / 2)
}

#[cfg(test)]
mod tests {
    use super::{leaves_half, may_take};

    /// What `greedy` accounts hold together when each takes as much as it may of `places`.
    fn taken_by(greedy: usize, places: usize) -> usize {
        let mut held = vec![0; greedy];
        loop {
            let free = places - held.iter().sum::<usize>();
            match held.iter_mut().find(|held| may_take(**held, free)) {
                Some(held) => *held += 1,
                None => return places - free,
            }
        }
    }

    #[test]
    fn a_few_accounts_leave_places_to_the_others() {
        for greedy in [1, 8, 32] {
            let free = 256 - taken_by(greedy, 256);
            assert!(free > 0 && may_take(0, free), "{greedy} accounts take everything");
        }
    }

    #[test]
    fn whoever_holds_nothing_gets_the_last_place() {
        assert!(may_take(0, 1));
        assert!(!may_take(0, 0));
        assert!(!may_take(1, 16) && may_take(1, 17));
        assert!(!may_take(usize::MAX, usize::MAX));
    }

    #[test]
    fn a_holder_takes_half_of_what_the_others_leave() {
        let taken = |mut free: usize| {
            let places = free;
            while leaves_half(places - free, free) {
                free -= 1;
            }
            places - free
        };
        assert_eq!([0, 1, 2, 3, 4, 64, 256].map(taken), [0, 1, 1, 1, 2, 32, 128]);
        assert!(leaves_half(0, 1) && !leaves_half(1, 1) && !leaves_half(usize::MAX, usize::MAX));
    }
}

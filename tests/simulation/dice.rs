//! Dice that fall the same way for the same seed (SplitMix64).

/// Seeded dice.
#[derive(Clone)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Dice for one use of a seed; other uses fall independently of it.
    pub fn new(seed: u64, used_for: u64) -> Self {
        let mut dice = Self { state: seed ^ used_for.rotate_left(32) };
        dice.state = dice.next().wrapping_add(seed);
        dice
    }

    /// A number below `end`, which must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below(last.abs_diff(first) + 1) as i64
    }

    /// True once in `times` on average.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of them; `None` of none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        (!from.is_empty()).then(|| &from[self.below(from.len() as u64) as usize])
    }

    /// One of them by weight, of which one at least must not be 0.
    pub fn weighted<T: Copy>(&mut self, from: &[(T, u64)]) -> T {
        let mut left = self.below(from.iter().map(|(_, weight)| weight).sum());
        for &(value, weight) in from {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        unreachable!("the weights add up")
    }

    /// 128 random bits.
    pub fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

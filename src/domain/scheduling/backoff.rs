//! How waits grow while something keeps failing.

use std::time::Duration;

/// The wait after `failures` failures in a row: doubling from `min`, never longer than `max`.
pub fn backoff(failures: u32, min: Duration, max: Duration) -> Duration {
    min.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(max)
}

#[cfg(test)]
mod tests {
    use super::backoff;
    use std::time::Duration;

    #[test]
    fn waits_double_up_to_a_bound() {
        let (min, max) = (Duration::from_secs(1), Duration::from_secs(600));
        let waits: Vec<u64> = [1, 2, 3, 10, 11, 40].map(|failures| backoff(failures, min, max).as_secs()).to_vec();
        assert_eq!(waits, [1, 2, 4, 512, 600, 600]);
    }
}

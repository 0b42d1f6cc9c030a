//! Identifiers of new records: UUIDv7, increasing within one process even inside one millisecond (decisions 1.8, 3.3); and
//! the random bits of new keys and secrets.

use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use uuid::{ContextV7, Timestamp, Uuid};

use super::errors::Failure;

/// Hands out identifiers. Clones share the counter.
#[derive(Clone, Default)]
pub struct Identifiers {
    counter: Arc<Mutex<ContextV7>>,
}

impl Identifiers {
    /// The next identifier: larger than every earlier one, also when the clock has stepped back.
    pub fn next(&self, now: DateTime<Utc>) -> Uuid {
        let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
        Uuid::new_v7(Timestamp::from_unix(&*self.counter, seconds, now.timestamp_subsec_nanos()))
    }
}

/// 256 random bits from the system's source.
pub(crate) fn random_bits() -> Result<[u8; 32], Failure> {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits).map_err(Failure::internal)?;
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::Identifiers;
    use chrono::{DateTime, Duration};

    #[test]
    fn decision_1_8_identifiers_increase_inside_an_instant_and_when_the_clock_steps_back() {
        let ids = Identifiers::default();
        let now = DateTime::from_timestamp(1_800_000_000, 5_000_000).expect("an instant");
        let mut handed_out: Vec<_> = (0..1000).map(|_| ids.next(now)).collect();
        handed_out.push(ids.next(now - Duration::seconds(10)));
        handed_out.push(ids.next(now + Duration::milliseconds(1)));
        assert!(handed_out.is_sorted_by(|one, other| one < other));
        assert_eq!(handed_out[0].get_version_num(), 7);
        let made_at = handed_out[0].get_timestamp().map(|made_at| made_at.to_unix());
        assert_eq!(made_at, Some((1_800_000_000, 5_000_000)));
    }
}

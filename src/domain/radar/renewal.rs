//! The 30-day grid of a subscription (Spec 2.5, 3; decision 4.5).

use chrono::{DateTime, Duration, Utc};

/// The length of a paid period.
pub const PERIOD: Duration = Duration::days(30);

/// When the period after `period_no` begins, and so is charged; period 0 is the one that creation paid.
///
/// Always counted from the creation, so that a late renewal moves nothing.
pub fn next_charge_at(created_at: DateTime<Utc>, period_no: i64) -> DateTime<Utc> {
    let periods = i32::try_from(period_no).unwrap_or(i32::MAX).saturating_add(1);
    created_at.checked_add_signed(PERIOD * periods).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// How many whole periods besides the one due at `due_at` have begun by `now`: they are recorded at 0.
pub fn missed_periods(due_at: DateTime<Utc>, now: DateTime<Utc>) -> i64 {
    ((now - due_at).num_microseconds().unwrap_or(0) / PERIOD.num_microseconds().unwrap_or(i64::MAX)).max(0)
}

#[cfg(test)]
mod tests {
    use super::{PERIOD, missed_periods, next_charge_at};
    use chrono::{DateTime, Duration};

    #[test]
    fn spec_2_5_the_grid_hangs_on_the_creation() {
        let created_at = DateTime::from_timestamp(1_000_000, 123_000).expect("an instant");
        for period_no in 0..24 {
            let expected = created_at + PERIOD * (i32::try_from(period_no).expect("small") + 1);
            assert_eq!(next_charge_at(created_at, period_no), expected);
        }
    }

    #[test]
    fn decision_4_5_a_late_renewal_counts_what_it_missed() {
        let due_at = DateTime::from_timestamp(0, 0).expect("an instant");
        for (late, missed) in [
            (Duration::zero(), 0),
            (Duration::days(29), 0),
            (PERIOD - Duration::microseconds(1), 0),
            (PERIOD, 1),
            (PERIOD * 3 + Duration::days(1), 3),
        ] {
            assert_eq!(missed_periods(due_at, due_at + late), missed, "{late}");
        }
    }
}

//! How long updates are kept (Spec 6.4).

use chrono::{DateTime, TimeDelta, Utc};

/// From which publication on updates are kept at `now`: older ones are over, even if they are not removed yet.
pub fn kept_from(now: DateTime<Utc>, kept_for: TimeDelta) -> DateTime<Utc> {
    now.checked_sub_signed(kept_for).unwrap_or(DateTime::UNIX_EPOCH)
}

//! How well a radar can see (decisions 1.3, 4.11).

use chrono::{DateTime, Duration, Utc};

use super::{Radar, SetUp, closed};

/// How long a radar may see nothing before it is ended.
pub const SILENCE_MAX: Duration = Duration::days(7);
/// The most that one poll adds to the silence of a feed. Polls of a feed that fails are at most a day apart, so what
/// lies further apart was no silence of the source: the service was down, or nobody watched.
const GAP_MAX: Duration = Duration::days(1);

closed! {
    /// Whether a radar sees anything.
    HealthState {
        /// Its sources are being looked for.
        SettingUp = "setting_up",
        /// The last poll of at least one source succeeded.
        Watching = "watching",
        /// The last poll of every source failed.
        Failing = "failing",
        /// Its type is paused until there is money again.
        Paused = "paused",
        /// It watches no more.
        Ended = "ended",
    }
}

/// How one feed of a radar does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedHealth {
    /// How long it has been polled without success; zero when the last poll succeeded.
    pub silent_for: Duration,
    /// When it was last polled.
    pub polled_at: Option<DateTime<Utc>>,
    /// Whether its last poll failed.
    pub is_failing: bool,
}

/// How long a feed is silent once a poll has failed at `now`, the one before having ended at `polled_at`.
pub fn silent_for(silent_for: Duration, polled_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Duration {
    let gap = polled_at.map_or(Duration::zero(), |polled_at| now - polled_at);
    silent_for + gap.clamp(Duration::zero(), GAP_MAX)
}

/// Whether a radar sees anything through its feeds; `is_pushed` where a provider hands findings in.
pub fn state(radar: &Radar, is_paused: bool, feeds: &[FeedHealth], is_pushed: bool, now: DateTime<Utc>) -> HealthState {
    if !radar.is_watching(now) {
        HealthState::Ended
    } else if radar.set_up == SetUp::Pending {
        HealthState::SettingUp
    } else if is_paused {
        HealthState::Paused
    } else if !is_pushed && !feeds.is_empty() && feeds.iter().all(|feed| feed.is_failing) {
        HealthState::Failing
    } else {
        HealthState::Watching
    }
}

/// The earliest instant at which a radar that sees nothing is ended: when the feed that has been silent for the shortest
/// time has been so for too long.
pub fn ends_at(feeds: &[FeedHealth]) -> Option<DateTime<Utc>> {
    let ends_at = |feed: &FeedHealth| feed.polled_at.map(|polled_at| polled_at + (SILENCE_MAX - feed.silent_for));
    feeds.iter().map(ends_at).collect::<Option<Vec<_>>>()?.into_iter().max()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};

    use super::{FeedHealth, ends_at, silent_for};

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::hours(hours)
    }

    #[test]
    fn decision_4_11_silence_is_what_was_polled_in_vain() {
        assert_eq!(silent_for(Duration::zero(), None, at(5)), Duration::zero(), "the first poll");
        assert_eq!(silent_for(Duration::hours(2), Some(at(3)), at(9)), Duration::hours(8));
        assert_eq!(silent_for(Duration::hours(2), Some(at(0)), at(240)), Duration::hours(26), "the service was down");
        assert_eq!(silent_for(Duration::hours(2), Some(at(9)), at(3)), Duration::hours(2), "the clock was set back");
    }

    #[test]
    fn decision_4_11_a_radar_ends_when_the_last_of_its_feeds_has_been_silent_for_a_week() {
        let feed = |polled_at, hours| FeedHealth {
            silent_for: Duration::hours(hours),
            polled_at: Some(at(polled_at)),
            is_failing: true,
        };
        assert_eq!(ends_at(&[feed(10, 10), feed(12, 2)]), Some(at(7 * 24 + 10)));
        assert_eq!(ends_at(&[]), None);
    }
}

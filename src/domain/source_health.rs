//! When a source counts as broken for everybody, and when it is well again.
//!
//! One feed that fails says something about its target; most feeds of a source that fail in the same way, for a while, say
//! something about the source. It is flagged once, and loses the flag by itself.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};

use super::closed;

closed! {
    /// In which way a poll failed.
    FailureClass {
        /// There is no such target.
        Dead = "dead",
        /// Fewer requests are asked for.
        Throttled = "throttled",
        /// The credentials are wrong or missing, or access is refused.
        Auth = "auth",
        /// The answer is not what the source describes.
        ChangedShape = "changed_shape",
        /// No answer, or one that passes by itself.
        Unavailable = "unavailable",
    }
}

/// How long most feeds fail in the same way before their source is flagged.
pub const BROKEN_AFTER: Duration = Duration::minutes(30);
/// How long the target of a feed has not been there before others are looked for in its place.
pub const GONE_AFTER: Duration = Duration::days(1);
/// How many feeds must be gone before that says something about their source.
const GONE_MIN: u64 = 3;

/// The feeds of a source that are polled, and how many of them failed at their last poll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFeeds {
    /// All that are polled.
    pub watched: u64,
    /// Those that failed, by class.
    pub failing: BTreeMap<FailureClass, u64>,
}

/// A source most of whose feeds fail in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakage {
    /// In which way.
    pub class: FailureClass,
    /// Since when.
    pub since: DateTime<Utc>,
    /// When it was flagged; `None` while it may still pass.
    pub flagged_at: Option<DateTime<Utc>>,
}

/// What has changed about a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthChange {
    /// It is flagged from now on.
    Broke(Breakage),
    /// It was flagged, and is well again.
    Recovered(Breakage),
}

impl SourceFeeds {
    /// How many failed at their last poll.
    pub fn failing_count(&self) -> u64 {
        self.failing.values().sum()
    }

    /// The way in which most of them fail.
    fn broken_by(&self) -> Option<FailureClass> {
        let most = self.failing.iter().max_by_key(|(_, count)| **count);
        let (class, count) = most.filter(|(_, count)| **count * 2 > self.watched)?;
        (*class != FailureClass::Dead || *count >= GONE_MIN).then_some(*class)
    }
}

/// What a source's feeds say at `now`, after what was known of it: its breakage from now on, and what has changed.
pub fn assess(
    known: Option<Breakage>,
    feeds: &SourceFeeds,
    now: DateTime<Utc>,
) -> (Option<Breakage>, Option<HealthChange>) {
    let Some(class) = feeds.broken_by() else {
        let recovered = known.filter(|known| known.flagged_at.is_some()).map(HealthChange::Recovered);
        return (None, recovered);
    };
    let breakage = match known {
        // One that is flagged stays so, however it fails.
        Some(known) if known.class == class || known.flagged_at.is_some() => Breakage { class, ..known },
        _ => Breakage { class, since: now, flagged_at: None },
    };
    if breakage.flagged_at.is_none() && now - breakage.since >= BROKEN_AFTER {
        let flagged = Breakage { flagged_at: Some(now), ..breakage };
        return (Some(flagged), Some(HealthChange::Broke(flagged)));
    }
    (Some(breakage), None)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};
    use proptest::prelude::*;

    use super::{BROKEN_AFTER, Breakage, FailureClass, HealthChange, SourceFeeds, assess};

    fn feeds(watched: u64, failing: &[(FailureClass, u64)]) -> SourceFeeds {
        SourceFeeds { watched, failing: failing.iter().copied().collect() }
    }

    fn at(minutes: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + Duration::minutes(minutes)
    }

    #[test]
    fn most_feeds_must_fail_in_the_same_way() {
        use FailureClass::{Auth, ChangedShape, Dead, Unavailable};
        for (watched, failing, wanted) in [
            (10, &[(ChangedShape, 6)][..], Some(ChangedShape)),
            (10, &[(ChangedShape, 5)], None),
            (10, &[(ChangedShape, 5), (Auth, 5)], None),
            (1, &[(Unavailable, 1)], Some(Unavailable)),
            (1, &[(Dead, 1)], None),
            (2, &[(Dead, 2)], None),
            (3, &[(Dead, 3)], Some(Dead)),
            (0, &[], None),
        ] {
            assert_eq!(feeds(watched, failing).broken_by(), wanted, "{watched} {failing:?}");
        }
    }

    #[test]
    fn a_source_is_flagged_once_after_a_while_and_recovers_by_itself() {
        let (broken, well) = (feeds(4, &[(FailureClass::Auth, 3)]), feeds(4, &[(FailureClass::Auth, 2)]));
        let (state, change) = assess(None, &broken, at(0));
        assert_eq!((state.map(|state| state.since), change), (Some(at(0)), None));
        let (state, change) = assess(state, &broken, at(29));
        assert_eq!(change, None);
        let (state, change) = assess(state, &broken, at(30));
        let flagged = Breakage { class: FailureClass::Auth, since: at(0), flagged_at: Some(at(30)) };
        assert_eq!((state, change), (Some(flagged), Some(HealthChange::Broke(flagged))));
        let (state, change) = assess(state, &broken, at(60));
        assert_eq!((state, change), (Some(flagged), None), "flagged once");
        let otherwise = feeds(4, &[(FailureClass::Unavailable, 4)]);
        let (state, change) = assess(state, &otherwise, at(61));
        assert_eq!(
            (state.map(|state| (state.class, state.flagged_at)), change),
            (Some((FailureClass::Unavailable, Some(at(30)))), None)
        );
        let (state, change) = assess(state, &well, at(90));
        assert!(state.is_none() && matches!(change, Some(HealthChange::Recovered(_))));
        assert_eq!(assess(None, &well, at(91)), (None, None));
    }

    #[test]
    fn what_passes_in_time_is_never_flagged() {
        let (broken, well) = (feeds(4, &[(FailureClass::Auth, 4)]), feeds(4, &[]));
        let (state, _) = assess(None, &broken, at(0));
        let (state, change) = assess(state, &well, at(20));
        assert_eq!((state, change), (None, None));
        let (state, change) = assess(state, &broken, at(40));
        assert_eq!((state.map(|state| state.since), change), (Some(at(40)), None), "it begins anew");
    }

    proptest! {
        /// Flags and recoveries alternate, and no flag comes earlier than the while.
        #[test]
        fn flags_and_recoveries_alternate(steps in prop::collection::vec((0u64..5, 1i64..25), 1..100)) {
            let (mut state, mut now, mut is_flagged, mut broken_for) = (None, 0, false, Duration::zero());
            for (failing, minutes) in steps {
                let looked_at = feeds(4, &[(FailureClass::Throttled, failing)]);
                let (next, change) = assess(state, &looked_at, at(now));
                match change {
                    Some(HealthChange::Broke(_)) => {
                        prop_assert!(!is_flagged && broken_for >= BROKEN_AFTER);
                        is_flagged = true;
                    }
                    Some(HealthChange::Recovered(_)) => {
                        prop_assert!(is_flagged);
                        is_flagged = false;
                    }
                    None => {}
                }
                prop_assert_eq!(is_flagged, next.is_some_and(|next| next.flagged_at.is_some()));
                broken_for = if failing > 2 { broken_for + Duration::minutes(minutes) } else { Duration::zero() };
                (state, now) = (next, now + minutes);
            }
        }
    }
}

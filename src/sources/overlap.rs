//! Whether the answers of a source that shows the same to everybody follow on each other: where two that were looked at one after
//! the other have no item in common, some may have come and gone in between (decision 7.3).
//!
//! Duty: what was shown last, and how much sooner it should be looked at. Never here: a request, or an interval.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

/// Answers with fewer items say nothing about those between them.
const ITEMS_MIN: usize = 5;
/// Questions whose answers are compared; a source is asked a few.
const QUESTIONS_MAX: usize = 64;
/// How many times the time between two looks is halved at most.
const HASTE_MAX: u32 = 2;
/// How long haste lasts, and how far apart looks are of which one may be expected to follow on the other.
const REMEMBERED_FOR: TimeDelta = TimeDelta::hours(6);

/// What the last answers of one source showed.
#[derive(Debug, Default)]
pub struct Overlap {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The items of the last answer by the question, and when it was given.
    shown: HashMap<String, (DateTime<Utc>, HashSet<u64>)>,
    gaps: u64,
    haste: u32,
    gap_at: Option<DateTime<Utc>>,
}

impl Overlap {
    /// Notes the ids that the answer to `question` shows; whether it shows nothing of what the one before it did.
    pub fn note(&self, question: &str, ids: &[String], now: DateTime<Utc>) -> bool {
        let shown: HashSet<u64> = ids.iter().map(hash_of).collect();
        if shown.len() < ITEMS_MIN {
            return false;
        }
        let mut state = self.state.lock();
        if state.shown.len() >= QUESTIONS_MAX {
            state.shown.clear();
        }
        let is_apart =
            |before: &(DateTime<Utc>, HashSet<u64>)| now - before.0 <= REMEMBERED_FOR && before.1.is_disjoint(&shown);
        let has_gap = state.shown.get(question).is_some_and(is_apart);
        state.shown.insert(question.to_owned(), (now, shown));
        if has_gap {
            state.haste = (state.haste_at(now) + 1).min(HASTE_MAX);
            state.gap_at = Some(now);
            state.gaps += 1;
        }
        has_gap
    }

    /// How often an answer showed nothing of the one before it, since the start.
    pub fn gaps(&self) -> u64 {
        self.state.lock().gaps
    }

    /// How many times the time between two looks should be halved now.
    pub fn haste(&self, now: DateTime<Utc>) -> u32 {
        self.state.lock().haste_at(now)
    }
}

impl State {
    fn haste_at(&self, now: DateTime<Utc>) -> u32 {
        if self.gap_at.is_some_and(|at| now - at <= REMEMBERED_FOR) { self.haste } else { 0 }
    }
}

fn hash_of(id: &String) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Overlap, REMEMBERED_FOR};
    use chrono::{DateTime, TimeDelta, Utc};

    fn ids(from: u32, count: u32) -> Vec<String> {
        (from..from + count).map(|id| id.to_string()).collect()
    }

    #[test]
    fn answers_that_share_nothing_are_counted_and_hasten_the_next_looks_for_a_while() {
        let (overlap, start) = (Overlap::default(), DateTime::<Utc>::UNIX_EPOCH);
        let at = |minutes: i64| start + TimeDelta::minutes(minutes);
        for (minutes, from, count, has_gap, haste) in [
            (0, 0, 20, false, 0),
            (15, 19, 20, false, 0),
            (30, 39, 20, true, 1),
            (37, 40, 3, false, 1),
            (45, 90, 20, true, 2),
            (49, 200, 20, true, 2),
            (53, 210, 20, false, 2),
        ] {
            assert_eq!(overlap.note("q", &ids(from, count), at(minutes)), has_gap, "{minutes}");
            assert_eq!(overlap.haste(at(minutes)), haste, "{minutes}");
        }
        assert!(!overlap.note("another", &ids(900, 20), at(54)));
        assert_eq!((overlap.gaps(), overlap.haste(at(50) + REMEMBERED_FOR)), (3, 0));
        assert!(!overlap.note("q", &ids(500, 20), at(54) + REMEMBERED_FOR), "nobody looked for long");
    }
}

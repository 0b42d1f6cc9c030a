//! The robots.txt that were read lately, within a bound of bytes.

use std::cell::RefCell;
use std::rc::Rc;

use chrono::{DateTime, Utc};
use hashlink::LinkedHashMap;

use super::Rules;

/// How long a robots.txt is believed (RFC 9309, 2.4).
const FRESH_FOR: chrono::Duration = chrono::Duration::hours(24);
/// Memory that all rules together take.
const BYTES_MAX: usize = 16 * 1024 * 1024;
/// What an entry takes beside its rules, about.
const ENTRY_BYTES: usize = 256;

/// The rules that were read lately. Belongs to one thread.
#[derive(Default)]
pub struct RobotsCache {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they were read.
    by_origin: LinkedHashMap<String, Remembered>,
    bytes: usize,
}

struct Remembered {
    rules: Rc<Rules>,
    fresh_until: DateTime<Utc>,
    bytes: usize,
}

impl RobotsCache {
    /// The rules for `origin`, if they were read less than a day before `now`.
    pub fn get(&self, origin: &str, now: DateTime<Utc>) -> Option<Rc<Rules>> {
        let state = self.state.borrow();
        let remembered = state.by_origin.get(origin)?;
        (now < remembered.fresh_until).then(|| remembered.rules.clone())
    }

    /// Remembers `rules`, read at `now`; the oldest make room.
    pub fn put(&self, origin: String, rules: Rc<Rules>, now: DateTime<Utc>) {
        let state = &mut *self.state.borrow_mut();
        let bytes = ENTRY_BYTES + origin.len() + rules.bytes();
        let remembered = Remembered { rules, fresh_until: now + FRESH_FOR, bytes };
        let before = state.by_origin.insert(origin, remembered);
        state.bytes += bytes;
        state.bytes -= before.map_or(0, |before| before.bytes);
        while state.bytes > BYTES_MAX
            && let Some((_, oldest)) = state.by_origin.pop_front()
        {
            state.bytes -= oldest.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use chrono::{DateTime, Utc};

    use super::{BYTES_MAX, RobotsCache};
    use crate::robots::Rules;

    fn now() -> DateTime<Utc> {
        "2026-11-21T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn rules_are_remembered_for_a_day() {
        let cache = RobotsCache::default();
        cache.put("https://a.example".into(), Rc::new(Rules::default()), now());
        assert!(cache.get("https://a.example", now() + chrono::Duration::hours(23)).is_some());
        assert!(cache.get("https://a.example", now() + chrono::Duration::hours(24)).is_none());
        assert!(cache.get("https://b.example", now()).is_none());
    }

    #[test]
    fn hosts_with_large_rules_do_not_fill_the_memory() {
        let cache = RobotsCache::default();
        let rules = Rc::new(Rules::read(format!("User-agent: *\n{}", "Disallow: /*a*b$\n".repeat(30_000)).as_bytes()));
        for host in 0..1_000 {
            let read_at = now() + chrono::Duration::seconds(host);
            cache.put(format!("https://{host}.example"), rules.clone(), read_at);
            cache.put(format!("https://{host}.example"), rules.clone(), read_at);
            let state = cache.state.borrow();
            assert!(state.bytes <= BYTES_MAX);
            assert_eq!(state.bytes, state.by_origin.values().map(|kept| kept.bytes).sum::<usize>());
        }
        assert!(cache.get("https://999.example", now()).is_some(), "the newest are kept");
        assert!(cache.get("https://0.example", now()).is_none());
    }
}

//! robots.txt of the hosts that are visited (RFC 9309, decision 7.4).
//!
//! Duty: what a robots.txt permits, and how long that is remembered. Never here: fetching it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use texting_robots::Robot;
use url::Url;

/// The name by which robots.txt may address us.
pub const AGENT: &str = "radar";
/// More of a robots.txt is not read (RFC 9309, 2.5).
pub const ROBOTS_BYTES_MAX: usize = 500 * 1024;
/// How long a robots.txt is believed (RFC 9309, 2.4).
const FRESH_FOR: chrono::Duration = chrono::Duration::hours(24);
/// A crawl delay beyond this is taken for this: some sites name days.
const CRAWL_DELAY_MAX: Duration = Duration::from_secs(10);
/// Hosts whose rules are remembered.
const HOSTS_REMEMBERED: usize = 4_096;

/// The rules of one host for us.
pub struct Rules {
    robot: Option<Robot>,
}

/// The rules that were read lately.
#[derive(Default)]
pub struct RobotsCache {
    by_origin: RefCell<HashMap<String, Remembered>>,
}

struct Remembered {
    rules: Rc<Rules>,
    fresh_until: DateTime<Utc>,
}

impl Rules {
    /// The rules of a host without robots.txt.
    pub const fn none() -> Self {
        Self { robot: None }
    }

    /// Reads a robots.txt; one that cannot be read holds no rules.
    pub fn read(text: &[u8]) -> Self {
        Self { robot: Robot::new(AGENT, text).ok() }
    }

    /// Whether we may visit `url`.
    pub fn allow(&self, url: &Url) -> bool {
        self.robot.as_ref().is_none_or(|robot| robot.allowed(url.as_str()))
    }

    /// The wanted time between two visits, capped.
    pub fn crawl_delay(&self) -> Option<Duration> {
        let seconds = self.robot.as_ref()?.delay?;
        Duration::try_from_secs_f32(seconds).ok().map(|delay| delay.min(CRAWL_DELAY_MAX))
    }

    /// The sitemaps that it names, in order.
    pub fn sitemaps(&self) -> Vec<Url> {
        let named = self.robot.iter().flat_map(|robot| &robot.sitemaps);
        named.filter_map(|address| Url::parse(address.trim()).ok()).collect()
    }
}

impl RobotsCache {
    /// The rules for `origin`, if they were read less than a day before `now`.
    pub fn get(&self, origin: &str, now: DateTime<Utc>) -> Option<Rc<Rules>> {
        let by_origin = self.by_origin.borrow();
        let remembered = by_origin.get(origin)?;
        (now < remembered.fresh_until).then(|| remembered.rules.clone())
    }

    /// Remembers `rules`, read at `now`.
    pub fn put(&self, origin: String, rules: Rc<Rules>, now: DateTime<Utc>) {
        let mut by_origin = self.by_origin.borrow_mut();
        if by_origin.len() >= HOSTS_REMEMBERED {
            by_origin.retain(|_, remembered| now < remembered.fresh_until);
            if by_origin.len() >= HOSTS_REMEMBERED {
                by_origin.clear();
            }
        }
        by_origin.insert(origin, Remembered { rules, fresh_until: now + FRESH_FOR });
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::time::Duration;

    use url::Url;

    use super::{RobotsCache, Rules};

    #[test]
    fn rules_are_read_for_us() {
        let rules = Rules::read(
            b"User-agent: *\nDisallow: /\n\nUser-agent: radar\nDisallow: /private/\nAllow: /private/jobs\nCrawl-delay: 86400\n\nSitemap: https://a.example/map.xml\n",
        );
        for (path, allowed) in [("/", true), ("/private/x", false), ("/private/jobs", true)] {
            assert_eq!(rules.allow(&Url::parse("https://a.example").unwrap().join(path).unwrap()), allowed, "{path}");
        }
        assert_eq!(rules.crawl_delay(), Some(Duration::from_secs(10)));
        assert_eq!(rules.sitemaps().iter().map(Url::as_str).collect::<Vec<_>>(), ["https://a.example/map.xml"]);
    }

    #[test]
    fn what_is_no_robots_txt_holds_no_rules() {
        for text in [&b""[..], b"<html>not found</html>", b"\xff\xfe\x00", b"Crawl-delay: -1"] {
            let rules = Rules::read(text);
            assert!(rules.allow(&Url::parse("https://a.example/x").unwrap()));
            assert_eq!(rules.crawl_delay(), None);
        }
    }

    #[test]
    fn rules_are_remembered_for_a_day() {
        let cache = RobotsCache::default();
        let now = "2026-11-21T00:00:00Z".parse().unwrap();
        cache.put("https://a.example".into(), Rc::new(Rules::none()), now);
        assert!(cache.get("https://a.example", now + chrono::Duration::hours(23)).is_some());
        assert!(cache.get("https://a.example", now + chrono::Duration::hours(24)).is_none());
        assert!(cache.get("https://b.example", now).is_none());
    }
}

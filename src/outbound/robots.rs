//! robots.txt of the hosts that are visited (RFC 9309, decision 7.4).
//!
//! Duty: what a robots.txt says to us. Never here: fetching it, or remembering it.

mod cache;
mod pattern;

use std::time::Duration;

use url::Url;

pub use cache::RobotsCache;
use pattern::{Pattern, normalised};

use super::web_address::{ADDRESS_BYTES_MAX, is_web_address};

/// The name by which robots.txt may address us.
pub const AGENT: &str = "radar";
/// More of a robots.txt is not read (RFC 9309, 2.5).
pub const ROBOTS_BYTES_MAX: usize = 500 * 1024;
/// Rules of one host that are kept; the largest sites have about a thousand.
const RULES_MAX: usize = 5_000;
/// Sitemaps of one host that are kept.
const SITEMAPS_MAX: usize = 100;
/// A crawl delay beyond this is taken for this: some sites name days.
const CRAWL_DELAY_MAX: Duration = Duration::from_secs(10);

/// The rules of one host for us; by default those of a host without robots.txt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<Url>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    pattern: Pattern,
    allows: bool,
}

/// What a group, or several of the same name, say.
#[derive(Default)]
struct Group {
    is_there: bool,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

impl Rules {
    /// Reads a robots.txt; any bytes are one, possibly without rules.
    pub fn read(text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&text[..text.len().min(ROBOTS_BYTES_MAX)]);
        let mut ours = Group::default();
        let mut everybodys = Group::default();
        let mut is_ours = false;
        let mut is_everybodys = false;
        let mut in_head = false;
        let mut sitemaps = Vec::new();
        for (key, value) in text.trim_start_matches('\u{feff}').split(['\n', '\r']).filter_map(line) {
            if is_key(key, &["user-agent", "useragent", "user agent"]) {
                if !in_head {
                    (is_ours, is_everybodys) = (false, false);
                }
                in_head = true;
                is_ours |= names_us(value);
                is_everybodys |= value.starts_with('*');
                ours.is_there |= is_ours;
                continue;
            }
            if is_key(key, &["sitemap", "site-map"]) {
                let sitemap = Url::parse(value).ok().filter(is_web_address);
                sitemaps.extend(sitemap.filter(|_| sitemaps.len() < SITEMAPS_MAX));
                continue;
            }
            in_head = false;
            for group in [(is_ours, &mut ours), (is_everybodys, &mut everybodys)] {
                if let (true, group) = group {
                    group.take(key, value);
                }
            }
        }
        // An agent that is named obeys its own groups alone.
        let Group { rules, crawl_delay, .. } = if ours.is_there { ours } else { everybodys };
        Self { rules, crawl_delay, sitemaps }
    }

    /// Whether we may visit `url`: the longest rule that fits decides, and of two of the same length the one that allows.
    pub fn allow(&self, url: &Url) -> bool {
        if url.path() == "/robots.txt" {
            return true;
        }
        let path = normalised(&url[url::Position::BeforePath..url::Position::AfterQuery]);
        let mut decided = (0, true);
        for Rule { pattern, allows } in &self.rules {
            // Only what would change the decision is looked for.
            if (pattern.len(), *allows) > decided && pattern.fits(&path) {
                decided = (pattern.len(), *allows);
            }
        }
        decided.1
    }

    /// The wanted time between two visits, capped.
    pub const fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps that it names, in order.
    pub fn sitemaps(&self) -> &[Url] {
        &self.sitemaps
    }

    /// About how much memory they take.
    pub fn bytes(&self) -> usize {
        let rules = self.rules.iter().map(|rule| size_of::<Rule>() + rule.pattern.len());
        let sitemaps = self.sitemaps.iter().map(|url| size_of::<Url>() + url.as_str().len());
        size_of::<Self>() + rules.sum::<usize>() + sitemaps.sum::<usize>()
    }
}

impl Group {
    fn take(&mut self, key: &str, value: &str) {
        let allows = is_key(key, &["allow"]);
        if allows || is_key(key, &["disallow", "dissallow", "disalow"]) {
            // An empty path is no rule. One that is longer than any address fits none.
            let is_rule = !value.is_empty() && value.len() <= ADDRESS_BYTES_MAX && self.rules.len() < RULES_MAX;
            self.rules.extend(is_rule.then(|| Rule { pattern: Pattern::new(value), allows }));
        } else if is_key(key, &["crawl-delay"]) {
            let delay = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
            self.crawl_delay = delay.map(|delay| delay.min(CRAWL_DELAY_MAX)).or(self.crawl_delay);
        }
    }
}

/// Key and value of a line without its comment.
fn line(line: &str) -> Option<(&str, &str)> {
    let line = line.split_once('#').map_or(line, |(line, _)| line);
    let (key, value) = line.split_once(':')?;
    Some((key.trim(), value.trim()))
}

fn is_key(key: &str, names: &[&str]) -> bool {
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// `radar`, `Radar/1.0` and `radar (anything)` are us, `radarx` is not.
fn names_us(agent: &str) -> bool {
    let is_of_name = |letter: char| letter.is_ascii_alphabetic() || letter == '-' || letter == '_';
    agent.split(|letter| !is_of_name(letter)).next().is_some_and(|name| name.eq_ignore_ascii_case(AGENT))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use url::Url;

    use super::{ROBOTS_BYTES_MAX, RULES_MAX, Rules, SITEMAPS_MAX};

    fn allows(text: &str, path: &str) -> bool {
        Rules::read(text.as_bytes()).allow(&Url::parse("https://a.example").unwrap().join(path).unwrap())
    }

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
    fn groups_are_told_apart_and_joined() {
        for (text, allowed) in [
            ("User-agent: *\nDisallow: /x", false),
            ("user-agent:radar/2.0 # us\r\ndisallow:/x", false),
            ("User-agent: radarx\nDisallow: /x", true),
            ("User-agent: other\nDisallow: /x", true),
            ("User-agent: other\nUser-agent: Radar\nDisallow: /x", false),
            ("User-agent: other\nDisallow: /y\nUser-agent: radar\nDisallow: /x", false),
            ("User-agent: radar\nDisallow: /y\n\nUser-agent: *\nDisallow: /x", true),
            ("User-agent: radar\nDisallow: /y\n\nUser-agent: radar\nDisallow: /x", false),
            ("User-agent: radar\nSitemap: https://a.example/m\nUser-agent: other\nDisallow: /x", false),
            ("Disallow: /x\nUser-agent: *\nDisallow:", true),
            ("\u{feff}User-agent: *\nDisallow: /x", false),
            ("User-agent: *\nCrawl-delay: 1\nUser-agent: other\nDisallow: /x", true),
        ] {
            assert_eq!(allows(text, "/x/1"), allowed, "{text}");
        }
    }

    #[test]
    fn the_longest_rule_that_fits_decides() {
        for (rules, path, allowed) in [
            ("Disallow: /a\nAllow: /a/b", "/a/b/c", true),
            ("Allow: /a/b\nDisallow: /a", "/a/c", false),
            ("Disallow: /a\nAllow: /a", "/a", true),
            ("Disallow: /\nAllow: /$", "/", true),
            ("Disallow: /\nAllow: /$", "/a", false),
            ("Disallow: /*.pdf$", "/a/b.pdf", false),
            ("Disallow: /*.pdf$", "/a/b.pdf?x", true),
            ("Disallow: /*?page=", "/jobs?page=2", false),
            ("Disallow: /robots.txt", "/robots.txt", true),
            ("Disallow: /ü", "/%C3%BC/x", false),
            ("Disallow: /%c3%bc", "/ü", false),
            ("Disallow: /%61", "/a", false),
        ] {
            assert_eq!(allows(&format!("User-agent: *\n{rules}"), path), allowed, "{rules} {path}");
        }
    }

    #[test]
    fn what_is_no_robots_txt_holds_no_rules() {
        for text in [&b""[..], b"<html>not found</html>", b"\xff\xfe\x00", b"Crawl-delay: -1"] {
            assert_eq!(Rules::read(text), Rules::default());
        }
    }

    #[test]
    fn a_robots_txt_without_end_is_read_in_part() {
        let rules = Rules::read(format!("User-agent: *\n{}", "Disallow: /*a*b$\n".repeat(100_000)).as_bytes());
        assert_eq!(rules.rules.len(), RULES_MAX);
        assert!(rules.bytes() < ROBOTS_BYTES_MAX);
        let sitemaps = Rules::read("Sitemap: https://a.example/m\n".repeat(10_000).as_bytes());
        assert_eq!(sitemaps.sitemaps().len(), SITEMAPS_MAX);
        let long = format!(
            "Sitemap: https://a.example/{}\nUser-agent: *\nDisallow: /{}",
            "m".repeat(3_000),
            "x".repeat(3_000)
        );
        assert_eq!(Rules::read(long.as_bytes()), Rules::default());
    }
}

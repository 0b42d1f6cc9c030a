//! A company's site as a file says it: its pages day by day, and what its radars must make of them.
//!
//! A file begins with what is expected, one a line: `domain D`, `watch TYPE` for a radar without a company, `expect TYPE DAY
//! WORDS` for a finding of that day whose content has the words, and `ends TYPE WORDS` for a radar that ends with a message
//! that has them. Then come the pages. `=== PLACE TYPE` begins one that stands there from the first day on, `=== PLACE TYPE
//! FROM..UNTIL` one of some days, `=== PLACE 301 ADDRESS` one that has moved, `=== PLACE TYPE @FILE` a recording, into which
//! lines are put before the first `</body>`. A line that begins with `+N ` is there from day N on, one with `-N ` until then.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::support::sites::Sites;

/// Days of the week that is watched; on the day before it the radars are made.
pub const DAYS: u32 = 7;

/// A finding that must come once.
#[derive(Clone, Debug)]
pub struct Expected {
    pub radar_type: String,
    pub words: String,
}

/// A site, or pages that belong to no company.
#[derive(Debug, Default)]
pub struct Site {
    pub name: String,
    pub domain: Option<String>,
    /// Types that are watched without a company.
    pub watched: Vec<String>,
    pub expected: Vec<Expected>,
    /// Types whose radars end, and what their message says.
    pub ends: Vec<Expected>,
    pages: Vec<Page>,
}

#[derive(Debug)]
struct Page {
    place: String,
    kind: Kind,
    days: Range<u32>,
    lines: Vec<String>,
}

#[derive(Debug)]
enum Kind {
    /// A content type.
    Body(&'static str),
    /// Where the page has moved.
    Moved(String),
    /// A bare status.
    Status(u16),
}

const CONTENT_TYPES: &[&str] = &[
    "text/html", "application/rss+xml", "application/atom+xml", "application/json", "application/feed+json",
    "application/xml", "text/plain",
];

impl Site {
    /// Reads `file`; `None` where it needs recordings and there are none.
    pub fn read(file: &Path, recordings: Option<&Path>) -> Option<Self> {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut site = Self { name: name.clone(), ..Self::default() };
        let text = fs::read_to_string(file).expect("a site");
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("=== ") {
                site.pages.push(Page::of(head, recordings)?);
            } else if let Some(page) = site.pages.last_mut() {
                page.lines.push(line.to_owned());
            } else {
                site.read_head(line).unwrap_or_else(|| panic!("{name}: {line}"));
            }
        }
        Some(site)
    }

    fn read_head(&mut self, line: &str) -> Option<()> {
        let Some((word, rest)) = line.split_once(' ').filter(|(word, _)| *word != "#") else { return Some(()) };
        let expected = |radar_type: &str, words: &str| Expected { radar_type: radar_type.into(), words: words.into() };
        match word {
            "domain" => self.domain = Some(rest.to_owned()),
            "watch" => self.watched.push(rest.to_owned()),
            "expect" => {
                self.expected.push(rest.split_once(' ').map(|(radar_type, words)| expected(radar_type, words))?)
            }
            "ends" => self.ends.push(rest.split_once(' ').map(|(radar_type, words)| expected(radar_type, words))?),
            _ => return None,
        }
        Some(())
    }

    /// Shows the site as it is on `day`.
    pub fn put(&self, sites: &Sites, day: u32) {
        for page in &self.pages {
            match &page.kind {
                _ if !page.days.contains(&day) => {
                    if !self.pages.iter().any(|other| other.place == page.place && other.days.contains(&day)) {
                        sites.put_status(&page.place, 404);
                    }
                }
                Kind::Body(content_type) => sites.put(&page.place, content_type, &page.on(day)),
                Kind::Moved(address) => sites.put_redirect(&page.place, address),
                Kind::Status(status) => sites.put_status(&page.place, *status),
            }
        }
    }
}

impl Page {
    fn of(head: &str, recordings: Option<&Path>) -> Option<Self> {
        let mut words = head.split(' ');
        let place = words.next().expect("a place").to_owned();
        let kind = words.next().unwrap_or("text/html");
        let (mut days, mut lines) = (0..DAYS + 1, Vec::new());
        let mut moved = None;
        for word in words {
            if let Some(file) = word.strip_prefix('@') {
                let recording = fs::read(recordings?.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
                lines.push(format!("@{}", String::from_utf8_lossy(&recording)));
            } else if let Some((from, until)) = word.split_once("..") {
                days = from.parse().unwrap_or(0)..until.parse().unwrap_or(DAYS + 1);
            } else {
                moved = Some(word.to_owned());
            }
        }
        let kind = match (CONTENT_TYPES.iter().find(|known| **known == kind), moved) {
            (Some(content_type), _) => Kind::Body(content_type),
            (None, Some(address)) => Kind::Moved(address),
            (None, None) => Kind::Status(kind.parse().unwrap_or_else(|_| panic!("{head}"))),
        };
        Some(Self { place, kind, days, lines })
    }

    /// The body on `day`.
    fn on(&self, day: u32) -> String {
        let (recording, own) = match self.lines.split_first() {
            Some((first, rest)) if first.starts_with('@') => (Some(&first[1..]), rest),
            _ => (None, &self.lines[..]),
        };
        let lines: Vec<&str> = own.iter().filter_map(|line| line_on(line, day)).collect();
        let own = lines.join("\n");
        match recording {
            Some(page) => page.replacen("</body>", &format!("{own}</body>"), 1),
            None => own,
        }
    }
}

/// The line as it stands there on `day`, if it does.
fn line_on(line: &str, day: u32) -> Option<&str> {
    let marked = line.split_at_checked(3).filter(|(mark, _)| {
        let mark = mark.as_bytes();
        matches!(mark[0], b'+' | b'-') && mark[1].is_ascii_digit() && mark[2] == b' '
    });
    let Some((mark, rest)) = marked else { return Some(line) };
    let changes_on: u32 = mark[1..2].parse().expect("a digit");
    let is_there = (day >= changes_on) == mark.starts_with('+');
    is_there.then_some(rest)
}

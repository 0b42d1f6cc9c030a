//! A source: where findings of some radar types come from, and how it is read (decision 7.1).
//!
//! Duty: the checked form of a source file. Never here: the file's syntax, or any request.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::list_source::{ListSource, Needs};
use super::token_patterns::Discovery;
use crate::text::read_from_text;
use domain::scheduling::polling::PollIntervals;
use domain::{Presence, RadarType, Showing};

/// Why a source is off that asks for a contact where none is named.
pub(super) const NO_CONTACT: &str = "outbound.contact is not set, and its terms ask for a contact";

/// One source, checked.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name by which feeds and ingests refer to it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// How it is read.
    pub kind: SourceKind,
    /// The source in whose place it is asked, with the same token, where that has no such board.
    pub(crate) fallback_of: Option<String>,
    /// The radar types that it serves.
    pub radar_types: Vec<RadarType>,
    /// Why it is not used.
    pub disabled_because: Option<String>,
    /// What its operator asks.
    pub terms: Option<Terms>,
    /// What its list holds, and how late items may appear in it.
    pub shows: Showing,
    /// The time between two polls of one feed.
    pub poll_intervals: PollIntervals,
    pub(crate) tests: Vec<SourceTest>,
}

/// How a source is read.
#[derive(Clone, Debug)]
pub enum SourceKind {
    /// A list of items, described by the file.
    List(Arc<ListSource>),
    /// JobPosting JSON-LD on a company's careers page and the pages that it links to.
    CareersPage,
    /// JobPosting JSON-LD on the pages that a site's sitemap lists.
    Sitemap,
    /// The people on a company's team page, for radars of one type.
    TeamPage(RadarType),
    /// A private provider that hands findings in.
    Push,
}

/// What the operator of a source asks of those who read it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// What permits the use, in a few words.
    pub licence: String,
    /// Words that must go with what is shown.
    pub attribution: Option<String>,
    /// Where the terms stand.
    pub url: Option<String>,
    /// The day somebody last read them, `YYYY-MM-DD`.
    pub checked: String,
    /// Whether the source is used unless an operator says otherwise.
    #[serde(default = "yes")]
    pub default_enabled: bool,
    /// Why it is not.
    pub reason: Option<String>,
    /// Whether its terms ask for a contact, so that it is off without one.
    #[serde(default)]
    pub contact: bool,
}

/// The word for what the list of a source holds.
#[derive(Clone, Copy)]
pub(super) struct PresenceText(pub(super) Presence);

read_from_text!(PresenceText, |text: &str| text.parse().map(PresenceText));

pub(super) const fn yes() -> bool {
    true
}

/// An answer of the source and what must be read from it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceTest {
    /// What was asked for; a page's address for page sources.
    #[serde(default)]
    pub token: String,
    /// The type whose findings are expected, in a file that serves several contents; the first when absent.
    pub radar_type: Option<String>,
    /// The answer's body; in a file it may be left out where it is that of the test before.
    pub response: Option<String>,
    /// Values that other requests would have given.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// The details of items, by their ids.
    #[serde(default)]
    pub details: BTreeMap<String, String>,
    /// When it was read, for postings that expire; any time when absent.
    pub at: Option<String>,
    /// One table per finding, in the order of the answer: `native_id`, content keys, and `absent` for keys that are null.
    pub expect: Vec<toml::Table>,
}

impl SourceTest {
    /// The answer's body as bytes.
    pub fn body(&self) -> &[u8] {
        self.response.as_deref().unwrap_or_default().as_bytes()
    }
}

impl Source {
    /// Whether it is used.
    pub fn is_enabled(&self) -> bool {
        self.disabled_because.is_none()
    }

    /// Whether it is not used for the sole reason that no contact is named.
    pub fn lacks_contact(&self) -> bool {
        self.disabled_because.as_deref() == Some(NO_CONTACT)
    }

    fn list(&self) -> Option<&ListSource> {
        match &self.kind {
            SourceKind::List(list) => Some(list),
            _ => None,
        }
    }

    /// Whether a feed of it may be looked at twice at once. An answer that many feeds share is kept for a while, so that the
    /// second one would be no newer than the first to all of them; and where requests are counted, none is spent on doubt.
    pub fn may_be_looked_at_twice(&self) -> bool {
        self.list().is_none_or(|list| !list.is_shared() && list.pace.quotas.is_empty())
    }

    /// The time between two polls of one feed now: shorter for a while where an answer showed nothing of the one before it.
    pub fn poll_intervals_at(&self, now: DateTime<Utc>) -> PollIntervals {
        self.poll_intervals.hastened(self.list().map_or(0, |list| list.overlap.haste(now)))
    }

    /// How often since the start an answer that all share showed nothing of the one before it, so that items may have been
    /// missed between them.
    pub fn gaps(&self) -> u64 {
        self.list().map_or(0, |list| list.overlap.gaps())
    }

    /// The rules by which pages lead to a tenant, for boards.
    pub fn discovery(&self) -> Option<&Discovery> {
        self.list().map(|list| &list.discovery)
    }

    /// The values by which it knows a target, where it is asked about targets.
    pub fn needs(&self) -> Option<&Needs> {
        self.list().map(|list| &list.needs)
    }

    /// The environment variables that hold its credentials.
    pub fn credential_variables(&self) -> Vec<&str> {
        self.list().map(|list| list.credentials.values().map(String::as_str).collect()).unwrap_or_default()
    }

    /// Whether it is used and serves `radar_type`.
    pub fn serves(&self, radar_type: RadarType) -> bool {
        self.is_enabled() && self.radar_types.contains(&radar_type)
    }
}

impl SourceKind {
    /// The word in the file.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::List(list) => list.format.as_str(),
            Self::CareersPage => "careers_page",
            Self::Sitemap => "sitemap",
            Self::TeamPage(_) => "team_page",
            Self::Push => "push",
        }
    }
}

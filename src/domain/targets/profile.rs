//! What is known of a company beside its domain: its name, its feeds, its accounts, each with its evidence.

use chrono::TimeDelta;

use crate::closed;
use crate::targets::DomainName;

/// How long a profile is good for before its company is looked at again.
const REFRESHED_EVERY: TimeDelta = TimeDelta::days(7);
/// When a company is looked at again whose site could not be read.
pub const RETRY_AFTER: TimeDelta = TimeDelta::days(1);

/// How long the profile of the company with `domain` is good for: a week and up to a day more, so that what was made
/// known at once is not looked at again at once.
pub fn refresh_after(domain: &DomainName) -> TimeDelta {
    let spread = domain.as_str().bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    REFRESHED_EVERY + TimeDelta::minutes(i64::from(spread % (24 * 60)))
}

closed! {
    /// What an entry of a profile is. Source files name these.
    ProfileKey {
        /// The name by which people speak of the company.
        Name = "name",
        /// Another name, such as the registered one.
        LegalName = "legal_name",
        /// The symbol of its shares, without the exchange.
        Ticker = "ticker",
        /// A product of the company.
        Product = "product",
        /// Somebody who leads the company or founded it.
        Person = "person",
        /// A feed of its site.
        FeedUrl = "feed_url",
        /// Those of the feeds that carry its press releases and news.
        NewsroomFeedUrl = "newsroom_feed_url",
        /// A page that lists its news or articles, and names no feed of them.
        ArticlesUrl = "articles_url",
        /// The page on which its press releases or news stand.
        NewsroomUrl = "newsroom_url",
        /// The front page of its blog.
        BlogUrl = "blog_url",
        /// The identifier of its YouTube channel.
        YoutubeChannelId = "youtube_channel_id",
        /// Its handle on Bluesky.
        BlueskyHandle = "bluesky_handle",
        /// Its account on Mastodon, as `user@host`.
        MastodonAccount = "mastodon_account",
        /// Its page on LinkedIn.
        LinkedinUrl = "linkedin_url",
        /// Its handle on X.
        XHandle = "x_handle",
        /// The handle on Bluesky of somebody who leads it.
        PersonBlueskyHandle = "person_bluesky_handle",
        /// The account on Mastodon of somebody who leads it, as `user@host`.
        PersonMastodonAccount = "person_mastodon_account",
        /// The handle on X of somebody who leads it.
        PersonXHandle = "person_x_handle",
    }
}

impl ProfileKey {
    /// How many entries of this kind a profile has at most.
    pub const fn entries_max(self) -> usize {
        match self {
            Self::LegalName | Self::NewsroomFeedUrl => 3,
            Self::ArticlesUrl => 2,
            Self::Product | Self::Person | Self::FeedUrl => 5,
            Self::PersonBlueskyHandle | Self::PersonMastodonAccount | Self::PersonXHandle => 5,
            _ => 1,
        }
    }
}

closed! {
    /// How an entry was found.
    EvidenceKind {
        /// The site's structured data says so (JSON-LD).
        StructuredData = "structured_data",
        /// The site links to it with `rel=me`.
        RelMe = "rel_me",
        /// The site's head says so: `og:site_name`, the title, `twitter:site`.
        Metadata = "metadata",
        /// The site's head links to it as an alternate form of itself.
        Alternate = "alternate",
        /// Pages of the site link to it.
        Link = "link",
        /// It answers at a usual place of the site.
        UsualPlace = "usual_place",
        /// The network itself says that the domain is the account's.
        DomainHandle = "domain_handle",
        /// The item of Wikidata with this official website says so.
        Wikidata = "wikidata",
        /// Nobody says so; it is spelled like the domain.
        Domain = "domain",
    }
}

/// One thing that is known of a company, as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ProfileEntry {
    /// What it is.
    pub key: ProfileKey,
    /// Its value.
    pub value: String,
    /// How it was found.
    pub evidence: EvidenceKind,
    /// The page or document that says so.
    pub evidence_url: String,
}

/// What is known of a company.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompanyProfile {
    entries: Vec<ProfileEntry>,
}

/// Longer values and addresses are none, in bytes; those are as long as web addresses may be.
const VALUE_BYTES_MAX: usize = 2_048;

impl CompanyProfile {
    /// The entries, in the order of their keys.
    pub fn entries(&self) -> &[ProfileEntry] {
        &self.entries
    }

    /// Adds `entry` unless it is there, is empty or too long, or the profile has enough of its kind.
    pub fn add(&mut self, entry: ProfileEntry) {
        let is_short = entry.value.len().max(entry.evidence_url.len()) <= VALUE_BYTES_MAX;
        let is_value = !entry.value.is_empty() && is_short;
        let same = |other: &&ProfileEntry| other.key == entry.key;
        let is_there = self.entries.iter().filter(same).any(|other| other.value.eq_ignore_ascii_case(&entry.value));
        if is_value && !is_there && self.entries.iter().filter(same).count() < entry.key.entries_max() {
            let at = self.entries.partition_point(|other| other.key <= entry.key);
            self.entries.insert(at, entry);
        }
    }

    /// The values of the entries of one kind, the best first.
    pub fn values(&self, key: ProfileKey) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(move |entry| entry.key == key).map(|entry| entry.value.as_str())
    }

    /// The best value of one kind.
    pub fn value(&self, key: ProfileKey) -> Option<&str> {
        self.values(key).next()
    }

    /// What makes it certain that a text which has the company's name means the company: its other names, its products
    /// and its people.
    pub fn second_signs(&self) -> impl Iterator<Item = &str> {
        [ProfileKey::LegalName, ProfileKey::Product, ProfileKey::Person].into_iter().flat_map(|key| self.values(key))
    }

    /// The beginnings of the addresses of what the company itself publishes on networks, without the scheme.
    pub fn own_places(&self) -> Vec<String> {
        let place = |entry: &ProfileEntry| {
            let value = &entry.value;
            match entry.key {
                ProfileKey::YoutubeChannelId => Some(format!("youtube.com/channel/{value}")),
                ProfileKey::BlueskyHandle => Some(format!("bsky.app/profile/{value}")),
                ProfileKey::MastodonAccount => value.split_once('@').map(|(user, host)| format!("{host}/@{user}")),
                ProfileKey::LinkedinUrl => value.split_once("://").map(|(_, address)| address.to_owned()),
                ProfileKey::XHandle => Some(format!("x.com/{value}")),
                _ => None,
            }
        };
        self.entries.iter().filter_map(place).collect()
    }
}

impl FromIterator<ProfileEntry> for CompanyProfile {
    fn from_iter<I: IntoIterator<Item = ProfileEntry>>(entries: I) -> Self {
        let mut profile = Self::default();
        entries.into_iter().for_each(|entry| profile.add(entry));
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::{CompanyProfile, EvidenceKind, ProfileEntry, ProfileKey};

    fn entry(key: ProfileKey, value: &str) -> ProfileEntry {
        let evidence_url = "https://acme.example/".to_owned();
        ProfileEntry { key, value: value.to_owned(), evidence: EvidenceKind::Link, evidence_url }
    }

    #[test]
    fn a_profile_keeps_the_first_of_each_kind_and_no_more_than_its_kind_allows() {
        let feeds = (0..9).map(|n| entry(ProfileKey::FeedUrl, &format!("https://acme.example/{n}.xml")));
        let names = ["Acme", "Other"].map(|name| entry(ProfileKey::Name, name));
        let people = ["Ada Byron", "ADA BYRON", "", &"x".repeat(3_000)].map(|name| entry(ProfileKey::Person, name));
        let profile: CompanyProfile = feeds.chain(people).chain(names).collect();
        assert_eq!(profile.value(ProfileKey::Name), Some("Acme"));
        assert_eq!(profile.values(ProfileKey::FeedUrl).count(), 5);
        assert_eq!(profile.second_signs().collect::<Vec<_>>(), ["Ada Byron"]);
        let keys: Vec<ProfileKey> = profile.entries().iter().map(|entry| entry.key).collect();
        assert!(keys.is_sorted(), "{keys:?}");
    }

    #[test]
    fn its_accounts_are_where_it_publishes_itself() {
        let profile: CompanyProfile = [
            entry(ProfileKey::MastodonAccount, "acme@social.example"),
            entry(ProfileKey::XHandle, "acme"),
            entry(ProfileKey::BlueskyHandle, "acme.example"),
            entry(ProfileKey::LinkedinUrl, "https://www.linkedin.com/company/acme"),
            entry(ProfileKey::Name, "Acme"),
        ]
        .into_iter()
        .collect();
        let places =
            ["bsky.app/profile/acme.example", "social.example/@acme", "www.linkedin.com/company/acme", "x.com/acme"];
        assert_eq!(profile.own_places(), places);
    }
}

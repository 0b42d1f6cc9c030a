//! The search for what is known of a company: its name, its feeds, its accounts (decision 7.3: once for all radars).
//!
//! Duty: a few pages of the site, and one question each to the networks and directories; every entry with its evidence.
//! Never here: which source uses an entry, or how long it is kept.

pub(crate) mod feeds;
pub(crate) mod lookups;
pub(crate) mod names;
pub(crate) mod own_accounts;
pub(crate) mod page;
pub(crate) mod person;
pub(crate) mod sections;
pub(crate) mod wikidata;

use std::sync::Arc;

use url::Url;

use self::feeds::{Candidate, is_kept_feed, lists_without_feed, named_feeds, usual_feeds};
use self::own_accounts::{Claim, own_accounts};
use self::page::ReadPage;
use self::sections::{Section, section_link};
use super::error::DiscoveryError;
use super::home::home;
use super::visits::Visits;
use crate::engines::pages::{fetch_html, fetch_xml};
use crate::extraction::accounts::Account;
use crate::text::canonical_url::canonical;
use crate::text::company_name::{Likeness, likeness};
use domain::content::company_name::without_legal_form;
use domain::{CompanyProfile, DomainName, EvidenceKind, Obstacle, ProfileEntry, ProfileKey, ProfileUrl};
use outbound::fetch::{FetchError, ReadError, ReadHolder, Web};

/// Requests to the company's own site, robots.txt aside.
const VISITS_MAX: usize = 16;
/// Channel pages and servers that are asked about accounts.
const ACCOUNTS_ASKED_MAX: usize = 3;

/// Looks at the site of `domain`, and asks networks and directories about it where `may_ask`.
///
/// # Errors
/// The site cannot be read, and nothing else knows the company.
pub async fn profile_of(web: &Web, domain: &DomainName, may_ask: bool) -> Result<CompanyProfile, DiscoveryError> {
    ProfileSearch {
        web: &web.on_behalf_of(ReadHolder::Host(domain.as_str().to_owned())),
        domain: domain.as_str(),
        may_ask,
        visits: Visits::default(),
        profile: CompanyProfile::default(),
    }
    .run()
    .await
}

/// The accounts that everybody may read of the person with a profile on another network; none unless `may_ask`.
///
/// # Errors
/// The directory that knows them cannot be asked just now.
pub async fn accounts_of_person(
    web: &Web,
    profile_url: &ProfileUrl,
    may_ask: bool,
) -> Result<CompanyProfile, DiscoveryError> {
    if !may_ask {
        return Ok(CompanyProfile::default());
    }
    match lookups::of_person(web, profile_url).await {
        Ok(entries) => Ok(entries.into_iter().collect()),
        Err(error) if error.is_transient() => {
            let message = format!("Wikidata, which knows people's accounts, cannot be asked: {error}");
            Err(DiscoveryError::new(Obstacle::Unreachable, message))
        }
        Err(error) => {
            tracing::warn!(error = error.reason(), "a directory does not answer questions about people");
            Ok(CompanyProfile::default())
        }
    }
}

struct ProfileSearch<'a> {
    web: &'a Web,
    domain: &'a str,
    may_ask: bool,
    visits: Visits,
    profile: CompanyProfile,
}

impl ProfileSearch<'_> {
    async fn run(mut self) -> Result<CompanyProfile, DiscoveryError> {
        let domain = self.domain;
        let refused = match home(domain, async |url: &Url| self.visit(url).await).await {
            Ok((_, Some(page))) => {
                self.read_site(page).await?;
                None
            }
            Ok((url, None)) => Some(DiscoveryError::new(Obstacle::NoSource, format!("{url} shows no page"))),
            Err(error) if matches!(error.obstacle(), Obstacle::Inaccessible | Obstacle::NoSource) => Some(error),
            Err(error) => return Err(error),
        };
        self.ask_directories().await;
        // A site that keeps its pages from us may be known all the same.
        match refused {
            Some(error) if self.profile.entries().is_empty() => Err(error),
            _ => {
                self.name_by_domain();
                tracing::debug!(domain, visits = self.visits.summary(), "a company's site was looked at");
                Ok(self.profile)
            }
        }
    }

    async fn read_site(&mut self, page: ReadPage) -> Result<(), DiscoveryError> {
        let mut pages = vec![page];
        names::add_names(&mut self.profile, &pages, self.domain);
        let sections = self.read_sections(&mut pages).await?;
        let pages: Arc<[ReadPage]> = pages.into();
        self.find_feeds(&pages, sections).await?;
        let label = names::label_of(self.domain).to_owned();
        let called = [ProfileKey::Name, ProfileKey::LegalName].into_iter().flat_map(|key| self.profile.values(key));
        let called: Vec<String> = called.chain([label.as_str()]).map(str::to_owned).collect();
        let read = move || {
            let called: Vec<&str> = called.iter().map(String::as_str).collect();
            own_accounts(&pages, &called, &label)
        };
        let claims = self.unless_busy(self.web.read(read).await)?.unwrap_or_default();
        self.add_accounts(claims).await
    }

    /// What was read, if it could be. Where too much else was being read, nobody knows what would have been found, and nothing
    /// is made of that.
    fn unless_busy<T>(&self, read: Result<T, FetchError>) -> Result<Option<T>, DiscoveryError> {
        match read {
            Err(busy @ FetchError::Unread(ReadError::Busy)) => Err(DiscoveryError::of_fetch(self.domain, busy)),
            read => Ok(read.ok()),
        }
    }

    /// Reads the front pages of the newsroom and the blog.
    async fn read_sections(&mut self, pages: &mut Vec<ReadPage>) -> Result<Vec<(Section, Url)>, DiscoveryError> {
        let mut sections = Vec::new();
        let label = names::label_of(self.domain).to_owned();
        for (section, key) in [(Section::Newsroom, ProfileKey::NewsroomUrl), (Section::Blog, ProfileKey::BlogUrl)] {
            let called: Vec<&str> = self.profile.values(ProfileKey::Name).chain([label.as_str()]).collect();
            let Some(home) = pages.first() else { break };
            let Some(url) = section_link(&home.links, &home.url, section, &called) else { continue };
            let home_url = home.url.clone();
            if pages.iter().any(|page| page.url == url) {
                continue;
            }
            let visited = self.visit(&url).await;
            let Some(page) = self.unless_busy(visited)? else { continue };
            self.add(key, page.url.to_string(), EvidenceKind::Link, &home_url);
            sections.push((section, page.url.clone()));
            pages.push(page);
        }
        Ok(sections)
    }

    /// Keeps those of the feeds that pages name, or else of the usual places, that have dated entries.
    async fn find_feeds(
        &mut self,
        pages: &Arc<[ReadPage]>,
        sections: Vec<(Section, Url)>,
    ) -> Result<(), DiscoveryError> {
        let (fronts, named_on, mut fed) = (sections.clone(), pages.clone(), Vec::new());
        let section_of = move |url: &Url| fronts.iter().find(|(_, page)| page == url).map(|(section, _)| *section);
        let named = self.web.read(move || named_feeds(&named_on, section_of)).await;
        for candidate in self.unless_busy(named)?.unwrap_or_default() {
            let section = candidate.section;
            fed.extend(self.try_feed(candidate).await?.then_some(section));
        }
        let home = pages.first().filter(|_| fed.is_empty());
        for candidate in home.map(|home| usual_feeds(&home.url, &sections)).unwrap_or_default() {
            let section = candidate.section;
            if self.try_feed(candidate).await? {
                fed.push(section);
                break;
            }
        }
        for list in lists_without_feed(pages, &sections, &fed) {
            self.add(ProfileKey::ArticlesUrl, list.to_string(), EvidenceKind::Link, list);
        }
        Ok(())
    }

    /// Whether the candidate is a feed, which is kept then.
    async fn try_feed(&mut self, candidate: Candidate) -> Result<bool, DiscoveryError> {
        let has_room = self.profile.values(ProfileKey::FeedUrl).count() < ProfileKey::FeedUrl.entries_max();
        if !has_room || self.visits.count() >= VISITS_MAX {
            return Ok(false);
        }
        let page = self.visits.noted(&candidate.url, fetch_xml(self.web, &candidate.url).await);
        let Some(page) = self.unless_busy(page)? else { return Ok(false) };
        let url = page.final_url.clone();
        let is_feed = self.web.read(move || is_kept_feed(&page.body, page.content_type())).await;
        if self.unless_busy(is_feed)? != Some(true) {
            return Ok(false);
        }
        let address = canonical(&url).to_string();
        if candidate.section == Some(Section::Newsroom) {
            self.add(ProfileKey::NewsroomFeedUrl, address.clone(), candidate.evidence, &candidate.page);
        }
        self.add(ProfileKey::FeedUrl, address, candidate.evidence, &candidate.page);
        Ok(true)
    }

    async fn add_accounts(&mut self, claims: Vec<Claim>) -> Result<(), DiscoveryError> {
        let mut asked = 0;
        for Claim { account, evidence, page, is_doubtful, .. } in claims {
            let is_certain = matches!(evidence, EvidenceKind::StructuredData | EvidenceKind::RelMe);
            let may_ask = self.may_ask && asked < ACCOUNTS_ASKED_MAX;
            let entry = match &account {
                Account::YoutubePage(path) if may_ask && self.profile.value(ProfileKey::YoutubeChannelId).is_none() => {
                    asked += 1;
                    let channel = lookups::channel_of(self.web, path).await;
                    self.unless_busy(channel)?.flatten().map(|id| (ProfileKey::YoutubeChannelId, id))
                }
                Account::YoutubeChannel(id) if is_doubtful => {
                    let is_wanted = may_ask && self.profile.value(ProfileKey::YoutubeChannelId).is_none();
                    asked += usize::from(is_wanted);
                    let title = if is_wanted { self.title_of_channel(id).await? } else { None };
                    let names = self.profile.values(ProfileKey::Name).chain([names::label_of(self.domain)]);
                    let is_own = |title: String| names.into_iter().any(|name| likeness(name, &title) != Likeness::None);
                    account.entry().filter(|_| title.is_some_and(is_own))
                }
                Account::Mastodon { user, host }
                    if may_ask && self.profile.value(ProfileKey::MastodonAccount).is_none() =>
                {
                    asked += 1;
                    let confirmed = lookups::account_at(self.web, user, host).await;
                    match self.unless_busy(confirmed)? {
                        Some(confirmed) => confirmed.map(|account| (ProfileKey::MastodonAccount, account)),
                        None => account.entry().filter(|_| is_certain),
                    }
                }
                Account::Mastodon { .. } => account.entry().filter(|_| is_certain),
                _ => account.entry(),
            };
            if let Some((key, value)) = entry {
                self.add(key, value, evidence, &page);
            }
        }
        Ok(())
    }

    async fn title_of_channel(&mut self, id: &str) -> Result<Option<String>, DiscoveryError> {
        let title = lookups::title_of_channel(self.web, id).await;
        Ok(self.unless_busy(title)?.flatten())
    }

    /// What others say comes last: what the site says of itself is there already.
    async fn ask_directories(&mut self) {
        if !self.may_ask {
            return;
        }
        // A handle that is the domain outranks one that a page links to.
        if let Some(entry) = lookups::domain_handle(self.web, self.domain).await {
            let others = self.profile.entries().iter().filter(|known| known.key != ProfileKey::BlueskyHandle).cloned();
            self.profile = others.chain([entry]).collect();
        }
        for entry in lookups::of_wikidata(self.web, self.domain).await {
            // What the site is called by others is another name where it has one of its own.
            let value =
                if entry.key == ProfileKey::Name { without_legal_form(&entry.value).to_owned() } else { entry.value };
            let has_name = self.profile.value(ProfileKey::Name).is_some_and(|name| name != value);
            let key = if entry.key == ProfileKey::Name && has_name { ProfileKey::LegalName } else { entry.key };
            self.profile.add(ProfileEntry { key, value, ..entry });
        }
    }

    /// A company that nobody names is called like its domain.
    fn name_by_domain(&mut self) {
        let label = names::label_of(self.domain);
        let mut letters = label.chars();
        let name: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let (key, evidence, evidence_url) =
            (ProfileKey::Name, EvidenceKind::Domain, format!("https://{}/", self.domain));
        self.profile.add(ProfileEntry { key, value: name, evidence, evidence_url });
    }

    async fn visit(&mut self, url: &Url) -> Result<ReadPage, FetchError> {
        if self.visits.count() >= VISITS_MAX {
            return Err(FetchError::TooLarge);
        }
        let page = self.visits.noted(url, fetch_html(self.web, url).await)?;
        self.web.read(move || ReadPage::of(&page)).await
    }

    fn add(&mut self, key: ProfileKey, value: String, evidence: EvidenceKind, page: &Url) {
        self.profile.add(ProfileEntry { key, value, evidence, evidence_url: page.to_string() });
    }
}

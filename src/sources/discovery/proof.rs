//! Proof that a site's own pages hold postings: on a careers page, behind its links, or behind the sitemap's.

use url::Url;

use super::evidence::PROOFS_MAX;
use super::search::{Search, Visited};
use crate::engines::pages::{fetch_html, fetch_xml};
use crate::engines::posting_pages::{posting_addresses, read_listing};
use crate::extraction::site::is_own;
use crate::feed::FeedKey;
use crate::format::source::SourceKind;
use crate::text::canonical_url::canonical;
use outbound::fetch::FetchError;

/// Sitemaps that are read.
const SITEMAPS_MAX: usize = 3;

/// Pages without structured data that must be postings, where there are so many.
const NAMED_MIN: usize = 2;

impl Search<'_> {
    /// The careers page that describes postings, links to pages that do, or shows some; the home page only where it describes
    /// its own.
    pub(super) async fn careers_feed(&mut self, home: &Visited, careers: &[Visited]) -> Option<FeedKey> {
        let source_id = self.source_of_kind(|kind| matches!(kind, SourceKind::CareersPage))?;
        let feed = |url: &Url| FeedKey { source_id: source_id.clone(), token: canonical(url).into() };
        let mut with_postings = careers.iter().chain([home]).filter(|visited| visited.evidence.has_postings);
        if let Some(url) = with_postings.find_map(|visited| visited.url.as_ref()) {
            return Some(feed(url));
        }
        for visited in careers {
            let Some(url) = &visited.url else { continue };
            if self.prove(visited.evidence.job_pages.iter().cloned()).await {
                return Some(feed(url));
            }
        }
        // A board beside them has the same again.
        let mut showing = careers.iter().filter(|visited| visited.evidence.shows_postings && self.boards.is_empty());
        showing.find_map(|visited| visited.url.as_ref()).map(feed)
    }

    /// The sitemap that lists pages with postings.
    pub(super) async fn sitemap_feed(&mut self, home_url: &Url) -> Option<FeedKey> {
        let source_id = self.source_of_kind(|kind| matches!(kind, SourceKind::Sitemap))?;
        let mut sitemaps = self.web.sitemaps(home_url).await.unwrap_or_default();
        if sitemaps.is_empty() {
            sitemaps.extend(home_url.join("/sitemap.xml").ok());
        }
        sitemaps.retain(|url| is_own(url, home_url));
        for url in sitemaps.into_iter().take(SITEMAPS_MAX) {
            let addresses = self.sitemap_addresses(&url, home_url).await;
            let own = match self.visits.noted(&url, addresses) {
                Ok(addresses) => addresses,
                Err(error) => {
                    self.note(error);
                    continue;
                }
            };
            // The newest stand first or last.
            let proofs: Vec<Url> =
                own.first().into_iter().chain(own.iter().rev().take(PROOFS_MAX - 1)).cloned().collect();
            if self.prove(proofs.into_iter()).await {
                return Some(FeedKey { source_id, token: url.into() });
            }
        }
        None
    }

    async fn sitemap_addresses(&self, url: &Url, home_url: &Url) -> Result<Vec<Url>, FetchError> {
        let page = fetch_xml(self.web, url).await?;
        match read_listing(self.web, page).await? {
            Some(sitemap) => posting_addresses(self.web, sitemap, home_url).await,
            None => Ok(Vec::new()),
        }
    }

    /// Whether one of `pages` has a posting, or several are postings by their titles and addresses; boards on the way are
    /// noted, and such pages are no proof beside a board.
    async fn prove(&mut self, pages: impl Iterator<Item = Url>) -> bool {
        let (mut read, mut named) = (0, 0);
        for url in pages {
            let page = self.visits.noted(&url, fetch_html(self.web, &url).await);
            match async { self.read(page?).await }.await {
                Ok(visited) => {
                    self.take_boards(&visited);
                    if visited.evidence.has_postings {
                        return true;
                    }
                    read += 1;
                    named += usize::from(visited.is_named_posting);
                }
                Err(error) => self.note(error),
            }
        }
        self.boards.is_empty() && named >= NAMED_MIN.min(read).max(1)
    }

    pub(super) fn source_of_kind(&self, is_kind: impl Fn(&SourceKind) -> bool) -> Option<String> {
        let source = self.wanted.catalog.serving(self.wanted.radar_type).find(|source| is_kind(&source.kind));
        source.map(|source| source.id.clone())
    }
}

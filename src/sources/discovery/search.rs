//! One search, step by step.

use std::collections::HashSet;
use std::sync::Arc;

use url::Url;

use super::error::DiscoveryError;
use super::evidence::{Evidence, LISTS_MAX, Wanted, add_board, board_of};
use super::home::home;
use super::person::Sought;
use super::visits::Visits;
use super::words::sought;
use crate::engines::list::is_there;
use crate::engines::pages::fetch_html_at;
use crate::extraction::named_posting::named_posting;
use crate::extraction::shown_postings::read_careers_page;
use crate::feed::FeedKey;
use crate::format::catalog::Catalog;
use crate::format::source::SourceKind;
use crate::text::canonical_url::identity;
use domain::{DomainName, Obstacle, RadarType};
use outbound::fetch::{FetchError, Page, REDIRECTS_MAX, Web};
use outbound::transport::TransportError;

/// Where careers pages are when nothing links to them.
const FALLBACK_PATHS: &[&str] = &["/careers", "/jobs", "/company/careers", "/about/careers"];
/// And on which hosts.
const FALLBACK_LABELS: &[&str] = &["careers", "jobs", "career"];

/// A page that was read, or the board that the way to it led to.
#[derive(Default)]
pub(super) struct Visited {
    /// The page's own address after redirects.
    pub(super) url: Option<Url>,
    /// What it says about sources.
    pub(super) evidence: Evidence,
    /// The board that a redirect led to.
    pub(super) board: Option<FeedKey>,
    /// Whether it is a posting by its title and address alone.
    pub(super) is_named_posting: bool,
}

/// What is known so far.
pub struct Search<'a> {
    pub(super) web: &'a Web,
    pub(super) wanted: Wanted,
    /// The home page, once it is found.
    home_url: Option<Url>,
    /// Boards that are known and were not asked yet.
    pub(super) boards: Vec<FeedKey>,
    visited: HashSet<String>,
    /// Every page that was looked at: the reason why nothing was found names them.
    pub(super) visits: Visits,
    /// Why something could not be looked at just now; then nothing found is not the same as nothing there.
    unsure: Option<FetchError>,
}

impl<'a> Search<'a> {
    pub fn new(web: &'a Web, catalog: &Arc<Catalog>, radar_type: RadarType, domain: &DomainName) -> Self {
        let (boards, visited, visits) = (Vec::new(), HashSet::new(), Visits::default());
        let wanted = Wanted { catalog: catalog.clone(), radar_type, domain: domain.as_str().to_owned() };
        Self { web, wanted, home_url: None, boards, visited, visits, unsure: None }
    }

    /// Looks for the feeds; never an empty list.
    pub async fn run(mut self) -> Result<Vec<FeedKey>, DiscoveryError> {
        let (home_url, home) = self.home().await?;
        self.home_url = Some(home_url.clone());
        self.take_boards(&home);
        if self.wanted.radar_type != RadarType::CompanyJobOpenings {
            let mut feeds = self.living_boards().await;
            feeds.extend(self.team_feed(&home_url, &home, None).await);
            return if feeds.is_empty() { Err(self.nothing_found()) } else { Ok(feeds) };
        }
        self.postings(&home_url, &home).await
    }

    /// Looks for the page of the company that shows `person`.
    pub async fn run_for_person(mut self, person: &Sought) -> Result<Vec<FeedKey>, DiscoveryError> {
        let (home_url, home) = self.home().await?;
        let feed = self.team_feed(&home_url, &home, Some(person)).await;
        feed.map(|feed| vec![feed]).ok_or_else(|| self.nothing_found())
    }

    /// The boards, or else the pages, on which the company's postings stand.
    async fn postings(mut self, home_url: &Url, home: &Visited) -> Result<Vec<FeedKey>, DiscoveryError> {
        let mut careers = Vec::new();
        for url in &home.evidence.careers {
            careers.extend(self.look(url).await);
        }
        if careers.is_empty() && self.boards.is_empty() {
            careers.extend(self.fallback(home_url).await);
        }
        // What a careers page has of openings may stand on a page behind it.
        let lists: Vec<Url> =
            careers.iter().flat_map(|visited| visited.evidence.lists.clone()).take(LISTS_MAX).collect();
        for url in lists.iter().rev() {
            let list = if self.boards.is_empty() { self.look(url).await } else { None };
            careers = list.into_iter().chain(careers).collect();
        }
        self.follow_hint(home, &careers).await;
        let feeds = self.living_boards().await;
        if !feeds.is_empty() {
            return Ok(feeds);
        }
        if let Some(feed) = self.careers_feed(home, &careers).await {
            return Ok(vec![feed]);
        }
        // A posting's page may embed the board that the careers page does not show.
        let feeds = self.living_boards().await;
        if !feeds.is_empty() {
            return Ok(feeds);
        }
        if let Some(feed) = self.sitemap_feed(home_url).await {
            return Ok(vec![feed]);
        }
        Err(self.nothing_found())
    }

    fn nothing_found(&self) -> DiscoveryError {
        let what = sought(self.wanted.radar_type);
        let message = format!("no source of {what} was found at {}{}", self.wanted.domain, self.visits.summary());
        match self.unsure {
            Some(error) => {
                DiscoveryError::new(Obstacle::Unreachable, format!("{message}; a part of it fails just now: {error}"))
            }
            None => DiscoveryError::new(Obstacle::NoSource, message),
        }
    }

    async fn home(&mut self) -> Result<(Url, Visited), DiscoveryError> {
        let domain = self.wanted.domain.clone();
        let mut first_error = None;
        let visit = async |url: &Url| self.visit(url).await.inspect_err(|error| _ = first_error.get_or_insert(*error));
        let (url, visited) = home(&domain, visit).await?;
        // "www." answers that it has no front page: the one without it may come back.
        if let Some(error) = first_error.filter(|_| visited.is_none()) {
            self.note(error);
        }
        let visited = visited.unwrap_or_default();
        Ok((visited.url.clone().unwrap_or(url), visited))
    }

    /// The page at `url`. Each redirect is checked for a board first: a board's site often forbids the visit that its
    /// documented interface makes needless.
    async fn visit(&mut self, url: &Url) -> Result<Visited, FetchError> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS_MAX {
            if let Some(board) = board_of(&self.wanted.catalog, self.wanted.radar_type, &url) {
                return Ok(Visited { board: Some(board), ..Visited::default() });
            }
            self.visited.insert(identity(&url));
            let page = self.visits.noted(&url, fetch_html_at(self.web, &url).await)?;
            match page.redirects_to {
                Some(next) => url = next,
                None if page.status < 300 => return self.read(page).await,
                None => return Err(FetchError::BadRedirect),
            }
        }
        Err(FetchError::BadRedirect)
    }

    /// Takes a page apart, on a thread for reading.
    pub(super) async fn read(&self, page: Page) -> Result<Visited, FetchError> {
        let (wanted, home_url, now) = (self.wanted.clone(), self.home_url.clone(), self.web.now());
        let read = move || {
            let (html, listed) = read_careers_page(&page.body, page.content_type(), &page.final_url, now);
            let evidence = Evidence::of(&html, &page.final_url, home_url.as_ref(), &wanted, now);
            let evidence = Evidence { shows_postings: !listed.is_empty(), ..evidence };
            let is_named_posting = !evidence.has_postings && named_posting(&html.head, &page.final_url).is_some();
            Visited { evidence, url: Some(page.final_url), board: None, is_named_posting }
        };
        self.web.read(read).await
    }

    /// Reads a page that may lead further; one that cannot be read leads nowhere.
    async fn look(&mut self, url: &Url) -> Option<Visited> {
        if self.visited.contains(&identity(url)) {
            return None;
        }
        match self.visit(url).await {
            Ok(visited) => {
                self.take_boards(&visited);
                Some(visited)
            }
            Err(error) => {
                tracing::debug!(%url, error = error.reason(), "page could not be read in the search for sources");
                self.note(error);
                None
            }
        }
    }

    pub(super) fn note(&mut self, error: FetchError) {
        // Hosts that were only tried, not linked to, mostly do not exist.
        let is_nowhere = matches!(
            error,
            FetchError::Unreachable(TransportError::Dns | TransportError::UnknownName | TransportError::Blocked)
        );
        if error.is_transient() && !is_nowhere {
            self.unsure = Some(error);
        }
    }

    pub(super) fn take_boards(&mut self, visited: &Visited) {
        for board in visited.board.iter().chain(&visited.evidence.boards) {
            add_board(&mut self.boards, board.clone());
        }
    }

    /// The first of the usual places that has a page.
    async fn fallback(&mut self, home_url: &Url) -> Option<Visited> {
        let paths = FALLBACK_PATHS.iter().filter_map(|path| home_url.join(path).ok());
        let hosts = FALLBACK_LABELS
            .iter()
            .filter_map(|label| Url::parse(&format!("https://{label}.{}/", self.wanted.domain)).ok());
        let places: Vec<Url> = paths.chain(hosts).collect();
        let unsure = self.unsure;
        for url in places {
            if let Some(visited) = self.look(&url).await {
                // Many sites answer unknown paths with their home page.
                let is_home = visited.url.as_ref().is_some_and(|url| identity(url) == identity(home_url));
                if !is_home {
                    return Some(visited);
                }
            }
        }
        // These places were only guessed: that they cannot be read means nothing.
        self.unsure = unsure;
        None
    }

    /// A link such as `?gh_jid=7` hints at a board; the page behind it names which.
    async fn follow_hint(&mut self, home: &Visited, careers: &[Visited]) {
        if !self.boards.is_empty() {
            return;
        }
        let mut pages = careers.iter().chain(std::iter::once(home));
        if let Some(link) = pages.find_map(|visited| visited.evidence.hint.as_ref()) {
            self.look(link).await;
        }
    }

    /// Those of the boards that are really there; each is asked once.
    async fn living_boards(&mut self) -> Vec<FeedKey> {
        let mut living = Vec::new();
        for feed in std::mem::take(&mut self.boards) {
            living.extend(self.living(&feed).await);
        }
        living
    }

    /// `feed` if its board is there; else that of the first of the sources that are asked in its place and know its token.
    async fn living(&mut self, feed: &FeedKey) -> Option<FeedKey> {
        let catalog = self.wanted.catalog.clone();
        let others = catalog.fallbacks_of(&feed.source_id, self.wanted.radar_type);
        for source in catalog.get(&feed.source_id).into_iter().chain(others) {
            let SourceKind::List(board) = &source.kind else { continue };
            match is_there(self.web, board, &feed.token).await {
                Ok(true) => return Some(FeedKey { source_id: source.id.clone(), token: feed.token.clone() }),
                Ok(false) => tracing::debug!(source = %source.id, token = %feed.token, "linked board is not there"),
                Err(error) => {
                    self.unsure = Some(error);
                    if source.id == feed.source_id {
                        return None;
                    }
                }
            }
        }
        None
    }
}

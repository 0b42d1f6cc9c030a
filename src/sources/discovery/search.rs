//! One search, step by step.

use std::collections::HashSet;

use url::Url;

use super::evidence::{add_board, betraying_link, board_of, boards_on, own_boards};
use super::fault::SetUpFault;
use crate::domain::radar_type::RadarType;
use crate::domain::target::DomainName;
use crate::outbound::fetch::{Fetch, FetchError, Page, REDIRECTS_MAX, Redirects, RobotsPolicy, Web};
use crate::outbound::transport::TransportError;
use crate::sources::board::{Probe, probe};
use crate::sources::canonical_url::{canonical, identity};
use crate::sources::catalog::Catalog;
use crate::sources::found::FeedKey;
use crate::sources::job_posting::postings;
use crate::sources::page::HtmlPage;
use crate::sources::posting_pages::{ACCEPT_HTML, PAGE_BYTES_MAX, fetch_html, fetch_xml, html_of, posting_addresses};
use crate::sources::site::{careers_links, job_links};
use crate::sources::sitemap::read_sitemap;
use crate::sources::source::SourceKind;

/// Careers pages that are read.
const CAREERS_PAGES_MAX: usize = 3;
/// Pages of single postings that are read to prove that a site has such pages.
const PROOFS_MAX: usize = 3;
/// Sitemaps that are read.
const SITEMAPS_MAX: usize = 3;
/// Where careers pages are when nothing links to them.
const FALLBACK_PATHS: &[&str] = &["/careers", "/jobs", "/company/careers", "/about/careers"];
/// And on which hosts.
const FALLBACK_LABELS: &[&str] = &["careers", "jobs", "career"];

/// A page that was read, or the board that the way to it led to.
#[derive(Default)]
struct Visited {
    /// The page's own address after redirects.
    url: Option<Url>,
    html: HtmlPage,
    board: Option<FeedKey>,
}

/// What is known so far.
pub struct Search<'a> {
    web: &'a Web,
    catalog: &'a Catalog,
    radar_type: RadarType,
    domain: &'a str,
    boards: Vec<FeedKey>,
    visited: HashSet<String>,
    /// Why something could not be looked at just now; then nothing found is not the same as nothing there.
    unsure: Option<FetchError>,
}

impl<'a> Search<'a> {
    pub fn new(web: &'a Web, catalog: &'a Catalog, radar_type: RadarType, domain: &'a DomainName) -> Self {
        let (boards, visited) = (Vec::new(), HashSet::new());
        Self { web, catalog, radar_type, domain: domain.as_str(), boards, visited, unsure: None }
    }

    pub async fn run(mut self) -> Result<Vec<FeedKey>, SetUpFault> {
        let (home_url, home) = self.home().await?;
        self.take_boards(&home);
        let mut careers = Vec::new();
        for url in careers_links(&home.html.links, &home_url).into_iter().take(CAREERS_PAGES_MAX) {
            careers.extend(self.look(&url).await);
        }
        if careers.is_empty() && self.boards.is_empty() {
            careers.extend(self.fallback(&home_url).await);
        }
        self.follow_betraying_links(&home, &careers).await;
        let feeds = self.living_boards().await;
        if !feeds.is_empty() {
            return Ok(feeds);
        }
        if let Some(feed) = self.careers_feed(&home, &careers).await {
            return Ok(vec![feed]);
        }
        // A posting's page may embed the board that the careers page does not show.
        let feeds = self.living_boards().await;
        if !feeds.is_empty() {
            return Ok(feeds);
        }
        if let Some(feed) = self.sitemap_feed(&home_url).await {
            return Ok(vec![feed]);
        }
        Err(match self.unsure {
            Some(error) => SetUpFault::Transient(format!(
                "no source of job openings was found at {}, and a part of it could not be read: {error}",
                self.domain
            )),
            None => SetUpFault::NoSource(format!("no source of job openings was found at {}", self.domain)),
        })
    }

    /// The home page, with or without `www`; over http only where https cannot connect.
    async fn home(&mut self) -> Result<(Url, Visited), SetUpFault> {
        let mut fault: Option<SetUpFault> = None;
        let mut without_https = Vec::new();
        let hosts = [self.domain.to_owned(), format!("www.{}", self.domain)];
        let addresses = |scheme: &str| hosts.iter().map(|host| format!("{scheme}://{host}/")).collect::<Vec<_>>();
        for (https, http) in addresses("https").into_iter().zip(addresses("http")) {
            match self.home_at(&https).await {
                Ok(home) => return Ok(home),
                Err((error, new_fault)) => {
                    let cannot_connect = matches!(
                        error,
                        FetchError::Unreachable(
                            TransportError::Connect | TransportError::Tls | TransportError::Timeout
                        )
                    );
                    without_https.extend(cannot_connect.then_some(http));
                    fault = Some(graver(fault, new_fault));
                }
            }
        }
        for http in without_https {
            match self.home_at(&http).await {
                Ok(home) => return Ok(home),
                Err((_, new_fault)) => fault = Some(graver(fault, new_fault)),
            }
        }
        Err(fault.unwrap_or_else(|| SetUpFault::Unexpected("the home page was not looked for".into())))
    }

    async fn home_at(&mut self, address: &str) -> Result<(Url, Visited), (FetchError, SetUpFault)> {
        let unusable = |_| (FetchError::BadRedirect, SetUpFault::Unexpected(format!("{address} is no address")));
        let url = Url::parse(address).map_err(unusable)?;
        match self.visit(&url).await {
            Ok(visited) => Ok((visited.url.clone().unwrap_or(url), visited)),
            // The site answers: that its front page is missing or too large says nothing of its other pages.
            Err(FetchError::NotFound | FetchError::TooLarge | FetchError::BadRedirect) => Ok((url, Visited::default())),
            Err(FetchError::Status(status)) if !FetchError::Status(status).is_transient() => {
                Ok((url, Visited::default()))
            }
            Err(error) => Err((error, SetUpFault::of_fetch(address, error))),
        }
    }

    /// A page at `url`, each of its redirects judged first: a board's site often forbids the visit that its
    /// documented interface makes needless.
    async fn visit(&mut self, url: &Url) -> Result<Visited, FetchError> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS_MAX {
            if let Some(board) = board_of(self.catalog, self.radar_type, &url) {
                return Ok(Visited { url: None, html: HtmlPage::default(), board: Some(board) });
            }
            self.visited.insert(identity(&url));
            let page = self.fetch_one(&url).await?;
            match page.redirects_to {
                Some(next) => url = next,
                None if page.status < 300 => {
                    return Ok(Visited { html: html_of(&page), url: Some(page.final_url), board: None });
                }
                None => return Err(FetchError::BadRedirect),
            }
        }
        Err(FetchError::BadRedirect)
    }

    async fn fetch_one(&self, url: &Url) -> Result<Page, FetchError> {
        let request = Fetch {
            url,
            accept: ACCEPT_HTML,
            headers: &[],
            validators: None,
            robots: RobotsPolicy::Obey,
            redirects: Redirects::None,
            body_bytes_max: Some(PAGE_BYTES_MAX),
        };
        self.web.fetch(request).await
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
                tracing::debug!(%url, %error, "page could not be read in the search for sources");
                self.note(error);
                None
            }
        }
    }

    fn note(&mut self, error: FetchError) {
        // Hosts that were only tried, not linked to, mostly do not exist.
        if error.is_transient() && error != FetchError::Unreachable(TransportError::Dns) {
            self.unsure = Some(error);
        }
    }

    fn take_boards(&mut self, visited: &Visited) {
        let on_page = own_boards(boards_on(self.catalog, self.radar_type, &visited.html), self.domain);
        for board in visited.board.clone().into_iter().chain(on_page) {
            add_board(&mut self.boards, board);
        }
    }

    /// The first of the usual places that has a page.
    async fn fallback(&mut self, home_url: &Url) -> Option<Visited> {
        let paths = FALLBACK_PATHS.iter().filter_map(|path| home_url.join(path).ok());
        let hosts =
            FALLBACK_LABELS.iter().filter_map(|label| Url::parse(&format!("https://{label}.{}/", self.domain)).ok());
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
        // Nobody said that there is anything at these places.
        self.unsure = unsure;
        None
    }

    /// Links such as `?gh_jid=7` tell that there is a board, and the page behind them which.
    async fn follow_betraying_links(&mut self, home: &Visited, careers: &[Visited]) {
        if !self.boards.is_empty() {
            return;
        }
        let pages = careers.iter().chain(std::iter::once(home));
        let link =
            pages.map(|visited| &visited.html).find_map(|html| betraying_link(self.catalog, self.radar_type, html));
        if let Some(link) = link {
            self.look(&link).await;
        }
    }

    /// Those of the boards that are really there; each is asked once.
    async fn living_boards(&mut self) -> Vec<FeedKey> {
        let mut living = Vec::new();
        for feed in std::mem::take(&mut self.boards) {
            let Some(SourceKind::Json(board)) = self.catalog.get(&feed.source_id).map(|source| source.kind()) else {
                continue;
            };
            match probe(self.web, board, &feed.token).await {
                Probe::Alive => living.push(feed),
                Probe::Dead => {
                    tracing::debug!(source = %feed.source_id, token = %feed.token, "linked board is not there")
                }
                Probe::Unknown(error) => self.unsure = Some(error),
            }
        }
        living
    }

    /// The careers page that has postings itself or links to pages that have; the home page only for its own.
    async fn careers_feed(&mut self, home: &Visited, careers: &[Visited]) -> Option<FeedKey> {
        let source_id = self.source_of_kind(|kind| matches!(kind, SourceKind::CareersPage))?;
        let feed = |url: &Url| FeedKey { source_id: source_id.clone(), token: canonical(url).into() };
        for visited in careers.iter().chain(std::iter::once(home)) {
            if let Some(url) = visited.url.as_ref().filter(|url| self.has_postings(&visited.html, url)) {
                return Some(feed(url));
            }
        }
        for visited in careers {
            let Some(url) = &visited.url else { continue };
            let links = job_links(&visited.html.links, url);
            if self.prove(links.into_iter().take(PROOFS_MAX)).await {
                return Some(feed(url));
            }
        }
        None
    }

    /// The sitemap that lists pages with postings.
    async fn sitemap_feed(&mut self, home_url: &Url) -> Option<FeedKey> {
        let source_id = self.source_of_kind(|kind| matches!(kind, SourceKind::Sitemap))?;
        let mut sitemaps = self.web.sitemaps(home_url).await.unwrap_or_default();
        if sitemaps.is_empty() {
            sitemaps.extend(home_url.join("/sitemap.xml").ok());
        }
        sitemaps.retain(|url| crate::sources::site::is_own(url, home_url));
        for url in sitemaps.into_iter().take(SITEMAPS_MAX) {
            let addresses = match self.sitemap_addresses(&url).await {
                Ok(addresses) => addresses,
                Err(error) => {
                    self.note(error);
                    continue;
                }
            };
            // The newest stand first or last.
            let own = addresses.into_iter().filter(|address| crate::sources::site::is_own(address, home_url));
            let own: Vec<Url> = own.collect();
            let proofs: Vec<Url> =
                own.first().into_iter().chain(own.iter().rev().take(PROOFS_MAX - 1)).cloned().collect();
            if self.prove(proofs.into_iter()).await {
                return Some(FeedKey { source_id, token: url.into() });
            }
        }
        None
    }

    async fn sitemap_addresses(&self, url: &Url) -> Result<Vec<Url>, FetchError> {
        let page = fetch_xml(self.web, url, None).await?;
        match read_sitemap(&page.body, &page.final_url) {
            Some(sitemap) => posting_addresses(self.web, sitemap).await,
            None => Ok(Vec::new()),
        }
    }

    /// Whether one of `pages` has a posting; boards on the way are noted.
    async fn prove(&mut self, pages: impl Iterator<Item = Url>) -> bool {
        for url in pages {
            match fetch_html(self.web, &url, None).await {
                Ok(page) => {
                    let visited = Visited { html: html_of(&page), url: Some(page.final_url), board: None };
                    self.take_boards(&visited);
                    if visited.url.as_ref().is_some_and(|url| self.has_postings(&visited.html, url)) {
                        return true;
                    }
                }
                Err(error) => self.note(error),
            }
        }
        false
    }

    fn has_postings(&self, html: &HtmlPage, url: &Url) -> bool {
        !postings(&html.json_ld, url, self.web.now()).is_empty()
    }

    fn source_of_kind(&self, is_kind: impl Fn(&SourceKind) -> bool) -> Option<String> {
        let source = self.catalog.serving(self.radar_type).find(|source| is_kind(source.kind()));
        source.map(|source| source.id().to_owned())
    }
}

/// A refusal says more than a silence.
fn graver(one: Option<SetUpFault>, other: SetUpFault) -> SetUpFault {
    match one {
        Some(one @ SetUpFault::Inaccessible(_)) => one,
        Some(one) if other.is_worth_retrying() => one,
        _ => other,
    }
}

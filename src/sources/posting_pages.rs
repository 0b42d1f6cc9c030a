//! Companies' own pages with JobPosting data: polling a careers page or a sitemap.
//!
//! Duty: the engine of the kinds `careers_page` and `sitemap`. Pages that were looked at once are not fetched again.

use std::collections::HashSet;

use url::Url;

use super::canonical_url::identity;
use super::found::{FeedPoll, FetchFault, FoundItem, Known, sort_oldest_first};
use super::job_posting::{JobPosting, postings};
use super::page::{HtmlPage, read_page};
use super::site::{is_job_address, job_links};
use super::sitemap::{Sitemap, read_sitemap};
use crate::outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Validators, Web};

/// What we like to get for a page.
pub const ACCEPT_HTML: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
/// What we like to get for a sitemap.
const ACCEPT_XML: &str = "application/xml,text/xml;q=0.9,*/*;q=0.5";
/// Longer pages are not read.
pub const PAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Pages of postings that one poll fetches; those left over are fetched by the next.
const PAGES_PER_POLL_MAX: usize = 20;
/// Addresses of one sitemap that are taken for postings.
const ADDRESSES_MAX: usize = 5_000;
/// Sitemaps of an index that are read.
const CHILDREN_MAX: usize = 5;

/// Polls the careers page at `token`.
///
/// # Errors
/// See [`FetchFault`].
pub async fn poll_careers_page(web: &Web, source: &str, token: &str, known: Known<'_>) -> Result<FeedPoll, FetchFault> {
    let url = Url::parse(token).map_err(|_| FetchFault::BadToken(token.into()))?;
    let validators = (!known.first_poll).then_some(&known.validators);
    let page = fetch_html(web, &url, validators).await?;
    if page.not_modified && !known.first_poll {
        return Ok(FeedPoll { validators: page.validators, unchanged: true, ..FeedPoll::default() });
    }
    let html = html_of(&page);
    let mut poll = PagePoll::new(web, source, &page.final_url, &known);
    poll.take_postings(&html, &page.final_url, None);
    poll.take_pages(job_links(&html.links, &page.final_url)).await;
    Ok(poll.finish(page.validators))
}

/// Polls the sitemap at `token`.
///
/// # Errors
/// See [`FetchFault`].
pub async fn poll_sitemap(web: &Web, source: &str, token: &str, known: Known<'_>) -> Result<FeedPoll, FetchFault> {
    let url = Url::parse(token).map_err(|_| FetchFault::BadToken(token.into()))?;
    let validators = (!known.first_poll).then_some(&known.validators);
    let page = fetch_xml(web, &url, validators).await?;
    if page.not_modified && !known.first_poll {
        return Ok(FeedPoll { validators: page.validators, unchanged: true, ..FeedPoll::default() });
    }
    let sitemap =
        read_sitemap(&page.body, &page.final_url).ok_or_else(|| FetchFault::Unreadable("no sitemap".into()))?;
    // An index that is unchanged says nothing of the sitemaps that it names.
    let validators = if sitemap.children.is_empty() { page.validators } else { Validators::default() };
    let mut poll = PagePoll::new(web, source, &page.final_url, &known);
    poll.take_pages(posting_addresses(web, sitemap).await?).await;
    Ok(poll.finish(validators))
}

/// The addresses in `sitemap`, and in the sitemaps that it names, that suggest postings.
///
/// # Errors
/// The first sitemap that cannot be had: a part of the list would pass for the whole.
pub async fn posting_addresses(web: &Web, sitemap: Sitemap) -> Result<Vec<Url>, FetchError> {
    let mut pages = sitemap.pages;
    for child in promising_children(sitemap.children) {
        let page = fetch_xml(web, &child, None).await?;
        pages.extend(read_sitemap(&page.body, &page.final_url).map(|sitemap| sitemap.pages).unwrap_or_default());
    }
    let mut seen = HashSet::new();
    pages.retain(|url| is_job_address(url) && seen.insert(identity(url)));
    pages.truncate(ADDRESSES_MAX);
    Ok(pages)
}

/// Sitemaps whose names speak of jobs, or else the first few.
fn promising_children(mut children: Vec<Url>) -> Vec<Url> {
    let speaks_of_jobs = |url: &Url| {
        let path = url.path().to_lowercase();
        ["job", "career", "vacanc", "position", "stelle", "karriere"].iter().any(|word| path.contains(word))
    };
    if children.iter().any(speaks_of_jobs) {
        children.retain(speaks_of_jobs);
    }
    children.truncate(CHILDREN_MAX);
    children
}

/// Fetches a page, following redirects.
///
/// # Errors
/// See [`FetchError`].
pub async fn fetch_html(web: &Web, url: &Url, validators: Option<&Validators>) -> Result<Page, FetchError> {
    fetch(web, url, ACCEPT_HTML, validators, PAGE_BYTES_MAX).await
}

/// Fetches a sitemap, following redirects.
///
/// # Errors
/// See [`FetchError`].
pub async fn fetch_xml(web: &Web, url: &Url, validators: Option<&Validators>) -> Result<Page, FetchError> {
    fetch(web, url, ACCEPT_XML, validators, 2 * PAGE_BYTES_MAX).await
}

/// Takes a fetched page apart.
pub fn html_of(page: &Page) -> HtmlPage {
    read_page(&page.body, page.content_type(), &page.final_url)
}

async fn fetch(
    web: &Web,
    url: &Url,
    accept: &str,
    validators: Option<&Validators>,
    bytes_max: usize,
) -> Result<Page, FetchError> {
    web.fetch(Fetch {
        url,
        accept,
        headers: &[],
        validators,
        robots: RobotsPolicy::Obey,
        redirects: Redirects::Follow,
        body_bytes_max: Some(bytes_max),
    })
    .await
}

/// One poll under way.
struct PagePoll<'a> {
    web: &'a Web,
    source: &'a str,
    known: &'a Known<'a>,
    list_id: String,
    seen: HashSet<String>,
    items: Vec<FoundItem>,
    looked_at: Vec<String>,
    /// Whether pages are left that the next poll must fetch.
    is_incomplete: bool,
}

impl<'a> PagePoll<'a> {
    fn new(web: &'a Web, source: &'a str, list_url: &Url, known: &'a Known<'a>) -> Self {
        let list_id = identity(list_url);
        Self {
            web,
            source,
            known,
            list_id,
            seen: HashSet::new(),
            items: Vec::new(),
            looked_at: Vec::new(),
            is_incomplete: false,
        }
    }

    /// Takes the postings that stand on the page at `url`; `own_id` is the page's, if it was visited for one posting.
    fn take_postings(&mut self, html: &HtmlPage, url: &Url, own_id: Option<&str>) {
        let found = postings(&html.json_ld, url, self.web.now());
        let is_single = found.len() == 1;
        for posting in &found {
            let native_id = match own_id {
                // Some sites name the list as the address of each posting: that tells none from another.
                Some(own_id) if is_single => posting
                    .url
                    .as_ref()
                    .map(identity)
                    .filter(|id| *id != self.list_id)
                    .unwrap_or_else(|| own_id.to_owned()),
                _ => id_of(posting, url),
            };
            if !self.is_new(&native_id) {
                continue;
            }
            if self.known.first_poll || posting.is_over {
                self.looked_at.push(native_id);
            } else {
                self.items.push(FoundItem::of_posting(native_id, posting, url, self.source));
            }
        }
    }

    /// Visits those of `pages` that were never looked at.
    async fn take_pages(&mut self, pages: Vec<Url>) {
        let mut fetched = 0;
        for url in pages {
            let own_id = identity(&url);
            if self.seen.contains(&own_id) || (self.known.is_known)(&own_id) {
                continue;
            }
            if self.known.first_poll {
                self.is_new(&own_id);
                self.looked_at.push(own_id);
                continue;
            }
            if fetched >= PAGES_PER_POLL_MAX {
                self.is_incomplete = true;
                return;
            }
            fetched += 1;
            match fetch_html(self.web, &url, None).await {
                Ok(page) => self.take_page(&own_id, &page),
                Err(error) => {
                    tracing::debug!(%url, %error, "page of a posting could not be fetched");
                    if error.is_transient() {
                        self.is_incomplete = true;
                    } else {
                        self.remember(own_id);
                    }
                    if matches!(error, FetchError::Throttled { .. }) {
                        return;
                    }
                }
            }
        }
    }

    fn take_page(&mut self, own_id: &str, page: &Page) {
        self.take_postings(&html_of(page), &page.final_url, Some(own_id));
        self.remember(own_id.to_owned());
    }

    /// Marks a page as looked at, unless its id is that of an item.
    fn remember(&mut self, own_id: String) {
        if self.is_new(&own_id) {
            self.looked_at.push(own_id);
        }
    }

    fn is_new(&mut self, native_id: &str) -> bool {
        self.seen.insert(native_id.to_owned()) && !(self.known.is_known)(native_id)
    }

    fn finish(mut self, validators: Validators) -> FeedPoll {
        sort_oldest_first(&mut self.items);
        let validators = if self.is_incomplete { Validators::default() } else { validators };
        FeedPoll { items: self.items, looked_at: self.looked_at, validators, unchanged: false }
    }
}

/// The posting's own page, or its reference within the page that it stands on, or what else tells it from others there.
fn id_of(posting: &JobPosting, page_url: &Url) -> String {
    match (&posting.url, &posting.identifier) {
        (Some(url), _) if identity(url) != identity(page_url) => identity(url),
        (_, Some(identifier)) => format!("{}#{identifier}", identity(page_url)),
        (_, None) => format!("{}#{}", identity(page_url), posting.title.to_lowercase()),
    }
}

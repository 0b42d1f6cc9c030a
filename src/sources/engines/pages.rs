//! Fetching of pages and sitemaps that people read, within the bounds of [`crate::bounds`].

use url::Url;

use crate::bounds::{PAGE_BYTES_MAX, SITEMAP_BYTES_MAX};
use crate::extraction::page::{HtmlPage, read_page};
use crate::feed::Known;
use outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Web};

/// The `Accept` header for a page.
const ACCEPT_HTML: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
/// The `Accept` header for a sitemap.
const ACCEPT_XML: &str = "application/xml,text/xml;q=0.9,*/*;q=0.5";

/// The header of a request that nobody on the way may answer from memory.
pub const UNCACHED: [&str; 2] = ["cache-control", "no-cache"];

/// Fetches a page, following redirects.
pub async fn fetch_html(web: &Web, url: &Url) -> Result<Page, FetchError> {
    web.fetch(request(url, ACCEPT_HTML, PAGE_BYTES_MAX)).await
}

/// Looks at the page of a feed of which so much is `known`, following redirects.
pub async fn look_at_html(web: &Web, url: &Url, known: &Known) -> Result<Page, FetchError> {
    look_at(web, request(url, ACCEPT_HTML, PAGE_BYTES_MAX), known).await
}

/// The same for a sitemap.
pub async fn look_at_xml(web: &Web, url: &Url, known: &Known) -> Result<Page, FetchError> {
    look_at(web, request(url, ACCEPT_XML, SITEMAP_BYTES_MAX), known).await
}

async fn look_at(web: &Web, request: Fetch<'_>, known: &Known) -> Result<Page, FetchError> {
    let uncached = [UNCACHED.map(str::to_owned).into()];
    let headers = if known.is_second_look { &uncached[..] } else { &[] };
    let validators = (!known.first_poll).then_some(&known.validators);
    web.fetch(Fetch { headers, validators, ..request }).await
}

/// Fetches a page; a redirect is handed back.
pub async fn fetch_html_at(web: &Web, url: &Url) -> Result<Page, FetchError> {
    web.fetch(Fetch { redirects: Redirects::None, ..request(url, ACCEPT_HTML, PAGE_BYTES_MAX) }).await
}

/// Fetches a sitemap, following redirects.
pub async fn fetch_xml(web: &Web, url: &Url) -> Result<Page, FetchError> {
    web.fetch(request(url, ACCEPT_XML, SITEMAP_BYTES_MAX)).await
}

/// Takes a fetched page apart.
pub fn html_of(page: &Page) -> HtmlPage {
    read_page(&page.body, page.content_type(), &page.final_url)
}

/// The request for an answer of at most `bytes_max`, following redirects, as robots.txt permits.
pub const fn request<'a>(url: &'a Url, accept: &'a str, bytes_max: usize) -> Fetch<'a> {
    Fetch {
        url,
        accept,
        headers: &[],
        validators: None,
        robots: RobotsPolicy::Obey,
        redirects: Redirects::Follow,
        body_bytes_max: Some(bytes_max),
    }
}

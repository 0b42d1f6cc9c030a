//! Fetching of pages and sitemaps that people read, within the bounds of [`crate::sources::bounds`].

use url::Url;

use crate::outbound::fetch::{Fetch, FetchError, Page, Redirects, RobotsPolicy, Validators, Web};
use crate::sources::bounds::{PAGE_BYTES_MAX, SITEMAP_BYTES_MAX};
use crate::sources::extraction::page::{HtmlPage, read_page};

/// The `Accept` header for a page.
pub const ACCEPT_HTML: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
/// The `Accept` header for a sitemap.
const ACCEPT_XML: &str = "application/xml,text/xml;q=0.9,*/*;q=0.5";

/// Fetches a page, following redirects.
pub async fn fetch_html(web: &Web, url: &Url, validators: Option<&Validators>) -> Result<Page, FetchError> {
    fetch(web, url, ACCEPT_HTML, validators, PAGE_BYTES_MAX).await
}

/// Fetches a sitemap, following redirects.
pub async fn fetch_xml(web: &Web, url: &Url, validators: Option<&Validators>) -> Result<Page, FetchError> {
    fetch(web, url, ACCEPT_XML, validators, SITEMAP_BYTES_MAX).await
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

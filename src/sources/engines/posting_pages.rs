//! Companies' own pages with JobPosting data: polling a careers page or a sitemap.
//!
//! Duty: the engine of the kinds `careers_page` and `sitemap`. Pages that were looked at once are not fetched again.

use std::collections::HashSet;

use url::Url;

use super::pages::{fetch_html, fetch_xml, look_at_html, look_at_xml};
use super::posting_findings::Findings;
use crate::extraction::shown_postings::read_careers_page;
use crate::extraction::site::{is_job_address, is_own, job_links};
use crate::extraction::sitemap::{Sitemap, read_sitemap};
use crate::feed::{FeedPoll, Known, PollError};
use crate::text::canonical_url::identity;
use outbound::fetch::{FetchError, Page, Validators, Web};

/// Addresses of one sitemap that are taken for postings.
const ADDRESSES_MAX: usize = 5_000;
/// Sitemaps of an index that are read.
const CHILDREN_MAX: usize = 5;

/// Polls the careers page at `token`.
pub async fn poll_careers_page(web: &Web, source: &str, token: &str, known: Known) -> Result<FeedPoll, PollError> {
    let url = Url::parse(token).map_err(|_| PollError::BadToken(token.into()))?;
    let page = look_at_html(web, &url, &known).await?;
    if page.not_modified && !known.first_poll {
        return Ok(FeedPoll { validators: page.validators, unchanged: true, ..FeedPoll::default() });
    }
    let validators = page.validators.clone();
    let mut findings = Findings::new(source, &page.final_url, known);
    let now = web.now();
    let (findings, addresses) = web
        .read(move || {
            let (html, listed) = read_careers_page(&page.body, page.content_type(), &page.final_url, now);
            findings.take_postings(&listed, &page, None);
            (findings, job_links(&html.links, &page.final_url))
        })
        .await?;
    Ok(take_pages(web, findings, addresses).await?.finish(validators))
}

/// Polls the sitemap at `token`.
pub async fn poll_sitemap(web: &Web, source: &str, token: &str, known: Known) -> Result<FeedPoll, PollError> {
    let url = Url::parse(token).map_err(|_| PollError::BadToken(token.into()))?;
    let page = look_at_xml(web, &url, &known).await?;
    if page.not_modified && !known.first_poll {
        return Ok(FeedPoll { validators: page.validators, unchanged: true, ..FeedPoll::default() });
    }
    let (validators, findings) = (page.validators.clone(), Findings::new(source, &page.final_url, known));
    let listing = read_listing(web, page).await?.ok_or_else(|| PollError::Unreadable("no sitemap".into()))?;
    // An index that is unchanged says nothing of the sitemaps that it names.
    let validators = if listing.children.is_empty() { validators } else { Validators::default() };
    let addresses = posting_addresses(web, listing, &url).await?;
    Ok(take_pages(web, findings, addresses).await?.finish(validators))
}

/// Reads a fetched sitemap, down to what suggests postings; `None` if it is none.
pub async fn read_listing(web: &Web, page: Page) -> Result<Option<Sitemap>, FetchError> {
    web.read(move || {
        let mut sitemap = read_sitemap(&page.body, &page.final_url)?;
        sitemap.pages.retain(is_job_address);
        sitemap.pages.truncate(ADDRESSES_MAX);
        sitemap.children = promising_children(sitemap.children);
        Some(sitemap)
    })
    .await
}

/// The addresses in `listing`, and in the sitemaps that it names, that suggest postings of the site that `home` belongs to:
/// a site may name any address, but only its own are its postings.
///
/// # Errors
/// The first sitemap that cannot be had: a part of the list would pass for the whole.
pub async fn posting_addresses(web: &Web, listing: Sitemap, home: &Url) -> Result<Vec<Url>, FetchError> {
    let mut pages = listing.pages;
    for child in listing.children {
        let page = fetch_xml(web, &child).await?;
        pages.extend(read_listing(web, page).await?.map(|sitemap| sitemap.pages).unwrap_or_default());
    }
    let home = home.clone();
    web.read(move || {
        let mut seen = HashSet::new();
        pages.retain(|url| is_own(url, &home) && seen.insert(identity(url)));
        pages.truncate(ADDRESSES_MAX);
        pages
    })
    .await
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

/// Visits the pages at those of `addresses` that were never looked at, and takes the postings that stand there.
async fn take_pages(web: &Web, mut findings: Findings, addresses: Vec<Url>) -> Result<Findings, PollError> {
    let unseen = move || {
        let pages = findings.unseen(addresses);
        (findings, pages)
    };
    let (mut findings, pages) = web.read(unseen).await?;
    for (own_id, url) in pages {
        // A page that was visited before may have been about the same posting.
        if findings.seen.contains(&own_id) {
            continue;
        }
        match fetch_html(web, &url).await {
            Ok(page) => {
                let now = web.now();
                findings = web.read(move || findings.with_page(own_id, &page, now)).await?;
            }
            Err(error) => {
                tracing::debug!(%url, %error, "page of a posting could not be fetched");
                if error.is_transient() {
                    findings.is_incomplete = true;
                } else {
                    findings.remember(own_id);
                }
                if matches!(error, FetchError::Throttled { .. }) {
                    break;
                }
            }
        }
    }
    Ok(findings)
}

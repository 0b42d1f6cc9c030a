//! What a poll of a company's own pages finds.
//!
//! Duty: which postings and pages are new, and by which ids they are remembered. Never here: fetching.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use serde_json::json;
use url::Url;

use super::pages::html_of;
use crate::bounds::cut;
use crate::extraction::job_posting::{JobPosting, postings};
use crate::extraction::named_posting::named_posting;
use crate::feed::{FeedPoll, Known};
use crate::item::{FoundItem, ReadPage, content_of, sort_oldest_first};
use crate::text::canonical_url::{canonical, identity};
use crate::text::plain::without_nul;
use domain::RadarType;
use outbound::fetch::{Page, Validators};

/// Pages of postings that one poll fetches; those left over are fetched by the next.
const PAGES_PER_POLL_MAX: usize = 20;
/// As much of a title or a reference, in bytes, tells a posting from others on its page.
const NAME_IN_ID_BYTES_MAX: usize = 500;

/// A shorter last part of a path tells nothing, such as a number in a list.
const LAST_PART_BYTES_MIN: usize = 4;

/// What one poll has found so far.
pub struct Findings {
    source: String,
    known: Known,
    list_id: String,
    /// Ids that came up in this poll.
    pub seen: HashSet<String>,
    poll: FeedPoll,
    /// Whether pages are left that the next poll must fetch.
    pub is_incomplete: bool,
}

impl Findings {
    /// Nothing yet, of the list at `list_url`.
    pub fn new(source: &str, list_url: &Url, known: Known) -> Self {
        Self {
            source: source.to_owned(),
            known,
            list_id: identity(list_url),
            seen: HashSet::new(),
            poll: FeedPoll::default(),
            is_incomplete: false,
        }
    }

    /// Those of `pages` that were never looked at and are to be visited, with the ids by which they are remembered: on the
    /// first poll none, all of them are the baseline.
    pub fn unseen(&mut self, pages: Vec<Url>) -> Vec<(String, Url)> {
        let mut unseen = Vec::new();
        let is_known = |url: &Url| self.known.ids.contains(&identity(url));
        // Of a site that was rebuilt no address is left, but pages keep the last part of theirs.
        let is_rebuilt = !pages.is_empty() && !pages.iter().any(is_known);
        let known = self.known.ids.clone();
        let moved: HashSet<&str> = known.iter().filter(|_| is_rebuilt).filter_map(|id| last_part(id)).collect();
        for url in pages {
            let own_id = identity(&url);
            if self.seen.contains(&own_id) || self.is_known(&own_id) {
                continue;
            }
            if self.known.first_poll || last_part(&own_id).is_some_and(|part| moved.contains(part)) {
                self.remember(own_id);
            } else if unseen.len() < self.known.visits_max.unwrap_or(PAGES_PER_POLL_MAX) {
                unseen.push((own_id, url));
            } else {
                self.is_incomplete = true;
            }
        }
        unseen
    }

    /// Takes the postings that stand on `page`; `own_id` is the page's, if it was visited for one posting.
    pub fn take_postings(&mut self, found: &[JobPosting], page: &Page, own_id: Option<&str>) {
        let url = &page.final_url;
        let read_page = ReadPage::new(url, &page.validators);
        let is_single = found.len() == 1;
        for posting in found {
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
                self.poll.looked_at.push(native_id);
            } else {
                let item = item_of_posting(native_id, posting, url, &self.source);
                self.poll.items.extend(item.map(|item| FoundItem { page: Some(read_page.clone()), ..item }));
            }
        }
    }

    /// Takes what stands on a page that was visited for one posting.
    pub fn with_page(mut self, own_id: String, page: &Page, now: DateTime<Utc>) -> Self {
        let html = html_of(page);
        let mut found = postings(&html.json_ld, &page.final_url, now);
        if found.is_empty() {
            found.extend(named_posting(&html.head, &page.final_url));
        }
        self.take_postings(&found, page, Some(&own_id));
        self.remember(own_id);
        self
    }

    /// Marks a page as looked at, unless its id is that of an item.
    pub fn remember(&mut self, own_id: String) {
        if self.is_new(&own_id) {
            self.poll.looked_at.push(own_id);
        }
    }

    fn is_new(&mut self, native_id: &str) -> bool {
        !self.is_known(native_id) & self.seen.insert(native_id.to_owned())
    }

    fn is_known(&mut self, native_id: &str) -> bool {
        let is_known = self.known.ids.contains(native_id);
        self.poll.shows_known |= is_known;
        is_known
    }

    /// The outcome of the poll.
    pub fn finish(mut self, validators: Validators) -> FeedPoll {
        sort_oldest_first(&mut self.poll.items);
        let validators = if self.is_incomplete { Validators::default() } else { validators };
        FeedPoll { validators, ..self.poll }
    }
}

/// The item of `posting`, which was read on `page_url`. Each posting on a company's own pages is one of its job openings.
pub fn item_of_posting(native_id: String, posting: &JobPosting, page_url: &Url, source_id: &str) -> Option<FoundItem> {
    let given = [
        ("job_title", json!(posting.title)),
        ("job_url", json!(canonical(posting.url.as_ref().unwrap_or(page_url)).as_str())),
        ("job_posted_at", json!(posting.posted_on.map(|day| day.to_string()))),
        ("job_description", json!(posting.description)),
        ("job_source", json!(source_id)),
        ("country", json!(posting.country)),
    ];
    let radar_type = RadarType::CompanyJobOpenings;
    FoundItem::new(radar_type, native_id, content_of(radar_type, given), &posting.department_words)
}

/// The posting's own page, or its reference within the page that it stands on, or what else tells it from others there.
fn id_of(posting: &JobPosting, page_url: &Url) -> String {
    let id = match (&posting.url, &posting.identifier) {
        (Some(url), _) if identity(url) != identity(page_url) => identity(url),
        (_, Some(identifier)) => format!("{}#{}", identity(page_url), cut(identifier, NAME_IN_ID_BYTES_MAX)),
        (_, None) => format!("{}#{}", identity(page_url), cut(&posting.title.to_lowercase(), NAME_IN_ID_BYTES_MAX)),
    };
    without_nul(&id)
}

/// The last part of the path of the page that is remembered by `id`, where it is long enough to tell one page from another.
fn last_part(id: &str) -> Option<&str> {
    let path = id.split(['?', '#']).next()?.trim_end_matches('/');
    path.split("://").nth(1)?.split('/').skip(1).last().filter(|part| part.len() >= LAST_PART_BYTES_MIN)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use url::Url;

    use super::Findings;
    use crate::feed::Known;

    #[test]
    fn the_pages_of_a_rebuilt_site_are_known_by_the_last_part_of_their_addresses() {
        for (known, listed, visited) in [
            ("careers/data-analyst", "en/careers/data-analyst en/careers/welder", "en/careers/welder"),
            ("careers/data-analyst careers/cook", "careers/cook en/careers/data-analyst", "en/careers/data-analyst"),
            ("careers/1", "en/careers/1", "en/careers/1"),
            ("careers/data-analyst", "careers/data-analyst", ""),
        ] {
            let url = |path: &str| Url::parse("https://acme.example/").unwrap().join(path).unwrap();
            let urls = |paths: &str| paths.split_whitespace().map(url).collect::<Vec<Url>>();
            let ids = Arc::new(urls(known).into_iter().map(String::from).collect());
            let mut findings = Findings::new("careers_page", &url("careers"), Known { ids, ..Known::default() });
            let unseen: Vec<Url> = findings.unseen(urls(listed)).into_iter().map(|(_, url)| url).collect();
            assert_eq!(unseen, urls(visited), "{listed}");
        }
    }
}

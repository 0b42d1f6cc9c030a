//! What a page says about the sources of a company.
//!
//! Duty: a page to the few addresses that the search goes on with. Never here: fetching.

use std::collections::HashSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use url::Url;

use crate::extraction::job_posting::postings;
use crate::extraction::page::HtmlPage;
use crate::extraction::shown_postings::openings_links;
use crate::extraction::site::{careers_links, is_own, job_links, registrable_domain};
use crate::extraction::team::team_links;
use crate::feed::FeedKey;
use crate::format::catalog::Catalog;
use crate::text::company_name::letters;
use domain::RadarType;

/// Careers pages that are read.
const CAREERS_PAGES_MAX: usize = 3;
/// Lists of openings behind careers pages that are read.
pub const LISTS_MAX: usize = 2;
/// Pages of single postings that are read to prove that a site has such pages.
pub const PROOFS_MAX: usize = 3;
/// A page that leads to more boards than this is a directory of other people's.
const BOARDS_MAX: usize = 5;

/// The board that `url` belongs to.
pub fn board_of(catalog: &Catalog, radar_type: RadarType, url: &Url) -> Option<FeedKey> {
    catalog.serving(radar_type).find_map(|source| {
        let token = source.discovery()?.token_of(url)?;
        Some(FeedKey { source_id: source.id.clone(), token })
    })
}

/// What is looked for on every page of one search.
#[derive(Clone)]
pub struct Wanted {
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// What they must serve.
    pub radar_type: RadarType,
    /// Whose sources.
    pub domain: String,
}

/// What a page says about the company's sources: a few addresses, however many it names.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Boards that it leads to.
    pub boards: Vec<FeedKey>,
    /// The company's careers pages, the most promising first.
    pub careers: Vec<Url>,
    /// The company's pages that list openings, behind a careers page.
    pub lists: Vec<Url>,
    /// The company's pages about its people, the most promising first.
    pub team_pages: Vec<Url>,
    /// Pages of postings that it leads to.
    pub job_pages: Vec<Url>,
    /// Whether it describes postings for machines.
    pub has_postings: bool,
    /// Whether it shows postings to people; said by who took the page apart.
    pub shows_postings: bool,
    /// A link to the company's own site that hints at a board without naming it.
    pub hint: Option<Url>,
}

impl Evidence {
    /// The evidence on the page at `url`, as of `now`; `home` is the company's home page, if that is another.
    pub fn of(html: &HtmlPage, url: &Url, home: Option<&Url>, wanted: &Wanted, now: DateTime<Utc>) -> Self {
        let Wanted { catalog, radar_type, domain } = wanted;
        let home = home.unwrap_or(url);
        let mut careers = careers_links(&html.links, home);
        careers.truncate(CAREERS_PAGES_MAX);
        let mut job_pages = job_links(&html.links, url);
        job_pages.truncate(PROOFS_MAX);
        Self {
            boards: own_boards(boards_on(catalog, *radar_type, html), domain),
            careers,
            lists: openings_links(&html.links, url).into_iter().take(LISTS_MAX).collect(),
            team_pages: team_links(&html.links, home),
            job_pages,
            has_postings: !postings(&html.json_ld, url, now).is_empty(),
            shows_postings: false,
            hint: hint(catalog, *radar_type, html, home),
        }
    }
}

/// The boards that a page leads to by links, frames and scripts, each once, in order.
fn boards_on(catalog: &Catalog, radar_type: RadarType, page: &HtmlPage) -> Vec<FeedKey> {
    let urls = page.links.iter().map(|link| &link.url).chain(&page.embeds);
    let mut seen = HashSet::new();
    let is_new = |board: &FeedKey| seen.insert((board.source_id.clone(), board.token.to_ascii_lowercase()));
    urls.filter_map(|url| board_of(catalog, radar_type, url)).filter(is_new).collect()
}

/// Adds `board` unless it is there, in whatever case its name is written.
pub fn add_board(boards: &mut Vec<FeedKey>, board: FeedKey) {
    let is_same =
        |other: &FeedKey| other.source_id == board.source_id && other.token.eq_ignore_ascii_case(&board.token);
    if !boards.iter().any(is_same) {
        boards.push(board);
    }
}

/// All of a few boards; of many, those named like the company.
fn own_boards(boards: Vec<FeedKey>, domain: &str) -> Vec<FeedKey> {
    if boards.len() <= BOARDS_MAX {
        return boards;
    }
    let name = letters(registrable_domain(domain).split('.').next().unwrap_or_default());
    boards.into_iter().filter(|board| letters(&board.token) == name).take(BOARDS_MAX).collect()
}

/// The first link on the page to the company's own site that hints at a board without naming it.
fn hint(catalog: &Catalog, radar_type: RadarType, page: &HtmlPage, home: &Url) -> Option<Url> {
    let is_hint = |url: &Url| {
        let mut discoveries = catalog.serving(radar_type).filter_map(|source| source.discovery());
        discoveries.any(|discovery| discovery.hints_at(url))
    };
    page.links.iter().map(|link| &link.url).find(|url| is_own(url, home) && is_hint(url)).cloned()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{board_of, boards_on, own_boards};
    use crate::extraction::page::{HtmlPage, Link};
    use crate::feed::FeedKey;
    use crate::format::catalog::Catalog;
    use domain::RadarType;

    #[test]
    fn addresses_name_boards() {
        let catalog = Catalog::load(None).unwrap();
        for (url, board) in [
            ("https://boards.greenhouse.io/acme", Some(("greenhouse", "acme"))),
            ("https://job-boards.greenhouse.io/acme/jobs/1", Some(("greenhouse", "acme"))),
            ("https://job-boards.eu.greenhouse.io/acme", Some(("greenhouse", "acme"))),
            ("https://boards.greenhouse.io/embed/job_board/js?for=acme", Some(("greenhouse", "acme"))),
            ("https://boards.greenhouse.io/embed/job_app?for=acme&token=1", Some(("greenhouse", "acme"))),
            ("https://boards.greenhouse.io/embed/job_board", None),
            ("https://boards-api.greenhouse.io/v1/boards/acme/jobs", Some(("greenhouse", "acme"))),
            ("https://www.greenhouse.io/customers", None),
            ("https://jobs.lever.co/Acme/0c1f", Some(("lever", "Acme"))),
            ("https://jobs.eu.lever.co/acme", Some(("lever_eu", "acme"))),
            ("https://api.lever.co/v0/postings/acme?mode=json", Some(("lever", "acme"))),
            ("https://jobs.lever.co/", None),
            ("https://jobs.ashbyhq.com/Acme%20Inc.", Some(("ashby", "Acme Inc."))),
            ("https://jobs.ashbyhq.com/acme/embed?version=2", Some(("ashby", "acme"))),
            ("https://jobs.ashbyhq.com/%2e%2e%2fadmin", None),
            ("https://acme.career.softgarden.de/jobs/1/Koch/", Some(("softgarden", "acme"))),
            ("https://acme.softgarden.io/job/42/Koch", Some(("softgarden", "acme"))),
            ("https://certificate.softgarden.io/x", None),
            ("https://karriere.acme.de/jobs/60111660/Koch/?l=de", Some(("softgarden_site", "karriere.acme.de"))),
            ("https://www.acme.de/jobs/4711/koch", None),
            ("https://acme.dvinci-hr.com/de/jobs/20132/koch", Some(("dvinci", "acme.dvinci-hr.com"))),
            ("https://acme.dvinci-easy.com/", Some(("dvinci", "acme.dvinci-easy.com"))),
            ("https://www.dvinci.de/", None),
            ("https://jobs.acme.de/de/jobs/20132/koch-m-w-d", Some(("dvinci", "jobs.acme.de"))),
            ("https://jobs.acme.de/de/jobs/koch", None),
            ("https://join.com/companies/acme/16244456-koch", Some(("join", "acme"))),
            ("https://join.com/talents", None),
            (
                "https://acme-portal.rexx-systems.com/stellenangebote.html",
                Some(("rexx", "acme-portal.rexx-systems.com")),
            ),
            ("https://www.rexx-systems.com/", None),
            ("https://jobapplication.hrworks.de/de?companyId=ab12cd34", Some(("hrworks", "ab12cd34"))),
            (
                "https://career5.successfactors.eu/career?navBarLevel=JOB_SEARCH&company=acmeAG&site=x",
                Some(("successfactors", "company=acmeAG&host=career5.successfactors.eu")),
            ),
            (
                "https://careers.acme.com/job/Graz-Koch-8010/1234567/?utm_source=x",
                Some(("successfactors_site", "careers.acme.com")),
            ),
            ("https://careers.acme.com/job/koch/", None),
            ("https://boards.greenhouse.io.evil.example/acme", None),
        ] {
            let found = board_of(&catalog, RadarType::CompanyJobOpenings, &Url::parse(url).unwrap());
            let found = found.as_ref().map(|board| (board.source_id.as_str(), board.token.as_str()));
            assert_eq!(found, board, "{url}");
        }
    }

    #[test]
    fn a_board_counts_once_and_a_directory_only_for_its_own() {
        let catalog = Catalog::load(None).unwrap();
        let link = |token: &str| Link {
            url: Url::parse(&format!("https://jobs.lever.co/{token}")).unwrap(),
            text: String::new(),
            is_around: false,
        };
        let page = |tokens: &[&str]| HtmlPage {
            links: tokens.iter().map(|token| link(token)).collect(),
            ..HtmlPage::default()
        };
        let boards = |tokens: &[&str]| boards_on(&catalog, RadarType::CompanyJobOpenings, &page(tokens));
        assert_eq!(boards(&["acme", "ACME", "acme/1"]).len(), 1);
        assert_eq!(own_boards(boards(&["a1", "b2"]), "acme.example").len(), 2);
        let own = own_boards(boards(&["a1", "b2", "c3", "d4", "e5", "ac-me"]), "acme.example");
        assert_eq!(own, [FeedKey { source_id: "lever".into(), token: "ac-me".into() }]);
    }
}

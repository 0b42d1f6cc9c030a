//! The page on which a company shows its people.
//!
//! Duty: a few links of the site, followed until one shows a team. Never here: how people are read.

use url::Url;

use super::person::Sought;
use super::search::{Search, Visited};
use crate::engines::pages::{fetch_html, html_of};
use crate::engines::team_page::TeamToken;
use crate::extraction::team::{TeamPage, team_links};
use crate::feed::FeedKey;
use crate::format::source::SourceKind;
use crate::text::canonical_url::{canonical, identity};
use outbound::fetch::{FetchError, Page};

/// Pages that are read.
const PAGES_MAX: usize = 5;

/// A page that may show a team.
struct Candidate {
    /// What makes its feed, where it shows a team, with the person who is looked for.
    token: Option<TeamToken>,
    links: Vec<Url>,
}

impl Search<'_> {
    /// The page that shows a team, with `person` in it where one is looked for.
    pub(super) async fn team_feed(
        &mut self,
        home_url: &Url,
        home: &Visited,
        person: Option<&Sought>,
    ) -> Option<FeedKey> {
        let source_id = self.source_of_kind(|kind| matches!(kind, SourceKind::TeamPage(_)))?;
        let mut waiting = home.evidence.team_pages.clone();
        let mut read: Vec<String> = vec![identity(home_url)];
        while let Some(url) = (read.len() <= PAGES_MAX && !waiting.is_empty()).then(|| waiting.remove(0)) {
            if read.contains(&identity(&url)) {
                continue;
            }
            read.push(identity(&url));
            let page = self.visits.noted(&url, fetch_html(self.web, &url).await);
            match async { self.candidate(page?, home_url, person).await }.await {
                Ok(Candidate { token: Some(token), .. }) => {
                    return Some(FeedKey { source_id, token: token.text() });
                }
                Ok(candidate) => waiting.extend(candidate.links),
                Err(error) => self.note(error),
            }
        }
        None
    }

    async fn candidate(&self, page: Page, home_url: &Url, person: Option<&Sought>) -> Result<Candidate, FetchError> {
        let (home_url, person) = (home_url.clone(), person.cloned());
        let read = move || {
            let team = TeamPage::read(&page.body, page.content_type(), &page.final_url);
            let full_name = person.as_ref().map(|person| person.name_on(&team));
            let shows_wanted = !team.members.is_empty() && full_name != Some(None);
            let token = TeamToken { page: canonical(&page.final_url), full_name: full_name.flatten() };
            Candidate { token: shows_wanted.then_some(token), links: team_links(&html_of(&page).links, &home_url) }
        };
        self.web.read(read).await
    }
}

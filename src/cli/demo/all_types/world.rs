//! The sample web of `radar demo --all-types`: a company with a site, a job board, posts and press releases, and what
//! others publish.
//!
//! Duty: host, path, query and how many things have happened in, a page out. The answers, in the folder `web`, have the
//! shape of those of the real sources; what they tell is invented. It serves nothing itself.

use super::moment::{DOMAIN, Moment};
use crate::cli::demo::sample_pages::{self, ACME_ROBOTICS, HTML, ITEM, JSON, Job, Page};

/// The beginnings of the ids of the built-in sources whose answers are served here.
pub const SERVED: [&str; 10] = [
    "greenhouse", "arbeitnow", "hacker_news", "hn_launches", "bluesky_posts", "bluesky_engagements", "globenewswire",
    "prnewswire", "brreg", "team_page",
];

const RSS: &str = "application/rss+xml";

/// The pages, by host, path (without one any) and what their query holds: the media type, and the file.
const WEB: [(&str, &str, &str, &str, &str); 9] = [
    ("arbeitnow.com", "/api/job-board-api", "", JSON, include_str!("web/jobs.json")),
    ("hn.algolia.com", "/api/v1/search_by_date", "Launch", JSON, include_str!("web/launches.json")),
    ("hn.algolia.com", "/api/v1/search_by_date", "", JSON, include_str!("web/stories.json")),
    ("public.api.bsky.app", "/xrpc/app.bsky.feed.getAuthorFeed", "", JSON, include_str!("web/posts.json")),
    ("data.brreg.no", "/enhetsregisteret/api/enheter", "", JSON, include_str!("web/register.json")),
    ("globenewswire.com", "", "", RSS, include_str!("web/releases.xml")),
    ("prnewswire.com", "", "", RSS, include_str!("web/releases.xml")),
    (DOMAIN, "/", "", HTML, include_str!("web/home.html")),
    (DOMAIN, "/about/team", "", HTML, include_str!("web/team.html")),
];

/// The page at `path` of `host`, `None` where there is none.
pub fn page(host: &str, path: &str, query: &str, moment: &Moment) -> Option<Page> {
    let bare = host.strip_prefix("www.").unwrap_or(host);
    let is_asked = |(of, at, holds, ..): &&(&str, &str, &str, &str, &str)| {
        *of == bare && (at.is_empty() || *at == path) && query.contains(holds)
    };
    match WEB.iter().find(is_asked).filter(|_| path != "/robots.txt") {
        Some((.., content_type, file)) => Some(Page { content_type, body: shown(file, content_type, query, *moment) }),
        None => sample_pages::page(host, path, &openings(*moment)),
    }
}

fn shown(file: &str, content_type: &str, query: &str, moment: Moment) -> String {
    let (around, item) = file.split_once(ITEM).unwrap_or((file, ""));
    let items: Vec<String> = moment.numbers().map(|number| moment.told(item, number)).collect();
    let items = items.join(if content_type == JSON { "," } else { "" });
    let person = "ada.acme-robotics.com";
    let handle = if query.contains(person) { person } else { DOMAIN };
    moment.told(around, moment.happened).replace("{items}", &items).replace("{handle}", handle)
}

fn openings(moment: Moment) -> Vec<Job> {
    let job = |number: u32| Job {
        company: ACME_ROBOTICS,
        id: 4_100 + u64::from(number),
        title: format!("Robotics Engineer {number}"),
        department: "Engineering".to_owned(),
        city: "Ghent".to_owned(),
        country: "BE".to_owned(),
        posted_on: moment.today(),
        description: "Build robots that last.".to_owned(),
    };
    moment.numbers().map(job).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use chrono::DateTime;

    use super::{JSON, WEB, page};
    use crate::cli::demo::all_types::moment::Moment;

    #[test]
    fn no_release_tells_the_same_twice() {
        let shown = |happened: u32| {
            let moment = Moment { happened, now: DateTime::UNIX_EPOCH };
            page("www.prnewswire.com", "/rss", "", &moment).expect("a feed").body
        };
        let feed = shown(39);
        let titles: HashSet<&str> = feed.lines().filter(|line| line.starts_with("<title>")).collect();
        assert_eq!(titles.len(), 3 * 39);
        let feed = shown(2);
        assert_eq!(feed.matches("<item>").count(), 6);
        assert!(feed.contains("Acme Robotics Promotes Erik Sundberg to Vice President of Sales"));
    }

    #[test]
    fn every_place_in_a_page_is_filled() {
        let moment = Moment { happened: 3, now: DateTime::UNIX_EPOCH };
        for (host, path, query, content_type, _) in WEB {
            let body = page(host, path, query, &moment).expect("a page").body;
            if content_type == JSON {
                serde_json::from_str::<serde_json::Value>(&body).expect("JSON");
            }
            let is_place = |rest: &&str| rest.starts_with(|letter: char| letter.is_ascii_alphabetic());
            assert_eq!(body.split('{').skip(1).find(is_place), None, "{path}");
        }
    }
}

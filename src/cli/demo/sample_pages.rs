//! The pages of the sample companies, as their web servers would give them.
//!
//! Duty: host, path and the open jobs in, a page out. One company keeps its jobs on a Greenhouse board, the other on
//! its own careers pages with JSON-LD. The pages are laid out in the folder `web`. It serves nothing itself.

use chrono::NaiveDate;
use serde_json::{Value, json};

/// A news site whose answers have changed their shape.
pub const NEWS_HOST: &str = "news.example.com";
/// Where Greenhouse boards are read.
pub const BOARD_HOST: &str = "boards-api.greenhouse.io";
/// Where Greenhouse boards are shown.
const BOARD_PAGE_HOST: &str = "boards.greenhouse.io";

/// One sample company.
#[derive(Debug, PartialEq, Eq)]
pub struct Company {
    name: &'static str,
    /// The domain that a radar watches.
    pub domain: &'static str,
    /// The name of its Greenhouse board, if it has one.
    board: Option<&'static str>,
}

/// Its careers page links to a Greenhouse board.
pub const ACME_ROBOTICS: &Company =
    &Company { name: "Acme Robotics", domain: "acme-robotics.com", board: Some("acmerobotics") };
/// Its jobs are pages of its own site, with JSON-LD.
pub const BOREALIS_FOODS: &Company = &Company { name: "Borealis Foods", domain: "borealis-foods.com", board: None };
/// Both.
pub const COMPANIES: [&Company; 2] = [ACME_ROBOTICS, BOREALIS_FOODS];

/// One open job.
#[derive(Clone, Debug)]
pub struct Job {
    /// Who is hiring.
    pub company: &'static Company,
    /// Number of the job, unique among all.
    pub id: u64,
    /// Title of the job.
    pub title: String,
    /// Department in the company's own words.
    pub department: String,
    /// City of the job.
    pub city: String,
    /// Country of the job, ISO 3166-1 alpha-2.
    pub country: String,
    /// When the job was published.
    pub posted_on: NaiveDate,
    /// What the job is about, one paragraph of plain text.
    pub description: String,
}

/// The media type of answers of APIs.
pub const JSON: &str = "application/json";
/// The media type of pages for people.
pub const HTML: &str = "text/html; charset=utf-8";
/// Stands in a file between a page and what is shown in its place `{items}` for each of several things.
pub const ITEM: &str = "\n---\n";
const BOARD: &str = include_str!("web/board.json");

/// A page as it is served.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// Its media type.
    pub content_type: &'static str,
    /// Its text.
    pub body: String,
}

impl Page {
    /// An answer of an API.
    pub fn json(value: &Value) -> Self {
        Self { content_type: JSON, body: value.to_string() }
    }
}

/// The page at `path` of `host`, `None` where there is none.
pub fn page(host: &str, path: &str, jobs: &[Job]) -> Option<Page> {
    if path == "/robots.txt" {
        return Some(robots());
    }
    if host == BOARD_HOST {
        return board_answer(path, jobs);
    }
    if host == NEWS_HOST {
        return Some(Page::json(&json!({"articles": []})));
    }
    let bare = host.strip_prefix("www.").unwrap_or(host);
    let company = COMPANIES.into_iter().find(|company| company.domain == bare)?;
    let jobs: Vec<&Job> = jobs.iter().filter(|job| job.company == company).collect();
    let own = if company.board.is_none() { jobs.as_slice() } else { &[] };
    match path.trim_end_matches('/') {
        "" => Some(shown(HTML, include_str!("web/home.html"), company, &[])),
        "/careers" => Some(shown(HTML, include_str!("web/careers.html"), company, &jobs)),
        "/sitemap.xml" => Some(shown("application/xml", include_str!("web/sitemap.xml"), company, own)),
        path => {
            let id: u64 = path.strip_prefix("/careers/jobs/")?.parse().ok()?;
            let job = own.iter().find(|job| job.id == id)?;
            let posting = filled(include_str!("web/posting.json"), &words(job), in_json).replace('<', "\\u003c");
            let file = include_str!("web/job.html").replace("{posting}", &posting);
            Some(Page { content_type: HTML, body: filled(&file, &words(job), escaped) })
        }
    }
}

/// The address of a job's own page.
pub fn job_url(job: &Job) -> String {
    match job.company.board {
        Some(board) => format!("https://{BOARD_PAGE_HOST}/{board}/jobs/{}", job.id),
        None => format!("https://{}/careers/jobs/{}", job.company.domain, job.id),
    }
}

/// The file that lets everybody in.
pub fn robots() -> Page {
    Page { content_type: "text/plain; charset=utf-8", body: "User-agent: *\nAllow: /\n".to_owned() }
}

/// Greenhouse's answer about a board: the list of its jobs, or one of them.
fn board_answer(path: &str, jobs: &[Job]) -> Option<Page> {
    let (board, rest) = path.strip_prefix("/v1/boards/")?.split_once('/').unwrap_or((path, ""));
    let company = COMPANIES.into_iter().find(|company| company.board == Some(board))?;
    let jobs: Vec<&Job> = jobs.iter().filter(|job| job.company == company).collect();
    match rest.strip_prefix("jobs")?.trim_matches('/') {
        "" => Some(shown(JSON, BOARD, company, &jobs)),
        id => {
            let job = jobs.iter().find(|job| job.id.to_string() == id)?;
            let (_, one) = BOARD.split_once(ITEM)?;
            Some(Page { content_type: JSON, body: filled(one, &words(job), in_json) })
        }
    }
}

/// The page that a file lays out: about a company, with an item for each job.
fn shown(content_type: &'static str, file: &str, company: &Company, jobs: &[&Job]) -> Page {
    let (written, joint): (fn(&str) -> String, _) = if content_type == JSON { (in_json, ",") } else { (escaped, "") };
    let (around, item) = file.split_once(ITEM).unwrap_or((file, ""));
    let items: Vec<String> = jobs.iter().map(|job| filled(item, &words(job), written)).collect();
    let link = |board| format!("<p><a href=\"https://{BOARD_PAGE_HOST}/{board}\">All openings</a></p>");
    let around = around.replace("{all}", &company.board.map(link).unwrap_or_default());
    let about = [
        ("{company}", company.name.to_owned()),
        ("{domain}", company.domain.to_owned()),
        ("{count}", jobs.len().to_string()),
    ];
    Page { content_type, body: filled(&around, &about, written).replace("{items}", &items.join(joint)) }
}

/// What a page may say of a job, by its place in the file.
fn words(job: &Job) -> [(&'static str, String); 12] {
    let html = format!("<p>{}</p>", escaped(&job.description));
    [
        ("{id}", job.id.to_string()),
        ("{title}", job.title.clone()),
        ("{department}", job.department.clone()),
        ("{city}", job.city.clone()),
        ("{country}", job.country.clone()),
        ("{day}", job.posted_on.to_string()),
        ("{description}", job.description.clone()),
        ("{escaped}", escaped(&html)),
        ("{html}", html),
        ("{url}", job_url(job)),
        ("{company}", job.company.name.to_owned()),
        ("{domain}", job.company.domain.to_owned()),
    ]
}

/// The text with the words in their places, each as it is written there.
pub fn filled(text: &str, words: &[(&str, String)], written: fn(&str) -> String) -> String {
    words.iter().fold(text.to_owned(), |text, (place, word)| text.replace(place, &written(word)))
}

/// A text within quotes of JSON.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn escaped(text: &str) -> String {
    html_escape::encode_double_quoted_attribute(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{ACME_ROBOTICS, BOARD_HOST, BOREALIS_FOODS, Company, Job, page};
    use serde_json::Value;

    fn job(company: &'static Company, id: u64) -> Job {
        Job {
            company,
            id,
            title: "Cook & </script> Taster".to_owned(),
            department: "Research".to_owned(),
            city: "Oslo".to_owned(),
            country: "NO".to_owned(),
            posted_on: "2026-01-02".parse().expect("a date"),
            description: "Taste <everything>.".to_owned(),
        }
    }

    #[test]
    fn a_board_lists_only_the_jobs_of_its_company() {
        let jobs = [job(ACME_ROBOTICS, 1), job(BOREALIS_FOODS, 2)];
        let list = page(BOARD_HOST, "/v1/boards/acmerobotics/jobs", &jobs).expect("a board");
        let list: Value = serde_json::from_str(&list.body).expect("json");
        assert_eq!(list["meta"]["total"], 1);
        assert_eq!(list["jobs"][0]["absolute_url"], "https://boards.greenhouse.io/acmerobotics/jobs/1");
        assert!(page(BOARD_HOST, "/v1/boards/acmerobotics/jobs/1", &jobs).is_some());
        assert_eq!(page(BOARD_HOST, "/v1/boards/acmerobotics/jobs/2", &jobs), None);
        assert_eq!(page(BOARD_HOST, "/v1/boards/borealisfoods/jobs", &jobs), None);
    }

    #[test]
    fn a_job_page_carries_its_posting_as_json() {
        let jobs = [job(BOREALIS_FOODS, 2)];
        let page = page("www.borealis-foods.com", "/careers/jobs/2", &jobs).expect("a page").body;
        let (_, rest) = page.split_once("application/ld+json\">").expect("a script");
        let (script, _) = rest.split_once("</script>").expect("an end");
        let posting: Value = serde_json::from_str(script).expect("json");
        assert_eq!(posting["title"], "Cook & </script> Taster");
        assert_eq!(posting["url"], "https://borealis-foods.com/careers/jobs/2");
    }

    #[test]
    fn companies_have_a_site_that_leads_to_their_jobs() {
        for host in ["acme-robotics.com", "www.acme-robotics.com", "borealis-foods.com", "www.borealis-foods.com"] {
            assert!(page(host, "/robots.txt", &[]).is_some() && page(host, "/", &[]).is_some(), "{host}");
        }
        assert_eq!(page("careers.acme-robotics.com", "/", &[]), None);
        assert!(page("acme-robotics.com", "/careers", &[]).expect("a page").body.contains("boards.greenhouse.io/acme"));
    }
}

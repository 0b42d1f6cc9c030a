//! The pages of the sample companies, as their web servers would give them.
//!
//! Duty: host, path and the open jobs in, a page out. One company keeps its jobs on a Greenhouse board, the other on
//! its own careers pages with JSON-LD. It serves nothing itself.

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
        Self { content_type: "application/json", body: value.to_string() }
    }

    /// A page for people; `body` is HTML.
    pub fn html(title: &str, body: &str) -> Self {
        let title = escaped(title);
        Self {
            content_type: "text/html; charset=utf-8",
            body: format!(
                "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
                 <body>\n{body}\n</body></html>\n"
            ),
        }
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
    match path.trim_end_matches('/') {
        "" => Some(home(company)),
        "/careers" => Some(careers(company, &jobs)),
        "/sitemap.xml" => Some(sitemap(company, &jobs)),
        path => {
            let id: u64 = path.strip_prefix("/careers/jobs/")?.parse().ok()?;
            company.board.is_none().then(|| jobs.iter().find(|job| job.id == id).map(|job| job_page(job)))?
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

fn home(company: &Company) -> Page {
    Page::html(
        company.name,
        &format!(
            "<p>{} builds things that last.</p><nav><a href=\"/\">Home</a> <a href=\"/careers\">Careers</a></nav>",
            company.name
        ),
    )
}

fn careers(company: &Company, jobs: &[&Job]) -> Page {
    let links: String = jobs
        .iter()
        .map(|job| {
            format!("<li><a href=\"{}\">{}</a>, {}</li>\n", job_url(job), escaped(&job.title), escaped(&job.city))
        })
        .collect();
    let board = company
        .board
        .map(|board| format!("<p><a href=\"https://{BOARD_PAGE_HOST}/{board}\">All openings</a></p>"))
        .unwrap_or_default();
    Page::html(
        &format!("Careers at {}", company.name),
        &format!("<h1>Open positions</h1>\n<ul>\n{links}</ul>\n{board}"),
    )
}

fn job_page(job: &Job) -> Page {
    let posting = json!({
        "@context": "https://schema.org",
        "@type": "JobPosting",
        "title": job.title,
        "description": format!("<p>{}</p>", escaped(&job.description)),
        "identifier": {"@type": "PropertyValue", "name": job.company.name, "value": job.id.to_string()},
        "datePosted": job.posted_on.to_string(),
        "employmentType": "FULL_TIME",
        "industry": job.department,
        "url": job_url(job),
        "hiringOrganization": {
            "@type": "Organization",
            "name": job.company.name,
            "sameAs": format!("https://{}/", job.company.domain),
        },
        "jobLocation": {
            "@type": "Place",
            "address": {"@type": "PostalAddress", "addressLocality": job.city, "addressCountry": job.country},
        },
    });
    let script = posting.to_string().replace('<', "\\u003c");
    Page::html(
        &job.title,
        &format!(
            "<script type=\"application/ld+json\">{script}</script>\n<h1>{}</h1>\n<p>{}</p>",
            escaped(&job.title),
            escaped(&job.description)
        ),
    )
}

fn sitemap(company: &Company, jobs: &[&Job]) -> Page {
    let own = jobs.iter().filter(|_| company.board.is_none()).map(|job| job_url(job));
    let entries: String = [format!("https://{}/careers", company.domain)]
        .into_iter()
        .chain(own)
        .map(|address| format!("<url><loc>{address}</loc></url>\n"))
        .collect();
    Page {
        content_type: "application/xml",
        body: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
        ),
    }
}

/// Greenhouse's answer about a board: the list of its jobs, or one of them.
fn board_answer(path: &str, jobs: &[Job]) -> Option<Page> {
    let (board, rest) = path.strip_prefix("/v1/boards/")?.split_once('/').unwrap_or((path, ""));
    let company = COMPANIES.into_iter().find(|company| company.board == Some(board))?;
    let mut jobs = jobs.iter().filter(|job| job.company == company);
    let answer = match rest.strip_prefix("jobs")?.trim_matches('/') {
        "" => {
            let listed: Vec<Value> = jobs.map(board_job).collect();
            json!({"jobs": listed, "meta": {"total": listed.len()}})
        }
        id => board_job(jobs.find(|job| job.id.to_string() == id)?),
    };
    Some(Page::json(&answer))
}

fn board_job(job: &Job) -> Value {
    let published = format!("{}T09:00:00-05:00", job.posted_on);
    json!({
        "id": job.id,
        "internal_job_id": job.id + 1_000_000,
        "title": job.title,
        "updated_at": published,
        "first_published": published,
        "requisition_id": format!("REQ-{}", job.id),
        "company_name": job.company.name,
        "location": {"name": format!("{}, {}", job.city, job.country)},
        "absolute_url": job_url(job),
        "metadata": null,
        "content": escaped(&format!("<p>{}</p>", escaped(&job.description))),
        "departments": [{"id": 1, "name": job.department, "child_ids": [], "parent_id": null}],
        "offices": [{"id": 2, "name": job.city, "location": format!("{}, {}", job.city, job.country)}],
    })
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

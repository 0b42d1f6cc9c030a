//! Sample sites, on a free port of this machine.
//!
//! Duty: serve pages with entity tags, answer conditional requests, and report every fetch. The first part of a path is
//! the host that is meant, as the rewrite table of the demo puts it there.

use std::io;
use std::sync::Arc;

use actix_web::http::header::{CacheControl, CacheDirective, ETag, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, web};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::local_server::LocalServer;
use super::sample_pages::{self, Job, Page};

/// One request that a site has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// The address that was meant.
    pub url: String,
    /// The status that was answered.
    pub status: u16,
}

/// The page at a path of a host, with a query, as the state has it; `None` where there is none.
type PageAt<S> = fn(host: &str, path: &str, query: &str, state: &S) -> Option<Page>;

/// Sites that show a state, served until [`Site::stop`].
pub struct Site<S> {
    state: Arc<Mutex<S>>,
    server: LocalServer,
}

/// The sites of the sample companies, with the jobs that they have published.
pub type CompanySite = Site<Vec<Job>>;

#[derive(Clone)]
struct SiteState<S> {
    state: Arc<Mutex<S>>,
    page: PageAt<S>,
    reports: Option<mpsc::Sender<Fetch>>,
}

impl<S: Clone + Send + 'static> Site<S> {
    /// Starts serving on a free port of the loopback interface; must be called within an actix system. Fetches are
    /// reported where somebody listens to `reports`.
    pub fn serve(state: S, page: PageAt<S>, reports: Option<mpsc::Sender<Fetch>>) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(state));
        let shared = SiteState { state: state.clone(), page, reports };
        let server = LocalServer::start(move |config| {
            config.app_data(web::Data::new(shared.clone())).default_service(web::to(answer::<S>));
        })?;
        Ok(Self { state, server })
    }

    /// Where all of them are served.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Changes what the sites show.
    pub fn change(&self, change: impl FnOnce(&mut S)) {
        change(&mut self.state.lock());
    }

    /// Ends serving.
    pub async fn stop(self) {
        self.server.stop().await;
    }
}

impl CompanySite {
    /// Starts serving the sites of companies that have published nothing yet.
    pub fn start(reports: mpsc::Sender<Fetch>) -> io::Result<Self> {
        Self::serve(Vec::new(), |host, path, _, jobs| sample_pages::page(host, path, jobs), Some(reports))
    }

    /// Puts a job on the site of its company.
    pub fn publish(&self, job: Job) {
        self.change(|jobs| jobs.push(job));
    }
}

async fn answer<S: 'static>(request: HttpRequest, shared: web::Data<SiteState<S>>) -> HttpResponse {
    let path = request.path().trim_start_matches('/');
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let path = format!("/{path}");
    let page = {
        let state = shared.state.lock();
        (shared.page)(host, &path, request.query_string(), &state)
    };
    let response = match page {
        None => HttpResponse::NotFound().body("There is no such page.\n"),
        Some(page) => {
            let tag = EntityTag::new_strong(hex::encode(&Sha256::digest(page.body.as_bytes())[..16]));
            let is_known = is_known(&request, &tag);
            let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
            response.insert_header(ETag(tag)).insert_header(CacheControl(vec![CacheDirective::NoCache]));
            if is_known { response.finish() } else { response.content_type(page.content_type).body(page.body) }
        }
    };
    let fetch = Fetch { url: format!("https://{host}{path}"), status: response.status().as_u16() };
    if let Some(reports) = &shared.reports {
        // Nobody is interested in fetches any more once the demo has ended.
        drop(reports.send(fetch).await);
    }
    response
}

/// Whether the asker has this version of the page already.
fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_pages::{ACME_ROBOTICS, BOARD_HOST, Job};
    use super::{CompanySite, Fetch};
    use tokio::sync::mpsc;

    #[actix_web::test]
    async fn a_known_page_is_not_sent_again_until_a_job_is_published() {
        let (reports, mut fetches) = mpsc::channel(8);
        let site = CompanySite::start(reports).expect("a free port");
        let url = format!("{}{BOARD_HOST}/v1/boards/acmerobotics/jobs?content=true", site.url());
        let client = awc::Client::new();
        let first = client.get(&url).send().await.expect("an answer");
        let tag = first.headers().get("etag").expect("a tag").clone();
        assert_eq!(first.status(), 200);
        let again = client.get(&url).insert_header(("if-none-match", tag.clone())).send().await.expect("an answer");
        assert_eq!(again.status(), 304);
        site.publish(Job {
            company: ACME_ROBOTICS,
            id: 1,
            title: "Welder".to_owned(),
            department: "Manufacturing".to_owned(),
            city: "Ghent".to_owned(),
            country: "BE".to_owned(),
            posted_on: "2026-01-02".parse().expect("a date"),
            description: "Weld.".to_owned(),
        });
        let mut after = client.get(&url).insert_header(("if-none-match", tag)).send().await.expect("an answer");
        assert_eq!(after.status(), 200);
        assert!(String::from_utf8_lossy(&after.body().await.expect("a body")).contains("Welder"));
        for status in [200, 304, 200] {
            let url = format!("https://{BOARD_HOST}/v1/boards/acmerobotics/jobs");
            assert_eq!(fetches.recv().await, Some(Fetch { url, status }));
        }
        site.stop().await;
    }
}

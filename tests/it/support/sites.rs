//! Web sites on loopback whose every page a test decides: hosts are the first part of the path.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use tokio::sync::watch;

/// What a page answers.
#[derive(Clone, Debug)]
struct Page {
    status: u16,
    content_type: &'static str,
    body: String,
    location: Option<String>,
}

/// The sites; they live as long as the actix system of the test.
pub struct Sites {
    address: SocketAddr,
    pages: Arc<Mutex<BTreeMap<String, Page>>>,
    fetched: Arc<Mutex<Vec<String>>>,
    at_once: Arc<Mutex<BTreeMap<String, AtOnce>>>,
    held: watch::Sender<BTreeSet<String>>,
    hosts: BTreeSet<String>,
}

/// How many requests a host is answering.
#[derive(Default)]
struct AtOnce {
    now: usize,
    most: usize,
}

#[derive(Clone)]
struct Shared {
    pages: Arc<Mutex<BTreeMap<String, Page>>>,
    fetched: Arc<Mutex<Vec<String>>>,
    at_once: Arc<Mutex<BTreeMap<String, AtOnce>>>,
    takes: Duration,
    held: watch::Receiver<BTreeSet<String>>,
}

impl Sites {
    /// Listens on a free port; every page of `hosts` that was not put there is 404.
    pub fn start(hosts: &[&str]) -> Self {
        Self::start_slow(hosts, Duration::ZERO)
    }

    /// The same, where each answer takes so long.
    pub fn start_slow(hosts: &[&str], takes: Duration) -> Self {
        let (held, is_held) = watch::channel(BTreeSet::new());
        let (pages, fetched, at_once) = (Arc::default(), Arc::default(), Arc::default());
        let shared = Shared {
            pages: Arc::clone(&pages),
            fetched: Arc::clone(&fetched),
            at_once: Arc::clone(&at_once),
            takes,
            held: is_held,
        };
        let server = HttpServer::new(move || {
            App::new().app_data(web::Data::new(shared.clone())).default_service(web::to(answer))
        })
        .workers(1)
        .disable_signals()
        .bind(("127.0.0.1", 0))
        .expect("a port");
        let address = server.addrs()[0];
        actix_web::rt::spawn(server.run());
        let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        Self { address, pages, fetched, at_once, held, hosts }
    }

    /// Settings that send every fetch of the hosts here, and so every other one, which finds nothing: no test reaches the
    /// real web.
    pub fn settings(&self) -> String {
        let rewrite = |host: &String| format!("\"https://{host}/\" = \"http://{}/{host}/\"\n", self.address);
        let hosts: String = self.hosts.iter().map(rewrite).collect();
        format!("[outbound.rewrite]\n\"https://\" = \"http://{}/\"\n{hosts}", self.address)
    }

    /// Puts a page at `host/path?query`; at `host/path?*` for every query that has no page of its own. `{look}` in it is
    /// another number at each request.
    pub fn put(&self, place: &str, content_type: &'static str, body: &str) {
        let page = Page { status: 200, content_type, body: body.to_owned(), location: None };
        self.pages.lock().expect("unpoisoned").insert(place.to_owned(), page);
    }

    /// Makes `host/path?query` answer with a bare status.
    pub fn put_status(&self, place: &str, status: u16) {
        let page = Page { status, content_type: "text/plain", body: String::new(), location: None };
        self.pages.lock().expect("unpoisoned").insert(place.to_owned(), page);
    }

    /// Makes `host/path?query` say that it has moved to `address` for good.
    pub fn put_redirect(&self, place: &str, address: &str) {
        let location = Some(address.to_owned());
        let page = Page { status: 301, content_type: "text/html", body: String::new(), location };
        self.pages.lock().expect("unpoisoned").insert(place.to_owned(), page);
    }

    /// Lets `host` answer nothing until it is let go.
    pub fn hold(&self, host: &str) {
        self.held.send_modify(|held| {
            held.insert(host.to_owned());
        });
    }

    /// Lets every host answer again.
    pub fn let_go(&self) {
        self.held.send_modify(BTreeSet::clear);
    }

    /// How often `host/path?query` was asked for.
    pub fn fetches(&self, place: &str) -> usize {
        self.fetched.lock().expect("unpoisoned").iter().filter(|fetched| *fetched == place).count()
    }

    /// How many requests wait for the answer of `host`.
    pub fn under_way(&self, host: &str) -> usize {
        self.at_once.lock().expect("unpoisoned").get(host).map_or(0, |at_once| at_once.now)
    }

    /// How many requests `host` answered at the same time at most.
    pub fn most_at_once(&self, host: &str) -> usize {
        self.at_once.lock().expect("unpoisoned").get(host).map_or(0, |at_once| at_once.most)
    }

    /// Puts a company there whose careers page links to a Greenhouse board with `jobs`.
    pub fn put_greenhouse_company(&self, domain: &str, token: &str, jobs: &[Job]) {
        self.put(&format!("{domain}/"), "text/html", r#"<html><a href="/careers">Careers</a></html>"#);
        let careers = format!(r#"<html><a href="https://boards.greenhouse.io/{token}">Open positions</a></html>"#);
        self.put(&format!("{domain}/careers"), "text/html", &careers);
        self.put_board(token, jobs);
    }

    /// Replaces the jobs of a Greenhouse board.
    pub fn put_board(&self, token: &str, jobs: &[Job]) {
        let listed: Vec<_> = jobs.iter().map(|job| job.json(token)).collect();
        let board = serde_json::json!({"jobs": listed, "meta": {"total": listed.len()}}).to_string();
        for query in ["", "?content=true"] {
            let place = format!("boards-api.greenhouse.io/v1/boards/{token}/jobs{query}");
            self.put(&place, "application/json", &board);
        }
    }
}

/// A posting on a Greenhouse board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub id: u64,
    pub title: String,
}

impl Job {
    pub fn new(id: u64, title: &str) -> Self {
        Self { id, title: title.to_owned() }
    }

    fn json(&self, token: &str) -> serde_json::Value {
        serde_json::json!({
            "id": self.id,
            "title": self.title,
            "absolute_url": format!("https://boards.greenhouse.io/{token}/jobs/{}", self.id),
            "first_published": "2026-11-17T08:00:00-05:00",
            "updated_at": "2026-11-18T08:00:00-05:00",
            "location": {"name": "Bergen, Norway"},
            "departments": [{"id": 1, "name": "Engineering"}],
            "offices": [],
            "content": "&lt;p&gt;Build &lt;b&gt;it&lt;/b&gt;.&lt;/p&gt;",
        })
    }
}

async fn answer(request: HttpRequest, shared: web::Data<Shared>) -> HttpResponse {
    let query = Some(request.query_string()).filter(|query| !query.is_empty());
    let path = request.path().trim_start_matches('/');
    let place = query.map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"));
    let look = {
        let mut fetched = shared.fetched.lock().expect("unpoisoned");
        fetched.push(place.clone());
        fetched.len().to_string()
    };
    let host = place.split('/').next().unwrap_or_default().to_owned();
    {
        let mut at_once = shared.at_once.lock().expect("unpoisoned");
        let at_once = at_once.entry(host.clone()).or_default();
        at_once.now += 1;
        at_once.most = at_once.most.max(at_once.now);
    }
    actix_web::rt::time::sleep(shared.takes).await;
    // The sites may be gone: then nobody holds an answer back.
    shared.held.clone().wait_for(|held| !held.contains(&host)).await.ok();
    // Who asks hears of the end only after this.
    shared.at_once.lock().expect("unpoisoned").entry(host).or_default().now -= 1;
    let pages = shared.pages.lock().expect("unpoisoned");
    let found = pages.get(&place).or_else(|| pages.get(&format!("{path}?*"))).cloned();
    drop(pages);
    match found {
        None => HttpResponse::NotFound().finish(),
        Some(Page { status, content_type, body, location }) => {
            let status = StatusCode::from_u16(status).expect("a status");
            let mut answer = HttpResponse::build(status);
            if let Some(address) = location {
                answer.insert_header(("location", address));
            }
            answer.content_type(content_type).body(body.replace("{look}", &look))
        }
    }
}

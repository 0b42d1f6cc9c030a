//! The engine against a small web on loopback: discovery, polling, politeness.

mod fuzz;
mod hostile;
mod memory;
mod profiles;
mod second_looks;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::{Value, json};
use url::Url;

use super::engines::list_reader::ListReader;
use super::engines::mapping::Around;
use super::format::list_source::ListSource;
use super::shared_answers::Answer;
use super::{
    Catalog, DiscoveryError, FeedKey, FeedPoll, FoundItem, Known, PollError, SourceKind, discover, poll_feed,
    read_answer,
};
use clock::Clock;
use config::{Config, Rewrite};
use domain::{DomainName, Obstacle, RadarType, Target};
use outbound::address_guard::AddressGuard;
use outbound::fetch::{Fetch, FetchError, Redirects, RobotsPolicy, Validators, Web};
use outbound::reading::{STEPS_MAX, steps_of};
use outbound::transport::{Transport, TransportError};

const GREENHOUSE: &str = "boards-api.greenhouse.io/v1/boards/acme/jobs?content=true";
const LEVER: &str = "api.lever.co/v0/postings/acme?mode=json&skip=0&limit=100";
const ASHBY: &str = "api.ashbyhq.com/posting-api/job-board/Acme%20Inc.";

#[derive(Clone)]
struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
}

type Shared<T> = Arc<Mutex<T>>;

/// Which pages are answered alike, and with what.
type Pattern = (fn(&str) -> bool, String);

/// A web whose pages are named `host/path?query`; what is not there is 404. `{look}` in a page is another number at each
/// request.
struct World {
    port: u16,
    replies: Shared<BTreeMap<String, Reply>>,
    patterns: Shared<Vec<Pattern>>,
    requests: Shared<Vec<(String, BTreeMap<String, String>)>>,
}

impl World {
    async fn new() -> Self {
        let replies: Shared<BTreeMap<String, Reply>> = Arc::default();
        let requests: Shared<Vec<(String, BTreeMap<String, String>)>> = Arc::default();
        let patterns: Shared<Vec<Pattern>> = Arc::default();
        let (served, seen, placed) = (replies.clone(), requests.clone(), patterns.clone());
        let looks = Arc::<AtomicUsize>::default();
        let server = HttpServer::new(move || {
            let (served, seen, placed, looks) = (served.clone(), seen.clone(), placed.clone(), looks.clone());
            App::new().default_service(web::to(move |request: HttpRequest| {
                let name = request.uri().to_string().trim_start_matches('/').to_owned();
                let headers = request.headers().iter();
                let headers =
                    headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
                seen.lock().unwrap().push((name.clone(), headers));
                let look = looks.fetch_add(1, Ordering::Relaxed).to_string();
                let reply = served.lock().unwrap().get(&name).cloned().or_else(|| {
                    let placed = placed.lock().unwrap();
                    let (_, body) = placed.iter().find(|(is_place, _)| is_place(&name))?;
                    Some(Reply { status: 200, headers: Vec::new(), body: body.clone() })
                });
                let reply = reply.map(|reply| Reply { body: reply.body.replace("{look}", &look), ..reply });
                async move { answer(&request, reply) }
            }))
        });
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let port = server.addrs()[0].port();
        actix_web::rt::spawn(server.run());
        Self { port, replies, patterns, requests }
    }

    fn put(&self, name: &str, body: impl Into<String>) {
        self.put_reply(name, 200, &[], body);
    }

    fn put_reply(&self, name: &str, status: u16, headers: &[(&'static str, &str)], body: impl Into<String>) {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.replies.lock().unwrap().insert(name.into(), Reply { status, headers, body: body.into() });
    }

    /// Puts a page at every place that `is_place` says, unless another page stands there.
    fn put_where(&self, is_place: fn(&str) -> bool, body: &str) {
        self.patterns.lock().unwrap().push((is_place, body.to_owned()));
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().drain(..).map(|(name, _)| name).collect()
    }

    /// A way into this web for the hosts that `prefixes` name; other addresses are dialled as they are.
    fn web_for(&self, prefixes: &[&str], clock: Clock) -> Web {
        let rewrite = prefixes.iter().map(|prefix| {
            let rest = prefix.split_once("://").unwrap().1;
            Rewrite { from: (*prefix).to_owned(), to: format!("http://127.0.0.1:{}/{rest}", self.port) }
        });
        let mut settings = Config::built_in().expect("the built-in settings").outbound;
        (settings.contact, settings.rewrite) = ("ops@watcher.example".into(), rewrite.collect());
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        Web::new(&settings, Transport::new(guard, clock.clone()), clock)
    }

    fn web(&self) -> Web {
        self.web_for(&["https://"], clock())
    }
}

fn answer(request: &HttpRequest, reply: Option<Reply>) -> HttpResponse {
    let Some(reply) = reply else { return HttpResponse::NotFound().finish() };
    let etag = reply.headers.iter().find(|(name, _)| *name == "ETag").map(|(_, etag)| etag.clone());
    let wanted = request.headers().get("if-none-match").map(|value| value.to_str().unwrap().to_owned());
    if etag.is_some() && etag == wanted {
        return HttpResponse::NotModified().finish();
    }
    let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).unwrap());
    for header in &reply.headers {
        response.insert_header((header.0, header.1.as_str()));
    }
    response.body(reply.body)
}

fn clock() -> Clock {
    Clock::simulated("2026-11-21T08:00:00Z".parse().unwrap())
}

fn feed(source_id: &str, token: &str) -> FeedKey {
    FeedKey { source_id: source_id.into(), token: token.into() }
}

async fn search(web: &Web) -> Result<Vec<FeedKey>, DiscoveryError> {
    let catalog = Arc::new(Catalog::load(None).unwrap());
    let domain = DomainName::from_stored("acme.example".into());
    discover(web, &catalog, RadarType::CompanyJobOpenings, &Target::Company { domain }, None).await
}

/// All items that a list reads from an answer.
fn items_of(list: &Arc<ListSource>, answer: &Value) -> Result<Vec<FoundItem>, PollError> {
    let values = list.needs.required.iter().map(|need| (need.clone(), "acme".to_owned())).collect();
    let url: Url = "https://acme.example/".parse().unwrap();
    let around = Around::new(values, url.clone(), clock().now());
    let mut reader = ListReader::new(list, &Known::default(), around);
    reader.read(&Answer::of(answer.clone(), url))?;
    reader.all()
}

#[test]
fn the_longest_honest_answer_that_a_file_lets_through_is_read() {
    let catalog = Catalog::load_with(None, &|_| Some("a key".to_owned())).unwrap();
    let source = catalog.get("remotive").unwrap();
    let SourceKind::List(list) = &source.kind else { panic!("a list") };
    let duty = "<li>You review what firms in many countries write about their work, and say what they leave out.</li>";
    let job = |id: u64| {
        let last = if id == 0 { "robotics" } else { "health" };
        let description =
            format!("<p>A firm of forty people.</p><ul>{}</ul><p>Our field is {last}.</p>", duty.repeat(60));
        json!({"id": id, "title": "Content Reviewer", "url": format!("https://remotive.com/{id}"), "category": "Writing",
               "company_name": "Quarrelake", "description": description})
    };
    let answer = json!({"jobs": (0..80).map(job).collect::<Vec<_>>()});
    // A part of it, for which there is a part of the steps.
    let body = answer.to_string();
    let parts = (list.request.body_mib_max.unwrap() * 1024 * 1024 / body.len()) as u64;
    let mut items = Ok(Vec::new());
    let steps = steps_of(|| items = read_answer(source, "robotics", body.as_bytes(), clock().now()));
    assert_eq!(items.map(|items| items.len()), Ok(1));
    assert!(steps * parts < STEPS_MAX, "{steps} for each of {parts} parts");
}

/// A feed's log as the store would keep it.
#[derive(Default)]
struct Log {
    seen: RefCell<BTreeSet<String>>,
    validators: RefCell<Validators>,
    polls: RefCell<usize>,
}

impl Log {
    async fn poll(&self, web: &Web, feed: &FeedKey) -> Result<FeedPoll, PollError> {
        let catalog = Catalog::load(None).unwrap();
        let first_poll = *self.polls.borrow() == 0;
        let ids = Arc::new(self.seen.borrow().iter().cloned().collect());
        let known = Known { first_poll, ids, validators: self.validators.borrow().clone(), ..Known::default() };
        let poll = poll_feed(web, &catalog, feed, known).await?;
        *self.polls.borrow_mut() += 1;
        self.seen.borrow_mut().extend(poll.looked_at.iter().cloned());
        self.seen.borrow_mut().extend(poll.items.iter().map(|item| item.native_id.clone()));
        *self.validators.borrow_mut() = poll.validators.clone();
        Ok(poll)
    }
}

fn titles(poll: &FeedPoll) -> Vec<&str> {
    poll.items.iter().map(|item| item.content["job_title"].as_str().unwrap()).collect()
}

fn greenhouse_job(id: u64, title: &str) -> Value {
    json!({"id": id, "title": title, "absolute_url": format!("https://acme.example/jobs?gh_jid={id}"),
        "first_published": format!("2026-11-{:02}T08:00:00-05:00", id), "location": {"name": "Bergen, Norway"},
        "content": "&lt;p&gt;Cut stone.&lt;/p&gt;", "departments": [{"name": "Engineering"}], "offices": []})
}

fn greenhouse(jobs: &[Value]) -> String {
    json!({"jobs": jobs, "meta": {"total": jobs.len()}}).to_string()
}

fn lever_job(id: &str, title: &str) -> Value {
    json!({"id": id, "text": title, "categories": {"team": "Sales"}, "country": "NO", "createdAt": 1_794_873_600_000_i64,
        "descriptionPlain": "Sell stone.", "lists": [], "hostedUrl": format!("https://jobs.lever.co/acme/{id}")})
}

fn ashby_job(id: &str) -> Value {
    json!({"id": id, "title": "Mason", "isListed": true, "publishedAt": "2026-11-16T10:20:30.000+00:00",
        "jobUrl": format!("https://jobs.ashbyhq.com/acme/{id}"), "descriptionPlain": "Cut."})
}

fn posting(title: &str, more: &Value) -> String {
    let mut posting = json!({"@context": "https://schema.org", "@type": "JobPosting", "title": title});
    for (key, value) in more.as_object().unwrap() {
        posting[key] = value.clone();
    }
    format!("<html><head><script type='application/ld+json'>{posting}</script></head></html>")
}

fn page(links: &[(&str, &str)]) -> String {
    links.iter().map(|(url, text)| format!("<a href=\"{url}\">{text}</a>")).collect()
}

#[actix_web::test]
async fn a_greenhouse_board_is_found_through_the_careers_page() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("/about", "About"), ("/company/careers", "Careers")]));
    let script = "<script src='https://boards.greenhouse.io/embed/job_board/js?for=acme'></script>";
    world.put("acme.example/company/careers", script);
    world.put(GREENHOUSE, greenhouse(&[]));
    assert_eq!(search(&world.web()).await, Ok(vec![feed("greenhouse", "acme")]));
}

#[actix_web::test]
async fn a_site_whose_front_page_fails_just_now_is_asked_later_whatever_www_says() {
    let world = World::new().await;
    let obstacle = async || search(&world.web()).await.unwrap_err().obstacle();
    assert_eq!(obstacle().await, Obstacle::NoSource, "every page is missing");
    world.put_reply("acme.example/", 503, &[], "");
    assert_eq!(obstacle().await, Obstacle::Unreachable);
    world.put("www.acme.example/", page(&[("/about", "About")]));
    assert_eq!(obstacle().await, Obstacle::NoSource, "www has the front page");
}

#[actix_web::test]
async fn a_board_that_only_its_postings_name_is_found_on_one_of_them() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("/careers", "Careers")]));
    world.put("acme.example/careers", page(&[("/careers/apply?gh_jid=7", "Mason")]));
    world.put(
        "acme.example/careers/apply?gh_jid=7",
        "<iframe src='https://boards.greenhouse.io/embed/job_app?for=acme&token=7'></iframe>",
    );
    world.put(GREENHOUSE, greenhouse(&[greenhouse_job(7, "Mason")]));
    assert_eq!(search(&world.web()).await, Ok(vec![feed("greenhouse", "acme")]));
}

#[actix_web::test]
async fn a_lever_board_is_found_behind_a_redirect_without_visiting_its_site() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("/jobs", "Jobs")]));
    world.put_reply("acme.example/jobs", 302, &[("Location", "https://jobs.lever.co/acme")], "");
    world.put(LEVER, json!([lever_job("a", "Seller")]).to_string());
    assert_eq!(search(&world.web()).await, Ok(vec![feed("lever", "acme")]));
    assert!(world.requests().iter().all(|name| !name.starts_with("jobs.lever.co")));
}

#[actix_web::test]
async fn an_ashby_board_needs_postings_to_be_believed() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("https://jobs.ashbyhq.com/Acme%20Inc.", "Open roles")]));
    world.put(ASHBY, json!({"jobs": []}).to_string());
    assert_eq!(search(&world.web()).await.unwrap_err().obstacle(), Obstacle::NoSource);
    world.put(ASHBY, json!({"jobs": [ashby_job("x")]}).to_string());
    assert_eq!(search(&world.web()).await, Ok(vec![feed("ashby", "Acme Inc.")]));
}

#[actix_web::test]
async fn a_careers_page_with_linked_postings_is_a_source() {
    let world = World::new().await;
    world.put("www.acme.example/", page(&[("/karriere?utm_source=home", "Karriere")]));
    world.put("www.acme.example/karriere?utm_source=home", page(&[("/karriere/steinmetz", "Steinmetz")]));
    world.put("www.acme.example/karriere/steinmetz", posting("Steinmetz", &json!({})));
    world.put_reply("acme.example/", 301, &[("Location", "https://www.acme.example/")], "");
    assert_eq!(search(&world.web()).await, Ok(vec![feed("careers_page", "https://www.acme.example/karriere")]));
}

#[actix_web::test]
async fn a_careers_page_that_shows_openings_is_a_source_and_so_is_a_list_behind_it() {
    let openings = |titles: &[&str]| {
        let items: String = titles.iter().map(|title| format!("<h3>{title}</h3><p>Oslo, Norway</p>")).collect();
        format!("<h2>Open positions</h2>{items}<a href='mailto:jobs@acme.example'>Apply</a>")
    };
    let world = World::new().await;
    let (web, log) = (world.web(), Log::default());
    world.put("acme.example/", page(&[("/careers", "Careers")]));
    world.put("acme.example/careers", page(&[("/careers/culture", "Culture"), ("/careers/all", "See all openings")]));
    world.put("acme.example/careers/culture", "<h1>Our culture</h1>");
    world.put("acme.example/careers/all", openings(&["Site Manager"]));
    let feed = feed("careers_page", "https://acme.example/careers/all");
    assert_eq!(search(&web).await, Ok(vec![feed.clone()]));

    log.poll(&web, &feed).await.unwrap();
    world.put("acme.example/careers/all", openings(&["Crane Operator", "Site Manager"]));
    let found = log.poll(&web, &feed).await.unwrap();
    assert_eq!(titles(&found), ["Crane Operator"]);
    assert_eq!(
        (&found.items[0].content["country"], &found.items[0].content["job_url"]),
        (&json!("NO"), &json!(feed.token))
    );
}

#[actix_web::test]
async fn a_careers_page_that_nothing_links_to_is_tried_at_the_usual_places() {
    let world = World::new().await;
    world.put("acme.example/", "<p>Welcome</p>");
    world.put("careers.acme.example/", posting("Mason", &json!({"identifier": "A-1"})));
    assert_eq!(search(&world.web()).await, Ok(vec![feed("careers_page", "https://careers.acme.example/")]));
}

#[actix_web::test]
async fn the_sitemap_is_the_last_resort() {
    let world = World::new().await;
    world.put("acme.example/", "<p>Welcome</p>");
    world.put("acme.example/robots.txt", "User-agent: *\nAllow: /\nSitemap: https://acme.example/map.xml\n");
    world.put("acme.example/map.xml", "<urlset><url><loc>https://acme.example/about</loc></url><url><loc>https://acme.example/jobs/1</loc></url></urlset>");
    world.put("acme.example/jobs/1", posting("Mason", &json!({})));
    assert_eq!(search(&world.web()).await, Ok(vec![feed("sitemap", "https://acme.example/map.xml")]));
}

#[actix_web::test]
async fn a_site_without_any_source_has_none() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("/careers", "Careers"), ("https://jobs.lever.co/acme", "Jobs")]));
    world.put("acme.example/careers", "<p>Write to us.</p>");
    world.put_reply(LEVER, 404, &[], "{\"ok\":false}");
    let error = search(&world.web()).await.unwrap_err();
    assert_eq!(error.obstacle(), Obstacle::NoSource);
}

#[actix_web::test]
async fn a_board_that_throttles_is_not_taken_for_dead() {
    let world = World::new().await;
    world.put("acme.example/", page(&[("https://jobs.lever.co/acme", "Jobs")]));
    world.put_reply(LEVER, 429, &[], "");
    let error = search(&world.web()).await.unwrap_err();
    assert_eq!(error.obstacle(), Obstacle::Unreachable, "{error:?}");
}

#[actix_web::test]
async fn a_site_that_refuses_us_is_inaccessible() {
    for status in [401, 403, 451] {
        let world = World::new().await;
        world.put_reply("acme.example/", status, &[], "");
        world.put_reply("www.acme.example/", status, &[], "");
        let error = search(&world.web()).await.unwrap_err();
        assert_eq!(error.obstacle(), Obstacle::Inaccessible);
    }
}

#[actix_web::test]
async fn decision_7_4_a_site_whose_robots_txt_forbids_us_is_not_visited() {
    let world = World::new().await;
    for host in ["acme.example", "www.acme.example"] {
        world.put(&format!("{host}/robots.txt"), "User-agent: *\nDisallow: /\n");
        world.put(&format!("{host}/"), "<p>Welcome</p>");
    }
    let error = search(&world.web()).await.unwrap_err();
    assert!(error.obstacle() == Obstacle::Inaccessible && error.to_string().contains("robots.txt"), "{error:?}");
    assert!(world.requests().iter().all(|name| name.ends_with("/robots.txt")));
}

#[actix_web::test]
async fn a_site_that_fails_or_cannot_be_reached_is_worth_another_try() {
    let world = World::new().await;
    world.put_reply("acme.example/", 500, &[], "");
    world.put_reply("www.acme.example/", 500, &[], "");
    let failing = search(&world.web()).await.unwrap_err();
    world.put_reply("acme.example/robots.txt", 503, &[], "");
    let without_rules = search(&world.web()).await.unwrap_err();
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = World { port: unused, replies: Arc::default(), patterns: Arc::default(), requests: Arc::default() };
    let unreachable = search(&nobody.web_for(&["https://", "http://"], clock())).await.unwrap_err();
    for error in [failing, without_rules, unreachable] {
        assert_eq!(error.obstacle(), Obstacle::Unreachable, "{error:?}");
    }
}

#[actix_web::test]
async fn other_types_have_no_source_yet() {
    let world = World::new().await;
    let domain = DomainName::from_stored("acme.example".into());
    let catalog = Arc::new(Catalog::load(None).unwrap());
    let found = discover(&world.web(), &catalog, RadarType::CompanyReviews, &Target::Company { domain }, None).await;
    assert_eq!(found.unwrap_err().obstacle(), Obstacle::NoSource);
    assert!(world.requests().is_empty());
}

#[actix_web::test]
async fn decision_7_2_the_first_poll_is_a_silent_baseline_and_what_comes_later_is_found_once() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("greenhouse", "acme"));
    world.put(GREENHOUSE, greenhouse(&[greenhouse_job(1, "Mason"), greenhouse_job(2, "Clerk")]));
    let baseline = log.poll(&web, &feed).await.unwrap();
    assert_eq!((baseline.items.len(), baseline.looked_at), (0, vec!["1".to_owned(), "2".to_owned()]));

    let unchanged = log.poll(&web, &feed).await.unwrap();
    assert!(unchanged.unchanged && unchanged.items.is_empty() && unchanged.looked_at.is_empty());

    let jobs = [greenhouse_job(4, "Senior Engineer"), greenhouse_job(3, "Carver"), greenhouse_job(2, "Clerk")];
    world.put(GREENHOUSE, greenhouse(&jobs));
    let found = log.poll(&web, &feed).await.unwrap();
    assert_eq!(titles(&found), ["Carver", "Senior Engineer"], "oldest first");
    assert_eq!(
        Value::Object(found.items[1].content.clone()),
        json!({"job_title": "Senior Engineer", "job_url": "https://acme.example/jobs?gh_jid=4", "job_posted_at": "2026-11-04",
            "job_description": "Cut stone.", "job_source": "greenhouse", "country": "NO"})
    );
    assert_eq!(found.items[1].role.title, "Senior Engineer");
    assert!(!found.items[1].role.departments.is_empty() && !found.items[1].role.seniorities.is_empty());

    world.put(GREENHOUSE, greenhouse(&[greenhouse_job(3, "Carver, edited")]));
    assert_eq!(log.poll(&web, &feed).await.unwrap().items, []);
}

#[actix_web::test]
async fn a_list_in_pages_is_read_to_its_end() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("lever", "acme"));
    let jobs: Vec<Value> = (0..100).map(|number| lever_job(&format!("id-{number}"), "Seller")).collect();
    world.put(LEVER, json!(jobs).to_string());
    let second = "api.lever.co/v0/postings/acme?mode=json&skip=100&limit=100";
    world.put(second, json!([lever_job("id-99", "Seller"), lever_job("id-100", "Seller")]).to_string());
    assert_eq!(log.poll(&web, &feed).await.unwrap().looked_at.len(), 101);
    world.put(second, json!([lever_job("id-101", "Closer")]).to_string());
    assert_eq!(titles(&log.poll(&web, &feed).await.unwrap()), ["Closer"]);
}

#[actix_web::test]
async fn an_item_whose_details_fail_is_found_later_though_its_list_is_unchanged() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("bamboohr", "acme"));
    let list = "acme.bamboohr.com/careers/list";
    world.put(list, json!({"result": []}).to_string());
    log.poll(&web, &feed).await.unwrap();
    world.put(list, json!({"result": [{"id": "7", "jobOpeningName": "Mason"}]}).to_string());
    world.put_reply("acme.bamboohr.com/careers/7/detail", 503, &[], "");
    assert_eq!(titles(&log.poll(&web, &feed).await.unwrap()), [""; 0]);
    world.put("acme.bamboohr.com/careers/7/detail", json!({"result": {"jobOpening": {}}}).to_string());
    assert_eq!(titles(&log.poll(&web, &feed).await.unwrap()), ["Mason"]);
}

#[actix_web::test]
async fn a_careers_page_is_watched_and_each_posting_is_visited_once() {
    let world = World::new().await;
    let (web, log) = (world.web(), Log::default());
    let feed = feed("careers_page", "https://acme.example/careers");
    world.put_reply(
        "acme.example/careers",
        200,
        &[("ETag", "\"1\"")],
        page(&[("/careers/mason", "Mason"), ("/careers/privacy", "x")]),
    );
    world.put("acme.example/careers/mason", posting("Mason", &json!({})));
    log.poll(&web, &feed).await.unwrap();
    assert!(!world.requests().contains(&"acme.example/careers/mason".to_owned()), "the baseline needs no visits");

    let unchanged = log.poll(&web, &feed).await.unwrap();
    assert!(unchanged.unchanged);
    let conditions = world.requests.lock().unwrap().drain(..).next_back().unwrap();
    assert_eq!(conditions.1["if-none-match"], "\"1\"");
    assert!(
        conditions.1["user-agent"].starts_with("radar/") && conditions.1["user-agent"].contains("ops@watcher.example")
    );

    let links = [
        ("/careers/mason", "Mason"),
        ("/careers/clerk?utm_medium=web", "Clerk"),
        ("/careers/gone", "Gone"),
        ("/careers/team", "Team"),
    ];
    world.put_reply("acme.example/careers", 200, &[("ETag", "\"2\"")], page(&links));
    let clerk = json!({"datePosted": "2026-11-20", "jobLocation": {"address": {"addressCountry": "Norway"}}, "description": "<p>Write.</p>"});
    world.put("acme.example/careers/clerk?utm_medium=web", posting("Clerk", &clerk));
    world.put("acme.example/careers/gone", posting("Gone", &json!({"validThrough": "2026-10-31"})));
    world.put("acme.example/careers/team", "<p>Us</p>");
    let found = log.poll(&web, &feed).await.unwrap();
    assert_eq!(
        found.items.iter().map(|item| Value::Object(item.content.clone())).collect::<Vec<_>>(),
        [json!({"job_title": "Clerk", "job_url": "https://acme.example/careers/clerk", "job_posted_at": "2026-11-20",
            "job_description": "Write.", "job_source": "careers_page", "country": "NO"})]
    );
    assert_eq!(found.items[0].native_id, "https://acme.example/careers/clerk");
    world.requests();

    world.put_reply("acme.example/careers", 200, &[("ETag", "\"3\"")], page(&links));
    assert_eq!(log.poll(&web, &feed).await.unwrap().items, []);
    assert_eq!(world.requests(), ["acme.example/careers"], "nothing is visited twice");
}

#[actix_web::test]
async fn a_posting_whose_page_fails_is_visited_again() {
    let world = World::new().await;
    let (web, log) = (world.web(), Log::default());
    let feed = feed("careers_page", "https://acme.example/careers");
    world.put("acme.example/careers", page(&[]));
    log.poll(&web, &feed).await.unwrap();
    world.put("acme.example/careers", page(&[("/careers/mason", "Mason")]));
    world.put_reply("acme.example/careers/mason", 500, &[], "");
    let failed = log.poll(&web, &feed).await.unwrap();
    assert_eq!((failed.items.len(), failed.looked_at.len()), (0, 0));
    world.put("acme.example/careers/mason", posting("Mason", &json!({})));
    assert_eq!(titles(&log.poll(&web, &feed).await.unwrap()), ["Mason"]);
}

#[actix_web::test]
async fn postings_on_the_careers_page_itself_are_told_apart() {
    let world = World::new().await;
    let (web, log) = (world.web(), Log::default());
    let feed = feed("careers_page", "https://acme.example/careers");
    let one = posting("Mason", &json!({"identifier": {"value": "A-1"}}));
    world.put("acme.example/careers", one.clone());
    assert_eq!(log.poll(&web, &feed).await.unwrap().looked_at, ["https://acme.example/careers#A-1"]);
    let other = posting("Clerk", &json!({"url": "/careers/clerk?utm_source=x"}));
    world.put("acme.example/careers", one + &other);
    let found = log.poll(&web, &feed).await.unwrap();
    assert_eq!(titles(&found), ["Clerk"]);
    assert_eq!(found.items[0].native_id, "https://acme.example/careers/clerk");
}

#[actix_web::test]
async fn a_sitemap_is_watched() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("sitemap", "https://acme.example/sitemap.xml"));
    let urlset = |paths: &[&str]| {
        let urls = paths.iter().map(|path| format!("<url><loc>https://acme.example{path}</loc></url>"));
        format!("<urlset>{}</urlset>", urls.collect::<String>())
    };
    world.put(
        "acme.example/sitemap.xml",
        "<sitemapindex><sitemap><loc>https://acme.example/jobs.xml</loc></sitemap></sitemapindex>",
    );
    world.put("acme.example/jobs.xml", urlset(&["/jobs/1", "/about"]));
    assert_eq!(log.poll(&web, &feed).await.unwrap().looked_at, ["https://acme.example/jobs/1"]);
    world.put("acme.example/jobs.xml", urlset(&["/jobs/1", "/jobs/2"]));
    world.put("acme.example/jobs/2", posting("Carver", &json!({})));
    assert_eq!(titles(&log.poll(&web, &feed).await.unwrap()), ["Carver"]);
    assert_eq!(log.poll(&web, &feed).await.unwrap().items, []);
}

#[actix_web::test]
async fn errors_of_a_poll_say_whether_to_come_back() {
    let world = World::new().await;
    let feed_key = feed("greenhouse", "acme");
    for (status, headers, body, transient, retry_after) in [
        (500, vec![], "", true, None),
        (404, vec![], "", false, None),
        (403, vec![], "", false, None),
        (302, vec![("Location", "https://www.greenhouse.io/")], "", false, None),
        (200, vec![], "<html>maintenance</html>", true, None),
        (200, vec![], "{\"jobs\": {}}", true, None),
        (200, vec![], "{\"jobs\": [{\"ident\": 1}]}", true, None),
        (429, vec![("Retry-After", "120")], "", true, Some(Duration::from_secs(120))),
    ] {
        world.put_reply(GREENHOUSE, status, &headers, body);
        let error = Log::default().poll(&world.web(), &feed_key).await.unwrap_err();
        assert_eq!((error.is_transient(), error.retry_after()), (transient, retry_after), "{status} {body}");
    }
    let error = Log::default().poll(&world.web(), &feed("nowhere", "acme")).await.unwrap_err();
    assert_eq!(error, PollError::NoSuchSource("nowhere".into()));
}

#[actix_web::test]
async fn decision_7_4_a_host_that_asks_for_silence_is_left_alone() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("greenhouse", "acme"));
    world.put_reply(GREENHOUSE, 429, &[("Retry-After", "60")], "");
    log.poll(&web, &feed).await.unwrap_err();
    world.put(GREENHOUSE, greenhouse(&[]));
    let error = log.poll(&web, &feed).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60)));
    assert_eq!(world.requests().len(), 1);
}

fn plain_fetch(url: &Url) -> Fetch<'_> {
    Fetch {
        url,
        accept: "*/*",
        headers: &[],
        validators: None,
        robots: RobotsPolicy::Obey,
        redirects: Redirects::Follow,
        body_bytes_max: None,
    }
}

#[actix_web::test]
async fn redirects_are_followed_in_original_terms_but_never_to_forbidden_places() {
    let world = World::new().await;
    let web = world.web();
    let mirrored = format!("http://127.0.0.1:{}/acme.example/b", world.port);
    world.put_reply("acme.example/a", 301, &[("Location", &mirrored)], "");
    world.put_reply("acme.example/b", 307, &[("Location", "https://other.example/c#part")], "");
    world.put("other.example/c", "there");
    let url = Url::parse("https://acme.example/a").unwrap();
    let page = web.fetch(plain_fetch(&url)).await.unwrap();
    assert_eq!((page.final_url.as_str(), page.body.as_slice()), ("https://other.example/c", b"there".as_slice()));
    let pages: Vec<String> = world.requests().into_iter().filter(|name| !name.ends_with("/robots.txt")).collect();
    assert_eq!(pages, ["acme.example/a", "acme.example/b", "other.example/c"]);

    for (location, error) in [
        ("http://169.254.169.254/latest/meta-data/", FetchError::Unreachable(TransportError::Blocked)),
        ("http://10.0.0.1/", FetchError::Unreachable(TransportError::Blocked)),
        ("file:///etc/passwd", FetchError::BadRedirect),
        ("https://acme.example/a", FetchError::BadRedirect),
        ("https://shut.example/x", FetchError::RobotsDisallow),
    ] {
        world.put("shut.example/robots.txt", "User-agent: radar\nDisallow: /");
        world.put_reply("acme.example/a", 302, &[("Location", location)], "");
        assert_eq!(web.fetch(plain_fetch(&url)).await.unwrap_err(), error, "{location}");
    }
}

#[actix_web::test]
async fn decision_7_4_robots_txt_is_asked_once_a_day_and_a_failing_one_forbids_for_now() {
    let world = World::new().await;
    let url = Url::parse("https://acme.example/a").unwrap();
    world.put("acme.example/a", "x");
    let web = world.web();
    for _ in 0..3 {
        web.fetch(plain_fetch(&url)).await.unwrap();
    }
    let asked = world.requests().iter().filter(|name| name.ends_with("robots.txt")).count();
    assert_eq!(asked, 1);
    world.put_reply("acme.example/robots.txt", 500, &[], "");
    let error = world.web().fetch(plain_fetch(&url)).await.unwrap_err();
    assert_eq!((error, error.is_transient()), (FetchError::RobotsUnavailable { status: 500 }, true));
    let documented = Fetch { robots: RobotsPolicy::DocumentedApi, ..plain_fetch(&url) };
    assert!(world.web().fetch(documented).await.is_ok());
}

#[actix_web::test]
async fn a_page_that_is_too_large_is_not_read() {
    let world = World::new().await;
    world.put("acme.example/a", "x".repeat(2_000));
    let url = Url::parse("https://acme.example/a").unwrap();
    let limited = Fetch { body_bytes_max: Some(1_999), ..plain_fetch(&url) };
    assert_eq!(world.web().fetch(limited).await.unwrap_err(), FetchError::TooLarge);
}

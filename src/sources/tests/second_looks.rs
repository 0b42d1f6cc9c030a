//! A feed of which nothing is known any more is looked at twice: a busy one has items in common with itself, one whose ids
//! never repeat has changed its shape (decision 4.14).

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::{
    Catalog, FeedPoll, GREENHOUSE, Known, LEVER, Log, PollError, World, feed, greenhouse, greenhouse_job, lever_job,
    poll_feed,
};
use domain::FailureClass;

/// A board whose answer is the same for everybody.
const BOARD: &str = "www.arbeitnow.com/api/job-board-api";
/// One that counts requests.
const COUNTED: &str = "api.adzuna.com/v1/api/jobs/us/search/1";

fn is_changed_shape(polled: &Result<FeedPoll, PollError>) -> bool {
    polled.as_ref().is_err_and(|error| error.class() == FailureClass::ChangedShape)
}

fn links(names: &[&str]) -> String {
    names.iter().map(|name| format!("<a href='/careers/jobs/{name}'>{name}</a>")).collect()
}

fn sitemap(names: &[&str]) -> String {
    let entry = |name: &&str| format!("<url><loc>https://acme.example/careers/jobs/{name}</loc></url>");
    format!("<urlset xmlns='https://www.sitemaps.org'>{}</urlset>", names.iter().map(entry).collect::<String>())
}

fn jobs(ids: &[&str]) -> String {
    let job = |id: &&str| json!({"id": id, "title": "Mason", "absolute_url": format!("https://acme.example/{id}"), "content": "Cut."});
    json!({"jobs": ids.iter().map(job).collect::<Vec<_>>()}).to_string()
}

#[actix_web::test]
async fn each_engine_tells_a_busy_feed_from_one_whose_ids_never_repeat() {
    for (feed, place, page) in [
        (feed("greenhouse", "acme"), GREENHOUSE, jobs as fn(&[&str]) -> String),
        (feed("careers_page", "https://acme.example/careers"), "acme.example/careers", links),
        (feed("sitemap", "https://acme.example/sitemap.xml"), "acme.example/sitemap.xml", sitemap),
    ] {
        let world = World::new().await;
        world.put_where(|place| place.starts_with("acme.example/careers/jobs/"), "<title>Nothing</title>");
        let (web, log) = (world.web(), Log::default());
        world.put(place, page(&["mason", "carver"]));
        log.poll(&web, &feed).await.unwrap();

        world.requests();
        world.put(place, page(&["a{look}", "b{look}"]));
        let polled = log.poll(&web, &feed).await;
        assert!(is_changed_shape(&polled), "{}: {polled:?}", feed.source_id);
        let looks = world.requests().iter().filter(|name| *name == place).count();
        assert_eq!(looks, 2, "{}", feed.source_id);

        world.put(place, page(&["miller", "painter"]));
        let poll = log.poll(&web, &feed).await.unwrap();
        assert_eq!(poll.items.len() + poll.looked_at.len(), 2, "{}: all has turned over: {poll:?}", feed.source_id);
        world.requests();
        world.put(place, page(&["painter", "a{look}"]));
        let poll = log.poll(&web, &feed).await.unwrap();
        assert_eq!(poll.items.len() + poll.looked_at.len(), 1, "{}: {poll:?}", feed.source_id);
        let looks = world.requests().iter().filter(|name| *name == place).count();
        assert_eq!(looks, 1, "{}: something known is there", feed.source_id);
    }
}

#[actix_web::test]
async fn the_second_look_is_answered_from_no_memory() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("greenhouse", "acme"));
    world.put(GREENHOUSE, greenhouse(&[greenhouse_job(1, "Mason")]));
    log.poll(&web, &feed).await.unwrap();
    world.requests();
    world.put(GREENHOUSE, greenhouse(&[greenhouse_job(2, "Carver")]));
    assert_eq!(log.poll(&web, &feed).await.unwrap().items.len(), 1);
    let requests: Vec<_> = world.requests.lock().unwrap().drain(..).map(|(_, headers)| headers).collect();
    let uncached: Vec<_> = requests.iter().map(|headers| headers.get("cache-control").map(String::as_str)).collect();
    assert_eq!(uncached, [None, Some("no-cache")]);
    assert!(requests[1].keys().all(|name| !name.starts_with("if-")), "{requests:?}");
}

#[actix_web::test]
async fn a_list_in_pages_that_has_turned_over_is_read_in_all_its_pages() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("lever", "acme"));
    let page = |ids: std::ops::Range<u32>| {
        json!(ids.map(|id| lever_job(&id.to_string(), "Mason")).collect::<Vec<_>>()).to_string()
    };
    world.put(LEVER, page(0..1));
    log.poll(&web, &feed).await.unwrap();
    world.put(LEVER, page(100..200));
    world.put(&LEVER.replace("skip=0", "skip=100"), page(200..230));
    assert_eq!(log.poll(&web, &feed).await.unwrap().items.len(), 130);
}

#[actix_web::test]
async fn where_an_answer_is_shared_or_requests_are_counted_one_look_must_do() {
    let world = World::new().await;
    let web = world.web();
    // The simulated clock stands still: no request may have to wait for another one.
    let counted = include_str!("../builtin/aggregators/adzuna.toml").replace("min_gap = \"3s\"\n", "");
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("adzuna.toml"), counted).unwrap();
    let catalog = Catalog::load_with(Some(dir.path()), &|_| Some("a key".to_owned())).unwrap();
    let job = json!({"slug": "a{look}", "title": "Stone mason, steel carver", "url": "https://a.example/{look}",
                     "created_at": 1_795_000_000, "description": "Cut."});
    world.put(BOARD, json!({"data": [job], "links": {"next": null}}).to_string());
    let job =
        json!({"id": "{look}", "title": "Mason", "redirect_url": "https://a.example/{look}", "description": "Cut."});
    world.put_where(|place| place.starts_with(COUNTED), &json!({"results": [job]}).to_string());
    let known = || Known { ids: Arc::new(["before".to_owned()].into()), ..Known::default() };
    for (source_id, place, looks) in [("arbeitnow", BOARD, 1), ("adzuna", COUNTED, 2)] {
        for keyword in ["stone", "steel"] {
            let poll = poll_feed(&web, &catalog, &feed(source_id, keyword), known()).await.unwrap();
            assert_eq!(poll.items.len(), 1, "{source_id}: {poll:?}");
        }
        let requests = world.requests();
        assert!(requests.iter().all(|name| name.starts_with(place)), "{requests:?}");
        assert_eq!(requests.len(), looks, "{source_id}: {requests:?}");
    }
}

#[actix_web::test]
async fn a_wire_that_shows_nothing_of_the_look_before_is_looked_at_sooner() {
    let world = World::new().await;
    let web = world.web();
    let mut catalog = Catalog::load_with(None, &|_| None).unwrap();
    catalog.share_at_most(Duration::ZERO);
    let item = |id: u32| format!("<item><guid>https://wire.example/{id}</guid><title>Release {id}</title></item>");
    let feed = feed("prnewswire_keyword", "quarrelake");
    let source = catalog.get("prnewswire_keyword").unwrap();
    for (from, gaps, seconds) in [(0, 0, 900), (9, 0, 900), (30, 1, 450), (35, 1, 450), (90, 2, 225)] {
        let items: String = (from..from + 10).map(item).collect();
        world.put("www.prnewswire.com/rss/news-releases-list.rss", format!("<rss><channel>{items}</channel></rss>"));
        poll_feed(&web, &catalog, &feed, Known::default()).await.unwrap();
        let interval = source.poll_intervals_at(web.steady_now()).usual;
        assert_eq!((source.gaps(), interval.as_secs()), (gaps, seconds), "{from}");
    }
}

#[actix_web::test]
async fn ids_that_no_index_holds_are_left_out() {
    let world = World::new().await;
    let (web, log, feed) = (world.web(), Log::default(), feed("careers_page", "https://acme.example/careers"));
    world.put("acme.example/careers", "<p>Nothing today</p>");
    log.poll(&web, &feed).await.unwrap();
    // Parameters grow when those for tracking are left out: what is written plainly is escaped.
    let long = format!("/careers/jobs/1?utm_source=x&q={}", "!".repeat(1_900));
    let posting = |identifier: &str| json!({"@type": "JobPosting", "title": "Mason", "identifier": identifier});
    let postings = json!([posting(&"x".repeat(4_000)), posting("1")]);
    let page = format!(r#"<a href="{long}">Mason</a><script type="application/ld+json">{postings}</script>"#);
    world.put("acme.example/careers", page);
    world.put_where(|place| place.starts_with("acme.example/careers/jobs/"), "<title>Nothing</title>");
    let poll = log.poll(&web, &feed).await.unwrap();
    let ids: Vec<usize> =
        poll.items.iter().map(|item| &item.native_id).chain(&poll.looked_at).map(String::len).collect();
    assert_eq!(poll.items.len(), 2, "{poll:?}");
    assert!(ids.iter().all(|length| *length <= 2_600), "{ids:?}");
}

//! What is found out about a company: from its site, and from those who are asked about it.

use std::sync::Barrier;

use futures_util::FutureExt;
use futures_util::future::join;
use tokio::sync::Semaphore;

use super::World;
use crate::profile_of;
use domain::{CompanyProfile, DomainName, EvidenceKind, Obstacle, ProfileKey};

const RSS: &str =
    "<rss><channel><item><title>x</title><pubDate>Thu, 12 Nov 2026 09:00:00 GMT</pubDate></item></channel></rss>";
const HOME: &str = r#"<html><head><title>Acme – anvils</title>
    <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed/">
    <script type="application/ld+json">{"@type":"Organization","name":"Acme","legalName":"Acme Tools, Inc.","url":"https://acme.example/",
    "sameAs":["https://www.linkedin.com/company/acme-tools","https://www.youtube.com/@acmetools"],"founder":{"name":"Ada Byron"}}</script></head>
    <body><a href="/company/newsroom">Newsroom</a><a href="https://blog.acme.example/">Blog</a><a href="/careers">Careers</a>
    <a href="https://twitter.com/intent/tweet?text=hi">Share</a><a href="https://x.com/acme">X</a>
    <a rel="me" href="https://social.example/@acme">Mastodon</a><a href="https://twitter.com/webflow">Made in Webflow</a></body></html>"#;
const CHANNEL: &str = "UCabcdefghijklmnopqrstuv";
const WIKIDATA: &str = r#"{"results":{"bindings":[{"item":{"value":"http://www.wikidata.org/entity/Q7"},"itemLabel":{"value":"Acme Tools"},
    "listed":{"value":"ACM"},"leaderLabel":{"value":"Grace Hopper"},"x":{"value":"someone_else"}}]}}"#;

fn domain() -> DomainName {
    DomainName::from_stored("acme.example".into())
}

async fn world() -> World {
    let world = World::new().await;
    world.put("acme.example/", HOME);
    let news = r#"<link rel="alternate" type="application/rss+xml" href="/company/newsroom/rss.xml">"#;
    world.put("acme.example/company/newsroom", news);
    world.put("acme.example/company/newsroom/rss.xml", RSS);
    world.put("blog.acme.example/", r#"<link rel="alternate" type="application/atom+xml" href="/empty.xml">"#);
    world.put("blog.acme.example/empty.xml", "<feed xmlns='http://www.w3.org/2005/Atom'></feed>");
    world.put("acme.example/comments/feed/", RSS);
    world
}

fn put_answers_of_others(world: &World) {
    let page = format!(r#"<link rel="canonical" href="https://www.youtube.com/channel/{CHANNEL}">"#);
    world.put("www.youtube.com/@acmetools", page);
    let finger = "social.example/.well-known/webfinger?resource=acct%3Aacme%40social.example";
    world.put(finger, r#"{"subject":"acct:Acme@social.example"}"#);
    let handle = "public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=acme.example";
    world.put(handle, r#"{"did":"did:plc:abc"}"#);
    world.put_where(|place| place.starts_with("query.wikidata.org/sparql?query="), WIKIDATA);
}

fn all(profile: &CompanyProfile, key: ProfileKey) -> Vec<&str> {
    profile.values(key).collect()
}

#[actix_web::test]
async fn a_site_and_those_who_know_it_tell_who_a_company_is() {
    let world = world().await;
    put_answers_of_others(&world);
    let profile = profile_of(&world.web(), &domain(), true).await.unwrap();
    for (key, values) in [
        (ProfileKey::Name, vec!["Acme"]),
        (ProfileKey::LegalName, vec!["Acme Tools, Inc.", "Acme Tools"]),
        (ProfileKey::Ticker, vec!["ACM"]),
        (ProfileKey::Person, vec!["Ada Byron", "Grace Hopper"]),
        (ProfileKey::FeedUrl, vec!["https://acme.example/company/newsroom/rss.xml"]),
        (ProfileKey::NewsroomFeedUrl, vec!["https://acme.example/company/newsroom/rss.xml"]),
        (ProfileKey::NewsroomUrl, vec!["https://acme.example/company/newsroom"]),
        (ProfileKey::BlogUrl, vec!["https://blog.acme.example/"]),
        (ProfileKey::YoutubeChannelId, vec![CHANNEL]),
        (ProfileKey::BlueskyHandle, vec!["acme.example"]),
        (ProfileKey::MastodonAccount, vec!["acme@social.example"]),
        (ProfileKey::LinkedinUrl, vec!["https://www.linkedin.com/company/acme-tools"]),
        (ProfileKey::XHandle, vec!["acme"]),
    ] {
        assert_eq!(all(&profile, key), values, "{key:?}: {profile:#?}");
    }
    let evidence = |key: ProfileKey| {
        let entry = profile.entries().iter().find(|entry| entry.key == key).unwrap();
        (entry.evidence, entry.evidence_url.as_str())
    };
    assert_eq!(evidence(ProfileKey::Name), (EvidenceKind::StructuredData, "https://acme.example/"));
    assert_eq!(evidence(ProfileKey::XHandle), (EvidenceKind::Link, "https://acme.example/"));
    assert_eq!(evidence(ProfileKey::Ticker), (EvidenceKind::Wikidata, "https://www.wikidata.org/entity/Q7"));
    assert_eq!(evidence(ProfileKey::FeedUrl), (EvidenceKind::Alternate, "https://acme.example/company/newsroom"));
    let own =
        world.requests().iter().filter(|place| place.contains("acme.example/") && !place.contains("robots")).count();
    assert!(own <= 16, "{own} requests");
}

#[actix_web::test]
async fn nobody_is_asked_where_that_is_switched_off() {
    let world = world().await;
    put_answers_of_others(&world);
    let profile = profile_of(&world.web(), &domain(), false).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::MastodonAccount), ["acme@social.example"], "the site itself says it");
    assert_eq!(all(&profile, ProfileKey::YoutubeChannelId), <[&str; 0]>::default());
    assert_eq!(all(&profile, ProfileKey::Ticker), <[&str; 0]>::default());
    assert!(world.requests().iter().all(|place| place.contains("acme.example/")));
}

#[actix_web::test]
async fn an_account_that_its_own_server_does_not_know_is_refused() {
    let world = world().await;
    let profile = profile_of(&world.web(), &domain(), true).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::MastodonAccount), <[&str; 0]>::default());
    assert_eq!(all(&profile, ProfileKey::YoutubeChannelId), <[&str; 0]>::default());
    assert_eq!(all(&profile, ProfileKey::Name), ["Acme"], "directories that answer 404 change nothing");
}

#[actix_web::test]
async fn a_channel_that_only_its_identifier_names_is_the_companys_where_youtube_calls_it_so() {
    for (title, found) in [("Acme Tools - YouTube", &[CHANNEL][..]), ("Quarry - YouTube", &[])] {
        let world = World::new().await;
        let link = format!(r#"<title>Acme</title><a href="https://www.youtube.com/channel/{CHANNEL}">Videos</a>"#);
        world.put("acme.example/", link);
        world.put(&format!("www.youtube.com/channel/{CHANNEL}"), format!("<title>{title}</title>"));
        let profile = profile_of(&world.web(), &domain(), true).await.unwrap();
        assert_eq!(all(&profile, ProfileKey::YoutubeChannelId), found, "{title}");
        let unasked = profile_of(&world.web(), &domain(), false).await.unwrap();
        assert_eq!(all(&unasked, ProfileKey::YoutubeChannelId), <[&str; 0]>::default());
    }
}

#[actix_web::test]
async fn feeds_that_no_page_names_are_found_in_the_usual_places() {
    let world = World::new().await;
    world.put("acme.example/", "<title>Acme</title>");
    world.put("acme.example/feed", "<html>no feed</html>");
    world.put("acme.example/rss.xml", RSS);
    world.put("acme.example/feed.xml", RSS);
    let profile = profile_of(&world.web(), &domain(), false).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::FeedUrl), ["https://acme.example/rss.xml"], "one is enough");
}

#[actix_web::test]
async fn a_site_that_refuses_us_may_be_known_to_others() {
    let world = World::new().await;
    world.put_reply("acme.example/", 403, &[], "");
    world.put_reply("www.acme.example/", 403, &[], "");
    let refused = profile_of(&world.web(), &domain(), true).await;
    assert_eq!(refused.unwrap_err().obstacle(), Obstacle::Inaccessible);
    put_answers_of_others(&world);
    let profile = profile_of(&world.web(), &domain(), true).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::Name), ["Acme Tools"]);
    assert_eq!(all(&profile, ProfileKey::BlueskyHandle), ["acme.example"]);
}

#[actix_web::test]
async fn where_too_much_else_is_being_read_a_company_is_looked_at_later() {
    static ASKED: Semaphore = Semaphore::const_new(0);
    static FULL: Barrier = Barrier::new(2);
    let world = World::new().await;
    world.put("acme.example/", HOME);
    // The queue fills while the feed is waited for, so that the accounts are what nobody can read.
    let holds_up = |place: &str| {
        if place == "acme.example/feed" {
            ASKED.add_permits(1);
            FULL.wait();
        }
        false
    };
    world.put_where(holds_up, "");
    let web = world.web();
    let filled = async {
        drop(ASKED.acquire().await);
        let mut readings: Vec<_> = (0..1_000).map(|_| Box::pin(web.read(|| ()))).collect();
        let busy = readings.iter_mut().filter_map(|reading| reading.as_mut().now_or_never()?.err()).count();
        FULL.wait();
        (readings, busy)
    };
    let domain = domain();
    let (found, (_, busy)) = join(profile_of(&web, &domain, false), filled).await;
    assert!(busy > 0, "the queue is longer than that");
    assert_eq!(found.unwrap_err().obstacle(), Obstacle::Unreachable);
}

#[actix_web::test]
async fn robots_are_obeyed_and_a_site_in_trouble_is_asked_later() {
    let world = world().await;
    world.put("acme.example/robots.txt", "User-agent: *\nDisallow: /company/");
    let profile = profile_of(&world.web(), &domain(), false).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::NewsroomUrl), <[&str; 0]>::default());
    let asked = world.requests();
    assert!(!asked.iter().any(|place| place.starts_with("acme.example/company/")), "{asked:?}");
    world.put_reply("acme.example/", 502, &[], "");
    world.put_reply("www.acme.example/", 502, &[], "");
    let later = profile_of(&world.web(), &domain(), true).await;
    assert_eq!(later.unwrap_err().obstacle(), Obstacle::Unreachable);
}

#[actix_web::test]
async fn a_page_that_names_thousands_of_feeds_and_accounts_costs_a_few_requests() {
    let world = World::new().await;
    let link = |n: usize| {
        format!(
            r#"<link rel="alternate" type="application/rss+xml" href="/{n}.xml"><a href="https://s{n}.example/@acme">m</a>"#
        )
    };
    world.put("acme.example/", (0..3_000).map(link).collect::<String>());
    let profile = profile_of(&world.web(), &domain(), true).await.unwrap();
    assert_eq!(all(&profile, ProfileKey::FeedUrl), <[&str; 0]>::default());
    assert_eq!(all(&profile, ProfileKey::Name), ["Acme"], "as its domain");
    assert!(world.requests().len() < 30, "one home page");
}

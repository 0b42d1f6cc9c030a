//! What a day of press wires costs: `cargo bench -- wire_day`.
//!
//! A wire on loopback tells 100,000 items, one in ten of them about a person, in as many answers as a day has polls of a
//! quarter of an hour. The feeds of 10,000 radars on companies read every answer as the program does: asked for once by the
//! sources that show everybody the same, read, matched with each target, and made findings of. What the database does with
//! an unchanged feed is measured by `checks`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use clock::Clock;
use config::{Config, Outbound, Rewrite};
use outbound::address_guard::AddressGuard;
use outbound::fetch::Web;
use outbound::transport::Transport;
use sources::{Catalog, FeedKey, Known, poll_feed};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::{cpu, goal};

/// Items of one day, of which a tenth is about people.
const ITEMS: usize = 100_000;
/// Polls of one feed in a day.
const POLLS: usize = 96;
/// Radars on companies.
const RADARS: usize = 10_000;
/// The sources of their feeds, and which part of the radars each serves.
const SOURCES: [(&str, usize); 3] = [
    ("prnewswire_all_people", 4_500),
    ("prnewswire_all_people-company_promotions", 4_500),
    ("prnewswire_all_people-contact_job_changes", 1_000),
];
const FUNDING: &str = "prnewswire_all_funding";
const CPU_S: f64 = 60.0;

/// Measures without a database.
pub fn run() {
    actix_rt::System::new().block_on(measure());
}

async fn measure() {
    let clock = Clock::simulated("2026-11-23T00:00:00Z".parse().expect("an instant"));
    let catalog = Arc::new(Catalog::load(None).expect("sources"));
    let page = Arc::new(std::sync::Mutex::new(String::new()));
    let web = web(page.clone(), clock.clone()).await;
    let feeds: Vec<FeedKey> = SOURCES.iter().flat_map(|(source, count)| feeds_of(source, *count)).collect();
    assert_eq!(feeds.len(), RADARS);
    let (mut found, mut cpu_s) = (HashMap::<String, usize>::new(), 0.0);
    for poll in 0..POLLS {
        *page.lock().expect("unpoisoned") = answer(poll);
        clock.resume_at(clock.now() + Duration::from_secs(15 * 60));
        let from = cpu::used("/proc/self/stat");
        for feed in feeds.iter().chain([&FeedKey { source_id: FUNDING.into(), token: String::new() }]) {
            let polled = poll_feed(&web, &catalog, feed, Known::default()).await.expect("a poll");
            *found.entry(feed.source_id.clone()).or_default() += polled.items.len();
        }
        cpu_s += cpu::used("/proc/self/stat") - from;
    }
    println!("{ITEMS} items for {RADARS} radars: findings {found:?}");
    for (source, _) in SOURCES {
        assert!(found.get(source).is_some_and(|found| *found > 0), "nothing is found by {source}");
    }
    assert!(found.get(FUNDING).is_some_and(|found| *found > 0), "no rounds are found");
    goal::at_most("a day of press wires: CPU seconds", cpu_s, CPU_S);
}

fn feeds_of(source: &str, count: usize) -> impl Iterator<Item = FeedKey> {
    let is_contact = source.ends_with("contact_job_changes");
    (0..count).map(move |number| {
        let person = if is_contact { format!("&full_name=Ines+{}", family(number)) } else { String::new() };
        let token = format!("domain=quarry{number}.example{person}&name=Quarry{number}");
        FeedKey { source_id: source.to_owned(), token }
    })
}

/// A web of which every page is `page`.
async fn web(page: Arc<std::sync::Mutex<String>>, clock: Clock) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    actix_rt::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let page = page.clone();
            actix_rt::spawn(async move {
                let mut received = Vec::new();
                while stream.read_buf(&mut received).await.is_ok_and(|read| read > 0) {
                    let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
                    let is_robots = received.starts_with(b"GET /")
                        && String::from_utf8_lossy(&received[..end]).contains("robots.txt");
                    received.drain(..end + 4);
                    let body = if is_robots { String::new() } else { page.lock().expect("unpoisoned").clone() };
                    let head = format!(
                        "HTTP/1.1 200 OK\r\ncontent-type: application/rss+xml\r\ncontent-length: {}\r\n\r\n",
                        body.len()
                    );
                    if stream.write_all(head.as_bytes()).await.is_err()
                        || stream.write_all(body.as_bytes()).await.is_err()
                    {
                        return;
                    }
                }
            });
        }
    });
    let rewrite = vec![Rewrite { from: "https://".to_owned(), to: format!("http://{address}/") }];
    let built_in = Config::built_in().expect("the built-in settings").outbound;
    let settings = Outbound { contact: "bench@radar.example".into(), rewrite, ..built_in };
    let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().expect("a network")]);
    Web::new(&settings, Transport::new(guard, clock.clone()), clock)
}

/// The items of one poll.
fn answer(poll: usize) -> String {
    let numbers = ITEMS * poll / POLLS..ITEMS * (poll + 1) / POLLS;
    let items: String = numbers.map(item).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>News</title>{items}</channel></rss>"#
    )
}

fn item(number: usize) -> String {
    // Companies that are watched and others, spread over the day.
    let company = number.wrapping_mul(7_919) % (2 * RADARS);
    let person = family(company);
    let headline = match number % 20 {
        0 => format!("Quarry{company} Appoints Ines {person} as Chief Financial Officer"),
        1 => format!("Quarry{company} Promotes Ines {person} to Vice President of Sales"),
        2 => format!("Quarry{company} Raises $12 Million Series A Led by Tern Capital"),
        3..=9 => format!("Quarry{company} Reports Third Quarter Results and Raises Full-Year Outlook"),
        10..=15 => format!("Quarry{company} Launches Assistant for Nurses in {person} County Hospitals"),
        _ => format!("Quarry{company} Named a Leader in Analyst Report on Industrial Robots"),
    };
    format!(
        "<item><guid isPermaLink=\"true\">https://wire.example/{number}.html</guid><link>https://wire.example/{number}.html</link>\
         <title>{headline}</title><description>OSLO, Norway, Nov. 23, 2026 /PRNewswire/ -- Quarry{company} AS, a maker of robots, \
         said so today. The company has four hundred people in six countries, and sells what it makes to mines and ports. Its \
         shares are not traded. More is at quarry{company}.example, where the figures of the year stand as well.</description>\
         <pubDate>Mon, 23 Nov 2026 13:00:00 +0000</pubDate></item>"
    )
}

/// A family's name for each number.
fn family(number: usize) -> String {
    const FIRST: [&str; 8] = ["Var", "Lind", "Stor", "Keld", "Mor", "Thor", "Berg", "Hol"];
    const LAST: [&str; 8] = ["gaard", "qvist", "mark", "sen", "vik", "by", "dahl", "strom"];
    format!("{}{}", FIRST[number % 8], LAST[number / 8 % 8])
}

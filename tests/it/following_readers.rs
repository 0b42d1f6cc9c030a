//! Many readers follow an account's updates while they are written: each sees every update that its filters let
//! through exactly once and in order (Spec 4.9; decisions 3.4, 3.5).
//!
//! `FOLLOW_UPDATES` sets how many findings are written on each database, `FOLLOW_SEED` the limits, the filters and the
//! order of writing.
//!
//! On the last page `next_cursor` is null, so who reads on later has three ways, and all of them are tried: to keep the
//! last cursor there was and to pass over what was read after it; to go on with `since`, the `discovered_at` that was
//! seen last, and with cursors within what is new; to use nothing but `since`.

use std::collections::BTreeSet;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::future::{join, join_all};
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::support::client::Client;
use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::dice::{Dice, number_from};
use crate::support::process::Service;
use crate::support::provider::{push_to_all, start};
use crate::support::shapes::instant;

const READERS: u64 = 100;
/// People who are watched at each company: one finding about them is as many updates.
const PEOPLE: usize = 25;
const COMPANIES: [&str; 4] = ["north.com", "east.com", "south.com", "west.com"];
const COMPANY_TYPES: [&str; 2] = ["company_reviews", "company_mentions"];
/// Radars that nothing serves: each ends with a failure.
const FAILURES: usize = 40;
/// Findings that are under way at the same time.
const PUSHES_AT_ONCE: usize = 4;
/// The most findings that a reader who has read everything waits for.
const WAITED_FOR_MAX: u64 = 40;

#[actix_web::test]
async fn decision_3_4_every_reader_sees_every_update_once_and_in_order() {
    let updates = usize::try_from(number_from("FOLLOW_UPDATES", 4_000)).expect("few");
    let seed = number_from("FOLLOW_SEED", 1);
    println!("repeat with: FOLLOW_UPDATES={updates} FOLLOW_SEED={seed} cargo test --test it following_readers");
    on_both_databases(|database| follow(database, updates, seed)).await;
}

async fn follow(database: TestDatabase, updates: usize, seed: u64) {
    let (service, _source) = start(database.url(), &[], "");
    let writer = Writer::start(&service).await;
    let (other, _) = customer_with_radars(&service, 1).await;
    let (progress, follow) = watch::channel(Progress::default());
    let reading = (0..READERS).map(|number| {
        let dice = Dice::new(seed.wrapping_mul(READERS).wrapping_add(number));
        let reader = Reader::new(number, dice, &writer);
        reader.read_on(Lean::of(&service, &writer.customer), follow.clone())
    });
    let writing = async {
        writer.write(updates, Dice::new(seed), &progress).await;
        progress.send_modify(|progress| progress.is_done = true);
    };
    let (readers, ()) = join(join_all(reading), writing).await;

    let all: Vec<Value> = writer.customer.updates(&service).await.iter().map(|update| parse(update)).collect();
    assert_eq!(all.len(), updates + FAILURES);
    let at: Vec<DateTime<Utc>> = all.iter().map(|update| instant(&update["discovered_at"])).collect();
    assert!(at.is_sorted_by(|one, next| one < next));
    let ids: BTreeSet<&str> = all.iter().map(|update| text(&update["update_id"])).collect();
    assert_eq!(ids.len(), all.len());
    let others = other.updates(&service).await;
    assert!(!others.is_empty(), "the other account's updates are written at the same time");
    let (mut seen, mut asked) = (0, 0);
    for reader in &readers {
        reader.check(&all);
        (seen, asked) = (seen + reader.seen.len(), asked + reader.asked);
    }
    println!("  {READERS} readers asked {asked} times and saw {seen} updates");
    service.assert_ledger_adds_up();
}

/// How far the writing is.
#[derive(Clone, Copy, Default)]
struct Progress {
    pushes: u64,
    is_done: bool,
}

/// A customer with radars, and who publishes their findings.
struct Writer<'a> {
    service: &'a Service,
    customer: Customer,
    radar_ids: Vec<String>,
}

impl<'a> Writer<'a> {
    async fn start(service: &'a Service) -> Self {
        let (customer, radar_ids) = customer_with_radars(service, PEOPLE).await;
        Self { service, customer, radar_ids }
    }

    /// Publishes `updates` findings and, among them, the failures.
    async fn write(&self, updates: usize, mut dice: Dice, progress: &watch::Sender<Progress>) {
        let mut plan: Vec<(&str, &str)> = Vec::new();
        let mut left = updates;
        while left > 0 {
            let company = COMPANIES[pick(&mut dice, COMPANIES.len())];
            let is_for_people = left >= PEOPLE && dice.below(5) > 0;
            let radar_type =
                if is_for_people { "contact_job_changes" } else { COMPANY_TYPES[pick(&mut dice, COMPANY_TYPES.len())] };
            left -= if is_for_people { PEOPLE } else { 1 };
            plan.push((radar_type, company));
        }
        let push = |(number, (radar_type, company)): (usize, (&'static str, &'static str))| async move {
            let target = json!({"domain": company});
            let answer = push_to_all(self.service, radar_type, &target, &format!("finding {number}")).await;
            let outcomes = answer.json["data"].as_array().expect("outcomes").iter();
            let is_mine = |outcome: &&Value| text(&outcome["account_id"]) == self.customer.account_id;
            let mine: Vec<&Value> = outcomes.filter(is_mine).collect();
            assert_eq!(mine.len(), if radar_type == "contact_job_changes" { PEOPLE } else { 1 });
            assert!(mine.iter().all(|outcome| outcome["outcome"] == "published"), "{}", answer.json);
            progress.send_modify(|progress| progress.pushes += 1);
        };
        let pushing = stream::iter(plan.into_iter().enumerate().map(push)).buffer_unordered(PUSHES_AT_ONCE);
        join(pushing.collect::<Vec<()>>(), self.fail()).await;
    }

    /// Creates radars that fail.
    async fn fail(&self) {
        let api = self.customer.api(self.service);
        for number in 0..FAILURES {
            let body = json!({"domain": format!("nothing-{number}.com"), "radar_type": "company_promotions"});
            api.post("/v1/radars/companies", &body).await.expect_status(201);
        }
        eventually("all have failed", || async {
            let account = self.customer.account(self.service).await;
            (account["account"]["failed_radars"] == json!(FAILURES)).then_some(())
        })
        .await;
    }
}

/// A customer whose radars are those of the writer, with `people` at each company, and the radars' identifiers.
async fn customer_with_radars(service: &Service, people: usize) -> (Customer, Vec<String>) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "1000").await;
    customer.price(service, "company_mentions", "update_based", "0.001").await;
    let mut items = Vec::new();
    for domain in COMPANIES {
        items.extend(COMPANY_TYPES.map(|radar_type| json!({"domain": domain, "radar_type": radar_type})));
        items.extend((0..people).map(|number| {
            json!({"radar_type": "contact_job_changes", "domain": domain, "full_name": format!("Ada {number}")})
        }));
    }
    let mut radar_ids = Vec::new();
    for items in items.chunks(100) {
        let made = customer.api(service).post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
        let results = made.json["results"].as_array().expect("results");
        radar_ids.extend(results.iter().map(|result| text(&result["data"]["radar_id"]).to_owned()));
    }
    for radar_id in &radar_ids {
        customer.settled(service, radar_id).await;
    }
    (customer, radar_ids)
}

/// How a reader reads on after a last page.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// With the last cursor there was, passing over what it has read after it.
    KeptCursor,
    /// With `since` and what it saw last, and with cursors up to the next last page.
    SinceAndCursor,
    /// With `since` always.
    Since,
}

struct Reader {
    number: u64,
    manner: Manner,
    filter: Filter,
    dice: Dice,
    /// What was seen: identifier and `discovered_at`.
    seen: Vec<Seen>,
    asked: u64,
}

/// Where a reader goes on.
#[derive(Default)]
struct Place {
    since: Option<String>,
    cursor: Option<String>,
    /// How many of the updates that were seen lie before.
    before: usize,
}

impl Reader {
    fn new(number: u64, mut dice: Dice, writer: &Writer<'_>) -> Self {
        let manner = match number % 4 {
            0 => Manner::KeptCursor,
            1 => Manner::SinceAndCursor,
            _ => Manner::Since,
        };
        let filter = Filter::roll(&mut dice, &writer.radar_ids);
        Self { number, manner, filter, dice, seen: Vec::new(), asked: 0 }
    }

    /// Reads until the writing is over and everything is read.
    async fn read_on(mut self, api: Lean, mut progress: watch::Receiver<Progress>) -> Self {
        let mut place = Place::default();
        loop {
            let Progress { pushes, is_done } = *progress.borrow();
            let limit = 1 + self.dice.below(100);
            let page = api.page(&self.filter, limit, &place).await;
            self.asked += 1;
            self.take(&page, limit, &mut place);
            if !page.has_more {
                if is_done {
                    return self;
                }
                let enough = pushes + 1 + self.dice.below(WAITED_FOR_MAX);
                let is_enough = |progress: &Progress| progress.is_done || progress.pushes >= enough;
                progress.wait_for(is_enough).await.expect("the writer is there");
            }
        }
    }

    fn take(&mut self, page: &Page, limit: u64, place: &mut Place) {
        assert!(page.updates.len() as u64 <= limit, "{}", self.who());
        assert!(
            !page.has_more || page.updates.len() as u64 == limit,
            "a page with more behind it is full: {}",
            self.who()
        );
        assert_eq!(page.has_more, page.next_cursor.is_some());
        for (index, update) in (place.before..).zip(&page.updates) {
            match self.seen.get(index) {
                Some(known) => assert_eq!(known, update, "what was read stays as it is: {}", self.who()),
                None => self.seen.push(update.clone()),
            }
        }
        match (self.manner, &page.next_cursor) {
            (Manner::KeptCursor | Manner::SinceAndCursor, Some(next)) => {
                place.cursor = Some(next.clone());
                place.before += page.updates.len();
            }
            (Manner::KeptCursor, None) => {}
            (Manner::SinceAndCursor, None) | (Manner::Since, _) => {
                let last = self.seen.last().map(|last| last.discovered_at.clone());
                *place = Place { since: last, cursor: None, before: self.seen.len() };
            }
        }
    }

    fn who(&self) -> String {
        format!("reader {} ({:?}, {:?})", self.number, self.manner, self.filter)
    }

    /// Compares what was seen with what was there to be seen.
    fn check(&self, all: &[Value]) {
        let wanted: Vec<&str> = all
            .iter()
            .filter(|update| self.filter.lets_through(update))
            .map(|update| text(&update["update_id"]))
            .collect();
        let seen: Vec<&str> = self.seen.iter().map(|seen| seen.update_id.as_str()).collect();
        let first = wanted.iter().zip(&seen).position(|(wanted, seen)| wanted != seen);
        let who = self.who();
        assert_eq!(first, None, "{who} saw something else at this place");
        assert_eq!(seen.len(), wanted.len(), "{who}");
    }
}

/// Which updates a reader asks for; what is empty does not filter.
#[derive(Debug, Default)]
struct Filter {
    radar_ids: Vec<String>,
    radar_types: Vec<&'static str>,
    domains: Vec<&'static str>,
    update_types: Vec<&'static str>,
}

impl Filter {
    fn roll(dice: &mut Dice, radar_ids: &[String]) -> Self {
        let mut filter = Self::default();
        if dice.below(4) == 0 {
            let count = 1 + dice.below(10);
            filter.radar_ids = (0..count).map(|_| radar_ids[pick(dice, radar_ids.len())].clone()).collect();
        }
        if dice.below(3) == 0 {
            let types = [COMPANY_TYPES.as_slice(), &["contact_job_changes", "company_promotions"]].concat();
            filter.radar_types = (0..1 + dice.below(2)).map(|_| types[pick(dice, types.len())]).collect();
        }
        if dice.below(3) == 0 {
            filter.domains = (0..1 + dice.below(3)).map(|_| COMPANIES[pick(dice, COMPANIES.len())]).collect();
        }
        filter.update_types = match dice.below(6) {
            0 | 1 => vec!["radar_finding", "radar_failure"],
            2 => vec!["radar_failure"],
            3 => vec!["radar_finding"],
            _ => Vec::new(),
        };
        filter
    }

    fn query(&self) -> String {
        let radar_ids: Vec<&str> = self.radar_ids.iter().map(String::as_str).collect();
        let lists = [
            ("radar_id", &radar_ids),
            ("radar_type", &self.radar_types),
            ("domain", &self.domains),
            ("update_type", &self.update_types),
        ];
        let given = lists.into_iter().filter(|(_, list)| !list.is_empty());
        given.map(|(name, list)| format!("&{name}={}", list.join(","))).collect()
    }

    fn lets_through(&self, update: &Value) -> bool {
        let data = &update["data"];
        let is_kind = match self.update_types.as_slice() {
            [] => update["update_type"] == "radar_finding",
            kinds => kinds.contains(&text(&update["update_type"])),
        };
        is_kind
            && (self.radar_ids.is_empty()
                || self.radar_ids.iter().any(|radar_id| data["radar_id"] == radar_id.as_str()))
            && (self.radar_types.is_empty() || self.radar_types.contains(&text(&data["radar_type"])))
            && (self.domains.is_empty() || self.domains.contains(&text(&data["domain"])))
    }
}

/// A client that reads of an answer only what a reader needs.
struct Lean {
    api: Client,
}

#[derive(Debug, Deserialize)]
struct Page {
    updates: Vec<Seen>,
    has_more: bool,
    next_cursor: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Seen {
    update_id: String,
    discovered_at: String,
}

impl Lean {
    fn of(service: &Service, customer: &Customer) -> Self {
        Self { api: customer.api(service) }
    }

    async fn page(&self, filter: &Filter, limit: u64, place: &Place) -> Page {
        let mut path = format!("/v1/updates?limit={limit}{}", filter.query());
        for (name, value) in [("since", &place.since), ("cursor", &place.cursor)] {
            if let Some(value) = value {
                path += &format!("&{name}={value}");
            }
        }
        let (status, bytes): (u16, Bytes) = self.api.get_unread(&path).await;
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

fn pick(dice: &mut Dice, count: usize) -> usize {
    usize::try_from(dice.below(count as u64)).expect("small")
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

//! Clients that race to create the same: one is given the radar, the others its identifier (Spec 2.7, 4.5, 7; decision 1.5).
//!
//! `RACE_TARGETS` sets how many targets are raced for, `RACE_SEED` which requests are under way together.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::{join, join_all};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::customer::Customer;
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::dice::{Dice, number_from};
use crate::support::process::Service;
use crate::support::provider::start;
use crate::support::push_source::PushSource;
use crate::support::shapes::{assert_refused, instant, uuid};

/// Targets that are raced for at the same time, in the crowd.
const AT_ONCE: usize = 16;
/// Items of a bulk.
const ITEMS: usize = 100;

#[actix_web::test]
async fn spec_2_7_of_two_that_create_the_same_one_succeeds_and_the_other_is_told_its_id() {
    let targets = usize::try_from(number_from("RACE_TARGETS", 1_000)).expect("few");
    let seed = number_from("RACE_SEED", 1);
    println!("repeat with: RACE_TARGETS={targets} RACE_SEED={seed} cargo test --test it racing_creates");
    on_both_databases(|database| async move {
        let race = Race::start(&database).await;
        race.pairs(targets / 4, &mut Dice::new(seed)).await;
        race.crowd(targets - targets / 4, &mut Dice::new(seed)).await;
        race.check(targets).await;
    })
    .await;
}

#[actix_web::test]
async fn spec_4_5_bulks_that_create_the_same_share_it_between_them() {
    on_both_databases(|database| async move {
        let race = Race::start(&database).await;
        for round in 0..10 {
            let items: Vec<Value> = (0..ITEMS).map(|number| body(&format!("alike-{round}-{number}"))).collect();
            race.bulks([items.clone(), items]).await;
        }
        for round in 0..10 {
            let items: Vec<Value> = (0..ITEMS).map(|number| body(&format!("opposite-{round}-{number}"))).collect();
            let reversed = items.iter().rev().cloned().collect();
            race.bulks([items, reversed]).await;
        }
        race.check(20 * ITEMS).await;
    })
    .await;
}

/// Two clients of one account, each radar of which costs it a cent. On PostgreSQL each has a process of its own.
struct Race {
    service: Service,
    second: Option<Service>,
    _sources: (PushSource, Option<PushSource>),
    customer: Customer,
    clients: [Client; 2],
}

impl Race {
    async fn start(database: &TestDatabase) -> Self {
        let (service, source) = start(database.url(), &[], "");
        let is_shared = database.url().starts_with("postgres");
        let (second, second_source) = is_shared.then(|| start(database.url(), &[], "")).unzip();
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "1000").await;
        customer.price(&service, "company_reviews", "subscription", "0.01").await;
        let clients = [customer.api(&service), customer.api(second.as_ref().unwrap_or(&service))];
        Self { service, second, _sources: (source, second_source), customer, clients }
    }

    /// One target after the other, two requests each.
    async fn pairs(&self, targets: usize, dice: &mut Dice) {
        for number in 0..targets {
            self.race_for(&format!("pair-{number}"), dice.below(2) == 0).await;
        }
    }

    /// Many targets at the same time, two requests each.
    async fn crowd(&self, targets: usize, dice: &mut Dice) {
        let orders: Vec<(usize, bool)> = (0..targets).map(|number| (number, dice.below(2) == 0)).collect();
        let races = orders.into_iter().map(|(number, is_swapped)| async move {
            self.race_for(&format!("crowd-{number}"), is_swapped).await;
        });
        stream::iter(races).buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
    }

    async fn race_for(&self, name: &str, is_swapped: bool) {
        let (body, spelled_otherwise) = (body(name), other_spelling(name));
        let [one, other] = &self.clients;
        let (one, other) = if is_swapped { (other, one) } else { (one, other) };
        let path = "/v1/radars/companies";
        let (first, second) = join(one.post(path, &body), other.post(path, &spelled_otherwise)).await;
        let (winner, loser) = if first.status == 201 { (first, second) } else { (second, first) };
        let winner = winner.expect_status(201);
        assert_refused(name, &loser, 409, &["domain"]);
        assert_eq!(loser.json["errors"][0]["reason"], winner.json["data"]["radar_id"], "{name}");
        assert_eq!(winner.json["data"]["domain"], body["domain"]);
    }

    /// Two bulks of the same targets: each item is created by one of them, and the other gets its identifier.
    async fn bulks(&self, bulks: [Vec<Value>; 2]) {
        let send = |(client, items): (&Client, Vec<Value>)| {
            let client = client.clone();
            async move {
                let answer = client.post("/v1/radars/bulk", &json!({"radars": items})).await;
                results(&answer, &items)
            }
        };
        let answers = join_all(self.clients.iter().zip(bulks).map(send)).await;
        let (mut created, mut refused) = (BTreeMap::new(), BTreeMap::new());
        for (domain, result) in answers.into_iter().flatten() {
            let code = result["code"].as_u64().expect("a code");
            let earlier = match code {
                201 => created.insert(domain.clone(), result["data"]["radar_id"].clone()),
                409 => refused.insert(domain.clone(), result["errors"][0]["reason"].clone()),
                _ => panic!("{result}"),
            };
            assert_eq!(earlier, None, "{domain} twice {code}");
            assert_eq!(result.get("retryable"), (code == 409).then_some(&json!(false)));
        }
        assert_eq!(created.len(), ITEMS);
        assert_eq!(created, refused, "the refused get the identifier of what was created");
    }

    /// One radar per target, one charge per radar, sound accounts, and a list that is newest first.
    async fn check(mut self, radars: usize) {
        let account = self.customer.account(&self.service).await;
        let spent_cents = u32::try_from(radars).expect("few");
        assert_eq!(account["account"]["total_radars"], json!(radars));
        assert_eq!(account["usage"]["radars_activated"], json!(radars));
        let near = |name: &Value, wanted: f64| (name.as_f64().expect("a number") - wanted).abs() < 1e-9;
        assert!(near(&account["balance_remaining_usd"], 1000.0 - f64::from(spent_cents) / 100.0), "{account}");
        assert!(near(&account["usage"]["balance_used_usd"], f64::from(spent_cents) / 100.0), "{account}");

        let listed = self.listed().await;
        let ids: BTreeSet<_> = listed.iter().map(|radar| uuid(&radar["radar_id"])).collect();
        let domains: BTreeSet<_> = listed.iter().map(|radar| radar["domain"].as_str().expect("a domain")).collect();
        assert_eq!((ids.len(), domains.len(), listed.len()), (radars, radars, radars));
        let created_at: Vec<_> = listed.iter().map(|radar| instant(&radar["created_at"])).collect();
        assert!(created_at.is_sorted_by(|newer, older| newer >= older), "newest first (decision 3.3)");

        let ledger = self.customer.ledger(&self.service).await;
        let charged: BTreeSet<&str> = ledger.iter().filter_map(|entry| entry["radar_id"].as_str()).collect();
        assert_eq!((charged.len(), ledger.len()), (radars, radars + 1), "one charge each, and the top-up");
        self.service.assert_ledger_adds_up();
        for service in self.second.iter_mut().chain([&mut self.service]) {
            assert!(service.terminate().success());
        }
    }

    async fn listed(&self) -> Vec<Value> {
        let (mut all, mut from) = (Vec::new(), String::new());
        loop {
            let page = self.clients[0].get(&format!("/v1/radars?limit=1000{from}")).await.expect_status(200);
            all.extend(page.json["data"].as_array().expect("a list").iter().cloned());
            match page.json["next_cursor"].as_str() {
                Some(cursor) => from = format!("&cursor={cursor}"),
                None => return all,
            }
        }
    }
}

/// What became of each item, by domain: of a 201 or a 207 and of a bulk that failed as a whole.
fn results(answer: &Answer, items: &[Value]) -> Vec<(String, Value)> {
    assert!([201, 207, 400].contains(&answer.status), "{}", answer.json);
    let results = answer.json["results"].as_array().unwrap_or_else(|| panic!("no results in {}", answer.json));
    assert_eq!(results.len(), items.len());
    let created = results.iter().filter(|result| result["status"] == "success").count();
    let status = if created == items.len() {
        201
    } else if created == 0 {
        400
    } else {
        207
    };
    assert_eq!(answer.status, status);
    assert_eq!(
        answer.json["summary"],
        json!({"total": items.len(), "created": created, "failed": items.len() - created, "retryable": 0})
    );
    let of = |(number, item): (usize, &Value)| {
        assert_eq!(results[number]["index"], json!(number));
        (item["domain"].as_str().expect("a domain").to_owned(), results[number].clone())
    };
    items.iter().enumerate().map(of).collect()
}

fn body(name: &str) -> Value {
    json!({"domain": format!("{name}.com"), "radar_type": "company_reviews"})
}

/// The same target as another client might write it (Spec 2.7).
fn other_spelling(name: &str) -> Value {
    json!({"domain": format!("https://www.{}.com/about", name.to_uppercase()), "radar_type": "company_reviews"})
}

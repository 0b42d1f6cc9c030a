//! `kill -9` at random moments during creates and findings: nothing acknowledged is missing, nothing happens twice.
//!
//! `CRASH_ROUNDS` sets how often the service is killed on each database, `CRASH_SEED` the moments.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use futures_util::future::join;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::customer::{Customer, parse, text};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::dice::{Dice, number_from};
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::{Job, Sites};

/// How long everything that was published may take to be found after the last kill.
const PATIENCE: Duration = Duration::from_secs(60);
/// Companies that are watched before the first kill, and those that are created under fire in each round.
const WATCHED_FROM_THE_START: usize = 5;
const CREATED_EACH_ROUND: usize = 8;
/// The pause between two creates, so that the kills fall among them.
const CREATE_EVERY: Duration = Duration::from_millis(40);

#[actix_web::test]
async fn nothing_acknowledged_is_lost_and_nothing_happens_twice() {
    let rounds = number_from("CRASH_ROUNDS", 6);
    let seed = number_from("CRASH_SEED", 1);
    println!("repeat with: CRASH_SEED={seed} CRASH_ROUNDS={rounds} cargo test --test it crashes");
    on_both_databases(|database| run(database, rounds, seed)).await;
}

async fn run(database: TestDatabase, rounds: u64, seed: u64) {
    let companies = WATCHED_FROM_THE_START + CREATED_EACH_ROUND * usize::try_from(rounds).expect("few");
    let domains: Vec<String> = (0..companies).map(|number| format!("company-{number}.com")).collect();
    let mut hosts: Vec<&str> = domains.iter().map(String::as_str).collect();
    hosts.extend(["boards-api.greenhouse.io", "boards.greenhouse.io"]);
    let sites = Sites::start(&hosts);
    for (number, domain) in domains.iter().enumerate() {
        sites.put_greenhouse_company(domain, &token(number), &[Job::new(1, "Old Job")]);
    }
    let mut receiver = Receiver::start();
    let hook = receiver.url("/hook");
    let settings = [("SOURCES__POLL_INTERVAL", "100ms"), ("WEBHOOKS__RETRY_SCHEDULE", "100ms,1s,1s,1s,1s,1s,1s,1s,1s")];
    let mut service = Service::start_with(database.url(), &settings, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_job_openings", "update_based", "0.001").await;
    customer.top_up(&service, "first", "1000").await;

    let siege = Siege::default();
    for domain in &domains[..WATCHED_FROM_THE_START] {
        siege.create(&customer.api(&service), domain, &hook).await;
    }
    siege.find_ready(&service, &customer).await;
    let mut dice = Dice::new(seed);
    for _ in 0..rounds {
        let api = customer.api(&service);
        let creating = siege.create_until_it_fails(&api, &domains, &hook);
        siege.publish(&sites, &mut dice);
        let moment = Duration::from_millis(dice.below(600));
        let killing = async {
            tokio::time::sleep(moment).await;
            service.kill();
        };
        join(creating, killing).await;
        service.restart();
        service.assert_ledger_adds_up();
        siege.find_ready(&service, &customer).await;
    }
    siege.publish(&sites, &mut dice);
    siege.judge(&service, &customer, &mut receiver).await;
    service.assert_ledger_adds_up();
    assert!(service.terminate().success());
}

/// What the outside world knows: acknowledged radars, and postings that must be found.
#[derive(Default)]
struct Siege {
    next_domain: Cell<usize>,
    /// Radars by domain, as acknowledged.
    acknowledged: RefCell<BTreeMap<String, String>>,
    /// Companies whose baseline is known to be taken, with the number of their last posting.
    ready: RefCell<BTreeMap<usize, u64>>,
}

impl Siege {
    async fn create(&self, api: &Client, domain: &str, hook: &str) -> bool {
        self.next_domain.set(self.next_domain.get() + 1);
        let body = json!({"domain": domain, "radar_type": "company_job_openings", "webhook_url": hook});
        match api.try_post("/v1/radars/companies", &body).await {
            Some(answer) if answer.status == 201 => {
                let radar_id = answer.text("/data/radar_id").to_owned();
                self.acknowledged.borrow_mut().insert(domain.to_owned(), radar_id);
                true
            }
            _ => false,
        }
    }

    async fn create_until_it_fails(&self, api: &Client, domains: &[String], hook: &str) {
        let first = self.next_domain.get();
        for domain in domains.iter().skip(first).take(CREATED_EACH_ROUND) {
            if !self.create(api, domain, hook).await {
                return;
            }
            tokio::time::sleep(CREATE_EVERY).await;
        }
    }

    /// Notes which acknowledged companies have taken their baseline; only those can be held to anything later.
    async fn find_ready(&self, service: &Service, customer: &Customer) {
        let acknowledged = self.acknowledged.borrow().clone();
        for (domain, radar_id) in acknowledged {
            let number = number_of(&domain);
            if !self.ready.borrow().contains_key(&number) {
                let detail = customer.settled(service, &radar_id).await;
                assert!(detail.to_string().contains("\"set_up\":\"ready\""), "{detail}");
                self.ready.borrow_mut().insert(number, 1);
            }
        }
    }

    /// Adds a few postings to some of the boards.
    fn publish(&self, sites: &Sites, dice: &mut Dice) {
        for (&number, last) in self.ready.borrow_mut().iter_mut() {
            *last += dice.below(3);
            let jobs: Vec<Job> = (1..=*last).map(|id| Job::new(id, &format!("Job {id}"))).collect();
            sites.put_board(&token(number), &jobs);
        }
    }

    /// Waits for every posting; in vain, it tells which are missing and what is known of the first one's radar.
    async fn updates_when_all_are_there(
        &self,
        service: &Service,
        customer: &Customer,
        expected: &BTreeSet<String>,
    ) -> Vec<String> {
        let began_at = Instant::now();
        loop {
            let updates = customer.updates(service).await;
            let found: BTreeSet<String> = job_urls(&updates).into_iter().collect();
            let Some(missing) = expected.difference(&found).next() else { return updates };
            if began_at.elapsed() > PATIENCE {
                let number = self
                    .ready
                    .borrow()
                    .keys()
                    .copied()
                    .find(|&number| missing.contains(&format!("/{}/", token(number))));
                let domain = format!("company-{}.com", number.expect("a company"));
                let radar_id = self.acknowledged.borrow()[&domain].clone();
                let detail = customer.settled(service, &radar_id).await;
                panic!(
                    "{} of {} are missing, such as {missing}: {detail:#}",
                    expected.difference(&found).count(),
                    expected.len()
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn judge(&self, service: &Service, customer: &Customer, receiver: &mut Receiver) {
        let expected: BTreeSet<String> = self
            .ready
            .borrow()
            .iter()
            .flat_map(|(&number, &last)| {
                (2..=last).map(move |id| format!("https://boards.greenhouse.io/{}/jobs/{id}", token(number)))
            })
            .collect();
        let updates = self.updates_when_all_are_there(service, customer, &expected).await;
        let found = job_urls(&updates);
        assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), expected);
        assert_eq!(found.len(), expected.len(), "each posting has exactly one update");

        let acknowledged = self.acknowledged.borrow().clone();
        for radar_id in acknowledged.values() {
            let radar = customer.api(service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
            assert_eq!(radar.text("/data/radar_status"), "active");
        }
        let ledger = customer.ledger(service).await;
        let charges: Vec<&Value> = ledger.iter().filter(|entry| entry["kind"] == "finding").collect();
        assert_eq!(charges.len(), expected.len(), "each finding has exactly one charge");
        let account = customer.account(service).await;
        let balance = 1000.0 - 0.001 * f64::from(u32::try_from(expected.len()).expect("few"));
        let shown = account["balance_remaining_usd"].as_f64().expect("a number");
        assert!((shown - balance).abs() < 1e-9, "{shown} is not {balance}");

        let ids: BTreeSet<String> =
            updates.iter().map(|update| parse(update)["update_id"].as_str().expect("an id").to_owned()).collect();
        let mut pushed: BTreeSet<String> = BTreeSet::new();
        while pushed != ids {
            let received = tokio::time::timeout(Duration::from_secs(90), receiver.next()).await;
            let received = received.unwrap_or_else(|_| panic!("{} of {} were pushed", pushed.len(), ids.len()));
            let id = parse(text(&received.body))["update_id"].as_str().expect("an id").to_owned();
            assert!(ids.contains(&id), "a push of what cannot be pulled");
            pushed.insert(id);
        }
        println!("{} acknowledged radars, {} findings", acknowledged.len(), expected.len());
    }
}

fn job_urls(updates: &[String]) -> Vec<String> {
    let job_url = |update: &String| parse(update)["content"]["job_url"].as_str().expect("an address").to_owned();
    updates.iter().map(job_url).collect()
}

fn token(number: usize) -> String {
    format!("board{number}")
}

fn number_of(domain: &str) -> usize {
    domain.trim_start_matches("company-").trim_end_matches(".com").parse().expect("a number")
}

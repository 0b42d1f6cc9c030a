//! An account whose radars watch job boards: discovery, silent baselines and polls under fire.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::json;

use super::callers::{Caller, Reply, Request};
use super::history::{Account, KnownRadar, POSTINGS};
use crate::support::dice::Dice;
use crate::support::sites::{Job, Sites};

/// Companies that are watched in the end.
const BOARDS: usize = 12;
/// The pause between two rounds of publishing, each of which is about one board in so many.
const ROUND: Duration = Duration::from_millis(700);
const ONE_BOARD_IN: u64 = 4;

/// The companies' sites.
pub struct Boards {
    sites: Sites,
}

/// Creates the radars one after the other, and publishes postings on boards whose baseline is taken.
pub struct Publisher<'a> {
    caller: Caller<'a>,
    account: &'a Account,
    sites: &'a Sites,
    dice: RefCell<Dice>,
    /// Radars by board.
    radars: RefCell<BTreeMap<usize, String>>,
    /// The last posting of each board that is certainly past its baseline.
    last: RefCell<BTreeMap<usize, u64>>,
}

impl Boards {
    pub fn start() -> Self {
        let domains: Vec<String> = (0..BOARDS).map(domain).collect();
        let mut hosts: Vec<&str> = domains.iter().map(String::as_str).collect();
        hosts.extend(["boards-api.greenhouse.io", "boards.greenhouse.io"]);
        let sites = Sites::start(&hosts);
        for (number, domain) in domains.iter().enumerate() {
            sites.put_greenhouse_company(domain, &token(number), &[Job::new(1, "Old Job")]);
        }
        Self { sites }
    }

    /// The settings that send every fetch here.
    pub fn settings(&self) -> String {
        self.sites.settings()
    }

    pub fn publisher<'a>(&'a self, caller: Caller<'a>, account: &'a Account, dice: Dice) -> Publisher<'a> {
        let (radars, last) = (RefCell::default(), RefCell::default());
        Publisher { caller, account, sites: &self.sites, dice: RefCell::new(dice), radars, last }
    }
}

impl Publisher<'_> {
    /// Publishes until the run is over.
    pub async fn publish(&self) {
        while !self.caller.progress.is_over.get() {
            self.create_next().await;
            self.find_ready().await;
            self.publish_some(ONE_BOARD_IN);
            tokio::time::sleep(ROUND).await;
        }
    }

    /// Waits for the remaining baselines, and publishes on every board once more. Answers the addresses of all postings
    /// that have to be found.
    pub async fn finish(&self) -> BTreeSet<String> {
        while self.last.borrow().len() < self.radars.borrow().len() {
            self.find_ready().await;
            tokio::time::sleep(ROUND).await;
        }
        for last in self.last.borrow_mut().values_mut() {
            *last += 1;
        }
        self.publish_some(1);
        let last = self.last.borrow();
        let urls = |(&number, &last): (&usize, &u64)| {
            (2..=last).map(move |id| format!("https://boards.greenhouse.io/{}/jobs/{id}", token(number)))
        };
        last.iter().flat_map(urls).collect()
    }

    async fn create_next(&self) {
        let number = self.radars.borrow().len();
        if number == BOARDS {
            return;
        }
        let domain = domain(number);
        let body = json!({"domain": domain, "radar_type": POSTINGS, "webhook_url": self.account.hook});
        let Reply { answer, doubts } = self.ask(&Request::post("/v1/radars/companies", &body)).await;
        let radar_id = match answer.status {
            409 if doubts > 0 => answer.text("/errors/0/reason").to_owned(),
            _ => answer.expect_status(201).text("/data/radar_id").to_owned(),
        };
        let radar_type = POSTINGS.to_owned();
        let radar = KnownRadar { domain, radar_type, has_hook: true, is_deleted: false, is_kept: true };
        self.account.known.borrow_mut().created(&radar_id, radar);
        self.radars.borrow_mut().insert(number, radar_id);
        self.caller.progress.count("create of a watching radar", true);
    }

    async fn find_ready(&self) {
        let radars = self.radars.borrow().clone();
        for (number, radar_id) in radars {
            if self.last.borrow().contains_key(&number) {
                continue;
            }
            let path = format!("/operator/v1/radars/{radar_id}");
            let mut dice = self.dice.replace(Dice::new(0));
            let reply = self.caller.operate(&mut dice, &Request::get(&path)).await;
            self.dice.replace(dice);
            let detail = reply.answer.expect_status(200).json.to_string();
            assert!(!detail.contains("\"set_up\":\"failed\""), "{detail}");
            if detail.contains("\"set_up\":\"ready\"") {
                self.last.borrow_mut().insert(number, 1);
            }
        }
    }

    fn publish_some(&self, one_in: u64) {
        let mut dice = self.dice.borrow_mut();
        for (&number, last) in self.last.borrow_mut().iter_mut() {
            if dice.below(one_in) == 0 {
                *last += dice.below(3);
                let jobs: Vec<Job> = (1..=*last).map(|id| Job::new(id, &format!("Job {id}"))).collect();
                self.sites.put_board(&token(number), &jobs);
            }
        }
    }

    async fn ask(&self, request: &Request<'_>) -> Reply {
        let mut dice = self.dice.replace(Dice::new(0));
        let reply = self.caller.ask(&mut dice, request).await;
        self.dice.replace(dice);
        reply
    }
}

fn domain(number: usize) -> String {
    format!("watched-{number}.com")
}

fn token(number: usize) -> String {
    format!("board{number}")
}

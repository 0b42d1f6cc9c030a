//! PostgreSQL stops or falls silent under load and comes back: 503 meanwhile, and afterwards everything as if nothing had happened
//! (Spec 7).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::support::client::{Answer, Client};
use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::private_postgres::PrivateServer;
use crate::support::process::Service;
use crate::support::receiver::Receiver;
use crate::support::sites::{Job, Sites};

/// Companies that are watched, and callers that create their radars.
const COMPANIES: usize = 48;
const CREATORS: usize = 6;
/// The pause between two requests of a caller.
const PAUSE: Duration = Duration::from_millis(20);
/// Far more than any answer may take, on a machine under whatever load.
const ANSWER_MAX: Duration = Duration::from_secs(60);
/// Requests of each kind that are refused before the database comes back.
const REFUSED_MIN: usize = 3;

#[actix_web::test]
async fn spec_7_database_unavailable_is_503_and_passes_by_itself() {
    let Some(server) = PrivateServer::start() else { return };
    let url = server.create_database().await;
    let domains: Vec<String> = (0..COMPANIES).map(|number| format!("company-{number}.com")).collect();
    let mut hosts: Vec<&str> = domains.iter().map(String::as_str).collect();
    hosts.extend(["boards-api.greenhouse.io", "boards.greenhouse.io"]);
    let sites = Sites::start(&hosts);
    for (number, domain) in domains.iter().enumerate() {
        sites.put_greenhouse_company(domain, &format!("board{number}"), &[Job::new(1, "Old Job")]);
    }
    let mut receiver = Receiver::start();
    let settings = [("SOURCES__POLL_INTERVAL", "500ms"), ("WEBHOOKS__RETRY_SCHEDULE", "100ms,1s,1s,1s,1s,1s,1s,1s,1s")];
    let service = Service::start_with(&url, &settings, &sites.settings());
    let customer = Customer::create(&service).await;
    customer.price(&service, "company_job_openings", "subscription", "0.5").await;
    customer.top_up(&service, "first", "1000").await;

    let hook = receiver.url("/hook");
    let (first, second) = domains.split_at(COMPANIES / 2);
    let load = Load::new(&service, &customer, first, &hook);
    let (mut created, server) =
        load.with_outage(&service, server, PrivateServer::stop_at_once, PrivateServer::start_again).await;
    let load = Load::new(&service, &customer, second, &hook);
    let (created_later, server) = load.with_outage(&service, server, PrivateServer::freeze, PrivateServer::thaw).await;
    created.extend(created_later);
    everything_acknowledged_is_there(&service, &customer, &created).await;
    the_ledger_is_sound(&url);
    radars_work_again(&service, &customer, &sites, &mut receiver, &created).await;
    the_ledger_is_sound(&url);
    drop((service, server));
}

/// Does what blocks.
async fn blocking(mut server: PrivateServer, order: fn(&mut PrivateServer)) -> PrivateServer {
    let work = move || {
        order(&mut server);
        server
    };
    tokio::task::spawn_blocking(work).await.expect("done")
}

/// Callers of the public API who repeat what is answered with 503.
struct Load<'a> {
    api: Client,
    domains: &'a [String],
    hook: &'a str,
    /// Radars by domain.
    created: RefCell<BTreeMap<String, String>>,
    /// Whether the database is certainly away.
    is_down: Cell<bool>,
    is_over: Cell<bool>,
    /// The longest that anybody waited for an answer.
    longest: Cell<Duration>,
    /// How many requests of each kind were refused while it was away.
    refused: RefCell<BTreeMap<&'static str, usize>>,
}

impl<'a> Load<'a> {
    fn new(service: &Service, customer: &Customer, domains: &'a [String], hook: &'a str) -> Self {
        Self {
            api: customer.api(service),
            domains,
            hook,
            created: RefCell::default(),
            is_down: Cell::new(false),
            is_over: Cell::new(false),
            longest: Cell::default(),
            refused: RefCell::new(
                ["POST /v1/radars/companies", "/v1/account", "/v1/radars", "/v1/updates"].map(|kind| (kind, 0)).into(),
            ),
        }
    }

    /// Lets everybody call while the database goes away and comes back; answers with the radars by domain.
    async fn with_outage(
        self,
        service: &Service,
        server: PrivateServer,
        go_away: fn(&mut PrivateServer),
        come_back: fn(&mut PrivateServer),
    ) -> (BTreeMap<String, String>, PrivateServer) {
        let callers = async {
            join_all((0..CREATORS).map(|number| self.create_all(number))).await;
            self.is_over.set(true);
        };
        let readers = async { drop(join_all(self.reads().into_iter().map(|path| self.read_on(path))).await) };
        let outage = async {
            self.wait_for("some radars", || self.created.borrow().len() >= CREATORS).await;
            let server = blocking(server, go_away).await;
            self.is_down.set(true);
            self.wait_for("rejections", || self.refused.borrow().values().all(|count| *count >= REFUSED_MIN)).await;
            operators_hear_it_too(service).await;
            self.is_down.set(false);
            blocking(server, come_back).await
        };
        let (_, server) = join(join(callers, readers), outage).await;
        println!("nobody waited longer than {:?} for an answer", self.longest.get());
        let created = self.created.take();
        assert_eq!(created.len(), self.domains.len());
        (created, server)
    }

    fn reads(&self) -> [&'static str; 3] {
        ["/v1/account", "/v1/radars", "/v1/updates"]
    }

    /// Creates a share of the radars, each asked for until it is there.
    async fn create_all(&self, number: usize) {
        for domain in self.domains.iter().skip(number).step_by(CREATORS) {
            let body = json!({"domain": domain, "radar_type": "company_job_openings", "webhook_url": self.hook});
            let mut was_refused = false;
            loop {
                let asking = self.api.post("/v1/radars/companies", &body);
                let answer = self.checked("POST /v1/radars/companies", asking).await;
                let radar_id = match answer.status {
                    201 => Some(answer.text("/data/radar_id").to_owned()),
                    // The commit went through and its answer got lost: the rejection tells which radar it is.
                    409 if was_refused => Some(answer.text("/errors/0/reason").to_owned()),
                    _ => None,
                };
                if let Some(radar_id) = radar_id {
                    self.created.borrow_mut().insert(domain.clone(), radar_id);
                    break;
                }
                assert_eq!(answer.status, 503, "{}", answer.json);
                was_refused = true;
                tokio::time::sleep(PAUSE).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn read_on(&self, path: &'static str) {
        while !self.is_over.get() {
            let answer = self.checked(path, self.api.get(path)).await;
            assert!([200, 503].contains(&answer.status), "{path}: {} {}", answer.status, answer.json);
            tokio::time::sleep(PAUSE).await;
        }
        self.api.get(path).await.expect_status(200);
    }

    /// The answer, which came soon enough, and which is a proper rejection when the database was away all the time.
    async fn checked(&self, kind: &'static str, asking: impl Future<Output = Answer>) -> Answer {
        let (was_down, asked_at) = (self.is_down.get(), Instant::now());
        let answer = tokio::time::timeout(ANSWER_MAX, asking).await.unwrap_or_else(|_| panic!("{kind} hangs"));
        let is_down = was_down && self.is_down.get();
        assert!(answer.status == 503 || !is_down, "{kind} was answered with {} without a database", answer.status);
        self.longest.set(self.longest.get().max(asked_at.elapsed()));
        if answer.status == 503 {
            assert_unavailable(&answer);
            if is_down {
                *self.refused.borrow_mut().entry(kind).or_default() += 1;
            }
        }
        answer
    }

    async fn wait_for(&self, what: &str, is_so: impl Fn() -> bool) {
        eventually(what, || async { is_so().then_some(()) }).await;
    }
}

/// Spec 7: the body of a 503, and when to come back.
fn assert_unavailable(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.json);
    let body = answer.json.as_object().expect("an object");
    let names: BTreeSet<&str> = body.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["status", "code", "message", "errors", "error_id", "timestamp"]));
    assert_eq!((&body["status"], &body["code"], &body["errors"]), (&json!("error"), &json!(503), &json!([])));
    assert_eq!(body["message"], "Database unavailable");
    assert!(answer.headers.contains_key("retry-after"), "{:?}", answer.headers);
}

async fn operators_hear_it_too(service: &Service) {
    let operator = service.operator();
    assert_unavailable(&operator.get("/operator/v1/accounts").await);
    assert_unavailable(&operator.get("/health/ready").await);
    operator.get("/health/live").await.expect_status(200);
}

async fn everything_acknowledged_is_there(service: &Service, customer: &Customer, created: &BTreeMap<String, String>) {
    let listed = customer.api(service).get("/v1/radars?limit=1000").await.expect_status(200);
    let records = listed.json["data"].as_array().expect("records");
    let found: BTreeMap<String, String> = records
        .iter()
        .map(|record| {
            (
                record["domain"].as_str().expect("a domain").to_owned(),
                record["radar_id"].as_str().expect("an id").to_owned(),
            )
        })
        .collect();
    assert_eq!((&found, records.len()), (created, created.len()), "each radar is there once");
    let charges = customer.ledger(service).await.iter().filter(|entry| entry["kind"] == "subscription").count();
    assert_eq!(charges, created.len(), "each radar was charged once");
    let account = customer.account(service).await;
    let balance = 1000.0 - 0.5 * f64::from(u32::try_from(created.len()).expect("few"));
    assert_eq!(account["balance_remaining_usd"].as_f64(), Some(balance));
}

/// What was begun or due during the outage is done now: set-ups, polls, pushes.
async fn radars_work_again(
    service: &Service,
    customer: &Customer,
    sites: &Sites,
    receiver: &mut Receiver,
    created: &BTreeMap<String, String>,
) {
    for radar_id in created.values() {
        let detail = customer.settled(service, radar_id).await;
        assert!(detail.to_string().contains("\"set_up\":\"ready\""), "{detail}");
    }
    for number in 0..created.len() {
        sites.put_board(&format!("board{number}"), &[Job::new(1, "Old Job"), Job::new(2, "New Job")]);
    }
    let updates = eventually("every new job is found", || async {
        Some(customer.updates(service).await).filter(|updates| updates.len() >= created.len())
    })
    .await;
    let id = |update: Value| update["update_id"].as_str().expect("an id").to_owned();
    let ids: BTreeSet<String> = updates.iter().map(|update| id(parse(update))).collect();
    assert_eq!((ids.len(), updates.len()), (created.len(), created.len()), "each job is found once");
    let mut pushed = BTreeSet::new();
    while pushed != ids {
        let received = tokio::time::timeout(Duration::from_secs(90), receiver.next()).await;
        let received = received.unwrap_or_else(|_| panic!("{} of {} were pushed", pushed.len(), ids.len()));
        pushed.insert(id(parse(text(&received.body))));
    }
}

fn the_ledger_is_sound(database_url: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_radar"))
        .args(["ledger", "verify", "--json"])
        .env_clear()
        .env("RADAR_DATABASE__URL", database_url)
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["sound"], json!(true), "{report}");
}

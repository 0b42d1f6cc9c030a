//! Whatever route writes: what it answered with 2xx is found by the next process, though this one is killed right after the
//! answer, also on a disk that is full or fails (decision 4.13).
//!
//! The routes are those of the tables of both APIs. A route that may write and is not known here fails the test.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::client::{Answer, Client};
use crate::support::customer::{Customer, eventually, parse};
use crate::support::failing_disk::{FailingDisk, Failure};
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::{self, PushSource};
use crate::support::receiver::{self, Receiver};
use crate::support::sites::{Job, Sites};
use crate::support::test_database::TestDatabase;

const REVIEWS: &str = "company_reviews";
const JOBS: &str = "company_job_openings";
const SETTINGS: &str = "[webhooks]\nretry_schedule = [\"1h\"]\n";

/// Radars that are tried before a disk has to be full.
const FILLING_MAX: usize = 5_000;

/// What was asked, and how the next process shows that it was done.
struct Asked {
    answer: Answer,
    proof: Proof,
}

enum Proof {
    /// A path of the operator API, or of the customer's, and what must hold of its answer.
    Shown(Reader, String, Box<dyn Fn(&Answer) -> bool>),
    /// The path of a link to the portal.
    Opens(String),
    /// Nothing is kept of it.
    NothingKept,
}

enum Reader {
    Operator,
    Customer,
    /// With this key.
    Key(String),
}

/// A service, and something of every kind that a route changes.
struct Stage {
    service: Service,
    _provider: PushSource,
    _receiver: Receiver,
    _sites: Sites,
    customer: Customer,
    radars: Vec<String>,
    /// It holds findings beyond the bound of its day.
    flooded: String,
    delivered: Vec<String>,
    disabled: Vec<String>,
    pending: Vec<String>,
    key_id: String,
    own_key_id: String,
}

impl Stage {
    async fn start(database_url: &str, variables: &[(String, String)]) -> Self {
        let provider = PushSource::of(&[REVIEWS, "contact_job_changes", "industry_mentions"]);
        let dir = provider.dir();
        let settings = [
            ("SOURCES__DIR", dir.as_str()),
            ("LOG__FILTER", "warn"),
            ("SOURCES__POLL_INTERVAL", "1s"),
            ("HTTP__PORTAL", "https://radar.example.com"),
            ("SMTP__URL", "smtp://127.0.0.1:1"),
            ("SMTP__FROM", "radar@example.com"),
            ("SMTP__PUBLIC_URL", "https://radar.example.com"),
        ];
        let sites = Sites::start(&["flood.com", "boards-api.greenhouse.io", "boards.greenhouse.io"]);
        sites.put_greenhouse_company("flood.com", "flood", &[Job::new(1, "Engineer")]);
        let file = format!("{SETTINGS}{}", sites.settings());
        let service = Service::start_under(database_url, &settings, &file, variables);
        let (customer, receiver) = (Customer::create(&service).await, Receiver::start());
        for radar_type in [REVIEWS, "contact_job_changes", "industry_mentions"] {
            customer.price(&service, radar_type, "update_based", "0.01").await;
        }
        customer.top_up(&service, "first", "1000").await;
        let mut radars = Vec::new();
        for name in ["a", "b", "c", "d"] {
            let url = receiver.url(&format!("/{name}"));
            let domain = format!("{name}.com");
            let created = customer.create_reviews_radar(&service, &domain, Some(&url)).await.expect_status(201);
            radars.push(created.text("/data/radar_id").to_owned());
            customer.settled(&service, &radars[radars.len() - 1]).await;
        }
        let flooded = flood(&service, &customer, &sites).await;
        let mut stage = Self {
            service,
            _provider: provider,
            _receiver: receiver,
            _sites: sites,
            flooded,
            customer,
            radars,
            delivered: Vec::new(),
            disabled: Vec::new(),
            pending: Vec::new(),
            key_id: String::new(),
            own_key_id: String::new(),
        };
        stage.furnish().await;
        stage
    }

    /// Two endpoints that are disabled, two updates that were delivered, two findings that wait for approval, and a key.
    async fn furnish(&mut self) {
        let gone = (0..2).map(|_| receiver::Answer::status(410));
        self._receiver.answer_next(gone);
        for radar_id in &self.radars[..2] {
            provider::push(&self.service, radar_id, "1", &json!({})).await;
        }
        self.disabled = self.listed("/operator/v1/endpoints?state=disabled", "endpoint_id").await;
        for native_id in ["2", "3"] {
            provider::push(&self.service, &self.radars[2], native_id, &json!({})).await;
        }
        self.delivered = self.listed("/operator/v1/deliveries?state=delivered", "update_id").await;
        self.operator().patch(&self.account(""), &json!({"approval": "manual"})).await.expect_status(200);
        for native_id in ["4", "5"] {
            provider::push(&self.service, &self.radars[2], native_id, &json!({})).await;
        }
        self.pending = self.listed("/operator/v1/findings", "finding_id").await;
        self.operator().patch(&self.account(""), &json!({"approval": "auto"})).await.expect_status(200);
        let key = self.operator().post(&self.account("/api-keys"), &json!({})).await.expect_status(201);
        self.key_id = key.text("/data/key_id").to_owned();
        let key = self.customer.api(&self.service).post("/v1/api-keys", &json!({})).await.expect_status(201);
        self.own_key_id = key.text("/data/key_id").to_owned();
    }

    /// Two of a list, once they are there.
    async fn listed(&self, path: &str, field: &str) -> Vec<String> {
        eventually(path, || async {
            let found = self.operator().get(path).await.expect_status(200);
            let found = found.json["data"].as_array().expect("a list").clone();
            (found.len() == 2).then(|| found.iter().map(|one| one[field].as_str().expect("an id").to_owned()).collect())
        })
        .await
    }

    fn operator(&self) -> Client {
        self.service.operator()
    }

    fn account(&self, rest: &str) -> String {
        format!("/operator/v1/accounts/{}{rest}", self.customer.account_id)
    }

    /// Asks a route for something that it does; `None` for a route that is not known.
    async fn ask(&self, method: &Method, path: &str) -> Option<Asked> {
        let (operator, api) = (self.operator(), self.customer.api(&self.service));
        let (account_id, radar_id) = (self.customer.account_id.clone(), self.radars[3].clone());
        let finding = |native_id: &str| PushSource::finding(&radar_id, native_id, &json!({}));
        let now = chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
        let range = json!({"since": "2000-01-01T00:00:00Z", "until": now, "include_delivered": true});
        let asked = match (method.as_str(), path) {
            ("POST", "/v1/radars/companies") => {
                let answer = self.customer.create_reviews_radar(&self.service, "one.com", None).await;
                created(answer)
            }
            ("POST", "/v1/radars/contacts") => {
                let body = json!({"radar_type": "contact_job_changes", "profile_url": "https://github.com/somebody", "domain": "a.com"});
                created(api.post(path, &body).await)
            }
            ("POST", "/v1/radars/industry") => {
                created(api.post(path, &json!({"radar_type": "industry_mentions", "keyword": "sand"})).await)
            }
            ("POST", "/v1/radars/bulk") => {
                let body = json!({"radars": [{"domain": "two.com", "radar_type": REVIEWS}]});
                let answer = api.post(path, &body).await;
                let radar_id = answer.json["results"][0]["data"]["radar_id"].as_str().unwrap_or_default();
                let path = format!("/v1/radars/{radar_id}");
                shown(of_item(answer), Reader::Customer, path, |read| read.status == 200)
            }
            ("POST", "/v1/radars/preview") => {
                let body = json!({"domain": "one.com", "radar_type": REVIEWS});
                Asked { answer: api.post(path, &body).await, proof: Proof::NothingKept }
            }
            ("DELETE", "/v1/radars/{id}") => {
                let path = format!("/v1/radars/{}", self.radars[0]);
                let answer = api.delete(&path).await;
                shown(answer, Reader::Customer, path, |read| read.json["data"]["radar_status"] == "inactive")
            }
            ("PUT", "/v1/account/email") => {
                let answer = api.put(path, &json!({"email": "ada@example.org"})).await;
                shown(answer, Reader::Customer, path, |read| text(read, "/data/email") == "ada@example.org")
            }
            ("DELETE", "/v1/account/email") => {
                shown(api.delete(path).await, Reader::Customer, path, |read| read.json["data"]["email"].is_null())
            }
            ("POST", "/v1/feeds") => {
                let answer = api.post(path, &json!({})).await;
                let path = text(&answer, "/data/json_path");
                shown(answer, Reader::Customer, path, |read| read.status == 200)
            }
            ("POST", "/v1/feeds/{feed_id}/rotate") | ("DELETE", "/v1/feeds/{feed_id}") => {
                let made = api.post("/v1/feeds", &json!({})).await;
                if made.status != 201 {
                    return Some(Asked { answer: made, proof: Proof::NothingKept });
                }
                let address = format!("/v1/feeds/{}", made.text("/data/feed_id"));
                let answer = match *method {
                    Method::DELETE => api.delete(&address).await,
                    _ => api.post(&format!("{address}/rotate"), &json!({})).await,
                };
                shown(answer, Reader::Customer, made.text("/data/json_path"), |read| read.status == 404)
            }
            ("POST", "/v1/webhooks/test") => {
                let body = json!({"radar_type": REVIEWS, "webhook_url": self._receiver.url("/test")});
                Asked { answer: api.post(path, &body).await, proof: Proof::NothingKept }
            }
            ("POST", "/v1/api-keys") => {
                let answer = api.post(path, &json!({})).await;
                let key = Reader::Key(text(&answer, "/data/api_key"));
                shown(answer, key, "/v1/account", |read| read.status == 200)
            }
            ("DELETE", "/v1/api-keys/{key_id}") => {
                let answer = api.delete(&format!("/v1/api-keys/{}", self.own_key_id)).await;
                shown(answer, Reader::Operator, self.account("/api-keys"), is_revoked(&self.own_key_id))
            }
            ("POST", "/v1/updates/{update_id}/feedback") => {
                let path = format!("/v1/updates/{}/feedback", self.delivered[0]);
                let answer = api.post(&path, &json!({"useful": false})).await;
                let path = format!("/operator/v1/sources/{}", push_source::ID);
                shown(answer, Reader::Operator, path, |read| read.json["data"]["feedback"][REVIEWS]["useless"] == 1)
            }
            ("POST", "/v1/webhooks/deliveries/{update_id}/resend") => {
                let path = format!("/v1/webhooks/deliveries/{}", self.delivered[0]);
                let answer = api.post(&format!("{path}/resend"), &json!({})).await;
                shown(answer, Reader::Customer, path, is_sent_again)
            }
            ("POST", "/operator/v1/deliveries/{update_id}/resend") => {
                let path = format!("/operator/v1/deliveries/{}", self.delivered[1]);
                let answer = operator.post(&format!("{path}/resend"), &json!({})).await;
                shown(answer, Reader::Operator, path, is_sent_again)
            }
            ("POST", "/v1/webhooks/recover") => {
                let answer = api.post(path, &range).await;
                let path = format!("{path}/{}", text(&answer, "/data/recovery_id"));
                shown(answer, Reader::Customer, path, |read| read.status == 200)
            }
            ("POST", "/operator/v1/deliveries/recover") => {
                let answer = operator.post(path, &range).await;
                let path = format!("{path}/{}", text(&answer, "/data/recovery_id"));
                shown(answer, Reader::Operator, path, |read| read.status == 200)
            }
            ("POST", "/operator/v1/radars/deactivate") => {
                let answer = operator.post(path, &json!({"domain": "nobody.example.com"})).await;
                let path = format!("/operator/v1/jobs/{}", text(&answer, "/data/job_id"));
                shown(answer, Reader::Operator, path, |read| read.status == 200)
            }
            ("POST", "/operator/v1/jobs/{id}/stop") => {
                let begun = operator.post("/operator/v1/deliveries/recover", &range).await;
                let path = format!("/operator/v1/jobs/{}", text(&begun, "/data/recovery_id"));
                if begun.status != 202 {
                    return Some(Asked { answer: begun, proof: Proof::NothingKept });
                }
                let answer = operator.post(&format!("{path}/stop"), &json!({})).await;
                shown(answer, Reader::Operator, path, |read| read.json["data"]["finished_at"].is_string())
            }
            ("POST", "/v1/webhooks/endpoints/{id}/enable") => {
                let endpoint_id = self.disabled[0].clone();
                let answer = api.post(&format!("/v1/webhooks/endpoints/{endpoint_id}/enable"), &json!({})).await;
                let path = "/operator/v1/endpoints?state=enabled";
                shown(answer, Reader::Operator, path, move |read| read.json.to_string().contains(&endpoint_id))
            }
            ("POST", "/operator/v1/endpoints/{id}/enable") => {
                let endpoint_id = self.disabled[1].clone();
                let answer = operator.post(&format!("/operator/v1/endpoints/{endpoint_id}/enable"), &json!({})).await;
                let path = "/operator/v1/endpoints?state=enabled";
                shown(answer, Reader::Operator, path, move |read| read.json.to_string().contains(&endpoint_id))
            }
            ("POST", "/operator/v1/nodes/{id}/drain") => {
                let nodes = operator.get("/operator/v1/nodes").await;
                let node_id = text(&nodes, "/data/0/node_id");
                let answer = operator.post(&format!("/operator/v1/nodes/{node_id}/drain"), &json!({})).await;
                // What is drained is a process, which is another after a restart.
                shown(answer, Reader::Operator, "/operator/v1/nodes", move |read| {
                    !node_id.is_empty() && text(read, "/data/0/node_id") != node_id
                })
            }
            ("POST", "/v1/webhooks/secret/rotate") => {
                let answer = api.post(path, &json!({})).await;
                let secret = text(&answer, "/data/webhook_secret");
                shown(answer, Reader::Customer, "/v1/webhooks/secret", move |read| {
                    text(read, "/data/webhook_secret") == secret
                })
            }
            ("POST", "/operator/v1/accounts/{id}/webhook-secret/rotate") => {
                // An account of its own: only so many rotations overlap.
                let other = operator.post("/operator/v1/accounts", &json!({"name": "Other"})).await;
                if other.status != 201 {
                    return Some(Asked { answer: other, proof: Proof::NothingKept });
                }
                let path = format!("/operator/v1/accounts/{}/webhook-secret/rotate", other.text("/data/account_id"));
                let answer = operator.post(&path, &json!({})).await;
                let secret = text(&answer, "/data/webhook_secret");
                let key = Reader::Key(other.text("/data/api_key").to_owned());
                shown(answer, key, "/v1/webhooks/secret", move |read| text(read, "/data/webhook_secret") == secret)
            }
            ("POST", "/operator/v1/accounts") => {
                let answer = operator.post(path, &json!({"name": "New"})).await;
                let key = Reader::Key(text(&answer, "/data/api_key"));
                shown(answer, key, "/v1/account", |read| read.status == 200)
            }
            ("PATCH", "/operator/v1/accounts/{id}") => {
                let path = self.account("");
                let answer = operator.patch(&path, &json!({"limits": {"per_second": 12_345}})).await;
                shown(answer, Reader::Operator, path, |read| read.json["data"].to_string().contains("12345"))
            }
            ("POST", "/operator/v1/accounts/{id}/api-keys") => {
                let answer = operator.post(&self.account("/api-keys"), &json!({})).await;
                let key = Reader::Key(text(&answer, "/data/api_key"));
                shown(answer, key, "/v1/account", |read| read.status == 200)
            }
            ("POST", "/operator/v1/accounts/{id}/portal-links") => {
                let answer = operator.post(&self.account("/portal-links"), &json!({})).await;
                let link = text(&answer, "/data/url").replace("https://radar.example.com", "");
                Asked { answer, proof: Proof::Opens(link) }
            }
            ("DELETE", "/operator/v1/accounts/{id}/api-keys/{key_id}") => {
                let answer = operator.delete(&self.account(&format!("/api-keys/{}", self.key_id))).await;
                shown(answer, Reader::Operator, self.account("/api-keys"), is_revoked(&self.key_id))
            }
            ("POST", "/operator/v1/accounts/{id}/top-ups") => {
                let body = json!({"amount_usd": "7", "payment_ref": "a-payment"});
                let answer = operator.post(&self.account("/top-ups"), &body).await;
                let path = format!("/operator/v1/accounts/{account_id}/ledger.csv");
                shown(answer, Reader::Operator, path, |read| String::from_utf8_lossy(&read.bytes).contains("a-payment"))
            }
            ("PUT", "/operator/v1/accounts/{id}/prices/{radar_type}") => {
                let path = self.account("/prices/company_mentions");
                let answer = operator.put(&path, &json!({"model": "update_based", "rate_usd": "0.123"})).await;
                shown(answer, Reader::Operator, self.account("/prices"), |read| read.json.to_string().contains("0.123"))
            }
            ("PUT", "/operator/v1/accounts/{id}/spend-cap") => {
                let answer = operator.put(&self.account("/spend-cap"), &json!({"amount_usd": "77"})).await;
                shown(answer, Reader::Operator, self.account("/spend-cap"), |read| {
                    read.json["data"]["amount_usd"] == 77
                })
            }
            ("DELETE", "/operator/v1/accounts/{id}/spend-cap") => {
                let answer = operator.delete(&self.account("/spend-cap")).await;
                shown(answer, Reader::Operator, self.account("/spend-cap"), |read| {
                    read.json["data"]["amount_usd"].is_null()
                })
            }
            ("PUT", "/operator/v1/accounts/{id}/balance-alerts") => {
                let body = json!({"webhook_url": self._receiver.url("/alerts"), "thresholds_usd": ["5"]});
                let answer = operator.put(&self.account("/balance-alerts"), &body).await;
                shown(answer, Reader::Operator, self.account("/balance-alerts"), |read| {
                    read.json["data"]["thresholds_usd"] == json!([5])
                })
            }
            ("DELETE", "/operator/v1/accounts/{id}/balance-alerts") => {
                let answer = operator.delete(&self.account("/balance-alerts")).await;
                shown(answer, Reader::Operator, self.account("/balance-alerts"), |read| {
                    read.json["data"]["thresholds_usd"] == json!([])
                })
            }
            ("POST", "/operator/v1/findings") => published(operator.post(path, &finding("one")).await, "/data/0"),
            ("POST", "/operator/v1/findings/batch") => {
                let answer = operator.post(path, &json!({"findings": [finding("of a batch")]})).await;
                published(of_item(answer), "/results/0/data/0")
            }
            ("POST", "/operator/v1/findings/{id}/approve" | "/operator/v1/findings/{id}/reject") => {
                let finding_id = self.pending[usize::from(path.ends_with("reject"))].clone();
                let answer = operator.post(&path.replace("{id}", &finding_id), &json!({})).await;
                shown(answer, Reader::Operator, "/operator/v1/findings", move |read| {
                    !read.json.to_string().contains(&finding_id)
                })
            }
            ("POST", "/operator/v1/radars/{id}/release") => {
                let answer = operator.post(&path.replace("{id}", &self.flooded), &json!({})).await;
                let path = format!("/v1/radars/{}/health", self.flooded);
                shown(answer, Reader::Customer, path, |read| read.json["data"]["daily_bound"]["held_findings"] == 0)
            }
            // Only a simulated clock moves.
            ("POST", "/operator/v1/clock/advance") => {
                Asked { answer: operator.post(path, &json!({"seconds": 1})).await, proof: Proof::NothingKept }
            }
            _ => return None,
        };
        Some(asked)
    }

    /// Creates radars until a full disk takes no more of them.
    async fn fill(&self, route: &str) {
        for number in 0.. {
            let domain = format!("filling-{number}-{}.com", route.len());
            match self.customer.create_reviews_radar(&self.service, &domain, None).await.status {
                201 | 400 => assert!(number < FILLING_MAX, "the disk takes everything"),
                _ => return,
            }
        }
    }

    /// What an operator did is noted with its end, but for what providers hand in.
    async fn insist_on_action(&self, path: &str, status: u16) {
        let is_push = ["/operator/v1/findings", "/operator/v1/findings/batch"].contains(&path);
        if path.starts_with("/operator/") && !is_push {
            let last = self.operator().get("/operator/v1/audit?limit=1").await.expect_status(200);
            assert_eq!(last.json["data"][0]["status"], status, "{path}: {}", last.json);
        }
    }

    /// Insists that this process shows what another one has answered.
    async fn insist(&self, route: &str, proof: Proof) {
        let (reader, path, holds) = match proof {
            Proof::Shown(reader, path, holds) => (reader, path, holds),
            Proof::Opens(link) => {
                let browser = Browser::new(&self.service.public_url("")).with_header("host", "radar.example.com");
                return assert_eq!(browser.send(&link, &[], &[]).await.status, 303, "{route} was answered");
            }
            Proof::NothingKept => return,
        };
        let client = match reader {
            Reader::Operator => self.operator(),
            Reader::Customer => self.customer.api(&self.service),
            Reader::Key(key) => self.service.public().with_header("x-api-key", &key),
        };
        let read = client.get(&path).await;
        assert!(holds(&read), "{route} was answered, and {path} is now {} {}", read.status, read.json);
    }
}

/// A radar that holds what its board shows beyond the bound of its day.
async fn flood(service: &Service, customer: &Customer, sites: &Sites) -> String {
    let path = format!("/operator/v1/accounts/{}/prices/{JOBS}", customer.account_id);
    let price = json!({"model": "update_based", "rate_usd": "0.01", "findings_per_day": 1});
    service.operator().put(&path, &price).await.expect_status(200);
    let created = customer.create_radar(service, "flood.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    sites.put_board("flood", &[1, 2, 3].map(|id| Job::new(id, "Engineer")));
    eventually("a finding is held beyond the bound", || async {
        let health = customer.api(service).get(&format!("/v1/radars/{radar_id}/health")).await.expect_status(200);
        (health.json["data"]["daily_bound"]["held_findings"] == 1).then_some(())
    })
    .await;
    radar_id
}

fn shown(answer: Answer, reader: Reader, path: impl Into<String>, holds: impl Fn(&Answer) -> bool + 'static) -> Asked {
    Asked { answer, proof: Proof::Shown(reader, path.into(), Box::new(holds)) }
}

/// A radar is found under its id.
fn created(answer: Answer) -> Asked {
    let path = format!("/v1/radars/{}", text(&answer, "/data/radar_id"));
    shown(answer, Reader::Customer, path, |read| read.status == 200)
}

/// The answer with the status of its only item.
fn of_item(answer: Answer) -> Answer {
    let status = answer.json["results"][0]["code"].as_u64().and_then(|code| code.try_into().ok());
    Answer { status: status.unwrap_or(answer.status), ..answer }
}

/// An update is found under the id in the outcome at `pointer`.
fn published(answer: Answer, pointer: &str) -> Asked {
    let update_id = text(&answer, &format!("{pointer}/update_id"));
    shown(answer, Reader::Customer, "/v1/updates?limit=100", move |read| {
        !update_id.is_empty() && String::from_utf8_lossy(&read.bytes).contains(&update_id)
    })
}

/// Of a list of keys, that this one is revoked.
fn is_revoked(key_id: &str) -> impl Fn(&Answer) -> bool + 'static {
    let key_id = key_id.to_owned();
    move |read| {
        let keys = read.json["data"].as_array().cloned().unwrap_or_default();
        keys.iter().all(|key| key["key_id"] != key_id.as_str() || key["revoked_at"].is_string())
    }
}

fn is_sent_again(delivery: &Answer) -> bool {
    let attempts = delivery.json["data"]["attempt_log"].as_array().map_or(0, Vec::len);
    delivery.json["data"]["state"] == "pending" || attempts > 1
}

/// A text of an answer; empty where there is none, as in a refusal.
fn text(answer: &Answer, pointer: &str) -> String {
    answer.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Every route that may write, in the order of the tables.
fn writing_routes() -> Vec<(Method, &'static str)> {
    let routes = radar::api::routes().into_iter().chain(radar::operator::routes());
    let writing: Vec<_> = routes.filter(|(method, _)| method != Method::GET).collect();
    assert!(writing.len() > 25, "the routes were not found");
    writing
}

/// Asks every route, while the disk fails if it does; kills the process right after each 2xx, and looks.
async fn every_answer_lasts(mut stage: Stage, disk: Option<(&FailingDisk, Failure)>) -> usize {
    let mut lasted = 0;
    for (method, path) in writing_routes() {
        let route = format!("{method} {path}");
        if let Some((disk, failure)) = disk {
            disk.fail(failure);
            if failure == Failure::Full {
                stage.fill(&route).await;
            }
        }
        let asked = stage.ask(&method, path).await;
        let Asked { answer, proof } =
            asked.unwrap_or_else(|| panic!("{route}: how is it asked, and what shows that it was done?"));
        let is_done = (200..300).contains(&answer.status);
        if is_done {
            stage.service.kill();
        }
        if let Some((disk, _)) = disk {
            disk.heal();
        }
        if is_done {
            stage.service.restart();
            stage.insist(&route, proof).await;
            stage.insist_on_action(path, answer.status).await;
            lasted += 1;
        } else if disk.is_some() {
            assert_eq!(answer.status, 503, "{route}: {}", answer.json);
            eventually("it is ready again", || async {
                (stage.operator().get("/health/ready").await.status == 200).then_some(())
            })
            .await;
        } else {
            assert!(path.ends_with("/advance"), "{route}: {} {}", answer.status, answer.json);
        }
    }
    stage.service.assert_ledger_adds_up();
    stage.service.kill();
    lasted
}

#[actix_web::test]
async fn decision_4_13_what_any_route_answered_lasts_though_the_process_is_killed() {
    let database = TestDatabase::sqlite();
    every_answer_lasts(Stage::start(database.url(), &[]).await, None).await;
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    every_answer_lasts(Stage::start(&url, &[]).await, None).await;
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn decision_4_13_what_any_route_answered_on_a_disk_that_fails_lasts() {
    for failure in [Failure::Full, Failure::Sync] {
        let Some(disk) = FailingDisk::new() else { return };
        let url = format!("sqlite://{}", disk.path().join("radar.db").display());
        let stage = Stage::start(&url, &disk.environment(&disk.path())).await;
        let lasted = every_answer_lasts(stage, Some((&disk, failure))).await;
        println!("{failure:?}: {lasted} routes were answered");
    }
}

/// The clock is what a restart goes on from.
#[actix_web::test]
async fn decision_4_13_a_clock_that_was_moved_stays_where_it_is() {
    let database = TestDatabase::sqlite();
    let mut service =
        Service::start(database.url(), &[("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")]);
    let moved =
        service.operator().post("/operator/v1/clock/advance", &json!({"seconds": 3600})).await.expect_status(200);
    service.kill();
    service.restart();
    let shown = service.operator().get("/operator/v1/clock").await.expect_status(200);
    assert_eq!(shown.json["data"]["now"], moved.json["data"]["now"], "{}", parse(&moved.json.to_string()));
}

//! A customer of a running service: an account with money and generous limits.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::client::{Answer, Client};
use super::process::Service;

/// How long something that has to happen may take.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A customer.
pub struct Customer {
    pub account_id: String,
    pub webhook_secret: String,
    pub api_key: String,
}

impl Customer {
    /// Makes an account that is never rate limited.
    pub async fn create(service: &Service) -> Self {
        let limits = json!({"write_per_minute": 1_000_000, "read_per_minute": 1_000_000, "per_second": 1_000_000});
        Self::create_with(service, &limits).await
    }

    /// Makes an account with limits; those that are not named are the service's.
    pub async fn create_with(service: &Service, limits: &Value) -> Self {
        let body = json!({"name": "Customer", "limits": limits});
        let made = service.operator().post("/operator/v1/accounts", &body).await.expect_status(201);
        Self {
            account_id: made.text("/data/account_id").to_owned(),
            webhook_secret: made.text("/data/webhook_secret").to_owned(),
            api_key: made.text("/data/api_key").to_owned(),
        }
    }

    /// The public API with the customer's key.
    pub fn api(&self, service: &Service) -> Client {
        service.public().with_header("x-api-key", &self.api_key)
    }

    /// Pays in.
    pub async fn top_up(&self, service: &Service, payment_ref: &str, amount_usd: &str) -> Answer {
        let body = json!({"amount_usd": amount_usd, "payment_ref": payment_ref});
        service.operator().post(&self.path("top-ups"), &body).await.expect_status(201)
    }

    /// Sets a price of the customer's own.
    pub async fn price(&self, service: &Service, radar_type: &str, model: &str, rate_usd: &str) {
        let body = json!({"model": model, "rate_usd": rate_usd});
        service.operator().put(&self.path(&format!("prices/{radar_type}")), &body).await.expect_status(200);
    }

    /// Asks for a `company_job_openings` radar.
    pub async fn create_radar(&self, service: &Service, domain: &str, webhook_url: Option<&str>) -> Answer {
        let mut body = json!({"domain": domain, "radar_type": "company_job_openings"});
        if let Some(webhook_url) = webhook_url {
            body["webhook_url"] = json!(webhook_url);
        }
        self.api(service).post("/v1/radars/companies", &body).await
    }

    /// Asks for a `company_reviews` radar, which no built-in source serves.
    pub async fn create_reviews_radar(&self, service: &Service, domain: &str, webhook_url: Option<&str>) -> Answer {
        let mut body = json!({"domain": domain, "radar_type": "company_reviews"});
        if let Some(webhook_url) = webhook_url {
            body["webhook_url"] = json!(webhook_url);
        }
        self.api(service).post("/v1/radars/companies", &body).await
    }

    /// Waits until a radar's set-up is settled and answers its state as operators see it.
    pub async fn settled(&self, service: &Service, radar_id: &str) -> Value {
        eventually("the set-up is settled", || async {
            let path = format!("/operator/v1/radars/{radar_id}");
            let detail = service.operator().get(&path).await.expect_status(200);
            let is_settled = !detail.json.to_string().contains("\"set_up\":\"pending\"");
            is_settled.then_some(detail.json)
        })
        .await
    }

    /// The same under a simulated clock, which moves meanwhile: requests to one host are made seconds apart.
    pub async fn settled_in_time(&self, service: &Service, radar_id: &str) -> Value {
        eventually("the set-up is settled", || async {
            service.operator().post("/operator/v1/clock/advance", &json!({"seconds": 5})).await.expect_status(200);
            let detail = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
            let is_settled = !detail.json.to_string().contains("\"set_up\":\"pending\"");
            is_settled.then_some(detail.json)
        })
        .await
    }

    /// Every update there is, byte for byte, failures as well.
    pub async fn updates(&self, service: &Service) -> Vec<String> {
        #[derive(Deserialize)]
        struct Page {
            updates: Vec<Box<RawValue>>,
            has_more: bool,
            next_cursor: Option<String>,
        }
        let base = "/v1/updates?limit=100&update_type=radar_finding,radar_failure";
        let mut path = base.to_owned();
        let mut all = Vec::new();
        loop {
            let answer = self.api(service).get(&path).await.expect_status(200);
            let page: Page = serde_json::from_slice(&answer.bytes).expect("a page");
            all.extend(page.updates.iter().map(|update| update.get().to_owned()));
            match page.next_cursor.filter(|_| page.has_more) {
                Some(cursor) => path = format!("{base}&cursor={cursor}"),
                None => return all,
            }
        }
    }

    /// The ledger, whole.
    pub async fn ledger(&self, service: &Service) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            let after = all.last().map_or(0, |entry| entry["seq"].as_i64().expect("a number"));
            let path = format!("{}?after={after}&limit=100", self.path("ledger"));
            let page = service.operator().get(&path).await.expect_status(200);
            let entries = page.json["data"].as_array().expect("entries").clone();
            if entries.is_empty() {
                return all;
            }
            all.extend(entries);
        }
    }

    /// The account's summary.
    pub async fn account(&self, service: &Service) -> Value {
        self.api(service).get("/v1/account").await.expect_status(200).json["data"].clone()
    }

    fn path(&self, rest: &str) -> String {
        format!("/operator/v1/accounts/{}/{rest}", self.account_id)
    }
}

/// An update, parsed.
pub fn parse(update: &str) -> Value {
    serde_json::from_str(update).expect("JSON")
}

/// What was pushed, as text.
pub fn text(body: &Bytes) -> &str {
    std::str::from_utf8(body).expect("UTF-8")
}

/// Looks until there is something, and gives up loudly.
pub async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, look: impl Fn() -> F) -> T {
    let waiting = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(WAIT_MAX, waiting).await.unwrap_or_else(|_| panic!("waited in vain until {what}"))
}

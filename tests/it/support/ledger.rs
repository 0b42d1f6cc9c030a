//! Accounts in which everything has happened that the ledger knows, and the way to their rows past the service.

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use serde_json::json;
use tempfile::TempDir;

use super::customer::{Customer, eventually};
use super::databases::TestDatabase;
use super::process::Service;
use super::receiver::Receiver;

const START: &str = "2026-01-20T00:00:00Z";
/// More than the audit and the files read at once.
const BUSY_LEDGER_TXS: usize = 1_100;

/// A service on a simulated clock that has seen 50 days, and its customers.
pub struct Accounts {
    pub service: Service,
    /// Has paid in twice, once with an expiry; a subscription, one that failed, a radar that pays by finding.
    pub rich: Customer,
    /// Has too little money: findings wait, their type is paused.
    pub poor: Customer,
    /// Has more ledger transactions than are read at once.
    pub busy: Customer,
    /// Has paid in once.
    pub clean: Customer,
    receiver: Receiver,
    _sources: TempDir,
}

impl Accounts {
    /// Lets it all happen.
    pub async fn keep(database: &TestDatabase) -> Self {
        let sources = tempfile::tempdir().expect("a folder");
        for radar_type in ["company_reviews", "company_mentions"] {
            let id = format!("{radar_type}_inc");
            let source =
                format!("format_version = 1\nid = \"{id}\"\nkind = \"push\"\nradar_types = [\"{radar_type}\"]\n");
            std::fs::write(sources.path().join(format!("{id}.toml")), source).expect("a source file");
        }
        let folder = sources.path().display().to_string();
        let settings = [
            ("CLOCK__MODE", "simulated"),
            ("CLOCK__START", START),
            ("SOURCES__DIR", folder.as_str()),
            ("LOG__FILTER", "warn"),
        ];
        let service = Service::start(database.url(), &settings);
        let mut customers = Vec::new();
        for _ in 0..4 {
            let customer = Customer::create(&service).await;
            customer.price(&service, "company_reviews", "update_based", "0.01").await;
            customer.price(&service, "company_mentions", "subscription", "0.5").await;
            customer.price(&service, "industry_mentions", "subscription", "0.5").await;
            customers.push(customer);
        }
        let [rich, poor, busy, clean] = customers.try_into().ok().expect("four");
        let receiver = Receiver::start();
        let accounts = Self { service, rich, poor, busy, clean, receiver, _sources: sources };
        accounts.live().await;
        accounts
    }

    async fn live(&self) {
        let service = &self.service;
        let expiring = json!({"amount_usd": "20", "payment_ref": "expires", "expires_at": "2026-03-01T00:00:00Z"});
        let path = format!("/operator/v1/accounts/{}/top-ups", self.rich.account_id);
        service.operator().post(&path, &expiring).await.expect_status(201);
        self.rich.top_up(service, "stays", "100.5").await;
        self.poor.top_up(service, "little", "0.015").await;
        self.clean.top_up(service, "once", "0.000001").await;
        let payments: Vec<String> = (0..BUSY_LEDGER_TXS).map(|payment| format!("p{payment}")).collect();
        for some in payments.chunks(100) {
            join_all(some.iter().map(|payment| self.busy.top_up(service, payment, "0.01"))).await;
        }

        let hook = self.receiver.url("/hook");
        for (customer, radar_type) in
            [(&self.rich, "company_reviews"), (&self.rich, "company_mentions"), (&self.poor, "company_reviews")]
        {
            let body = json!({"domain": "acme-robotics.com", "radar_type": radar_type, "webhook_url": hook});
            let made = customer.api(service).post("/v1/radars/companies", &body).await.expect_status(201);
            customer.settled(service, made.text("/data/radar_id")).await;
        }
        let doomed = json!({"radar_type": "industry_mentions", "keyword": "gravel"});
        let doomed = self.rich.api(service).post("/v1/radars/industry", &doomed).await.expect_status(201);
        self.rich.settled(service, doomed.text("/data/radar_id")).await;
        for number in 0..3 {
            self.push_review(number).await;
        }
        eventually("the failure is published, and what can be paid is published", || async {
            (self.rich.updates(service).await.len() == 4 && self.poor.updates(service).await.len() == 1).then_some(())
        })
        .await;
        advance(service, 50).await;
    }

    /// Hands in a review, which both who watch pay by finding.
    pub async fn push_review(&self, number: usize) {
        let content = json!({
            "review_content": format!("Review {number}"),
            "review_url": format!("https://reviews.example/{number}"),
            "review_source": "reviews.example",
        });
        let body = json!({
            "radar_type": "company_reviews",
            "target": {"domain": "acme-robotics.com"},
            "native_id": number.to_string(),
            "source": "company_reviews_inc",
            "content": content,
        });
        self.service.operator().post("/operator/v1/findings", &body).await.expect_status(202);
    }
}

/// Moves the clock of a service by days.
pub async fn advance(service: &Service, days: i64) {
    let body = json!({"seconds": days * 24 * 60 * 60});
    service.operator().post("/operator/v1/clock/advance", &body).await.expect_status(200);
}

/// A connection of somebody who has the database and no scruples: the triggers that guard the ledger are gone.
pub async fn movable(database: &TestDatabase) -> DatabaseConnection {
    let connection = connect(database).await;
    for table in ["ledger_tx", "ledger_entry"] {
        if is_sqlite(database) {
            for change in ["update", "delete"] {
                execute(&connection, &format!("drop trigger if exists {table}_no_{change}")).await;
            }
        } else {
            execute(&connection, &format!("alter table {table} disable trigger all")).await;
        }
    }
    connection
}

/// A connection past the service.
pub async fn connect(database: &TestDatabase) -> DatabaseConnection {
    Database::connect(database.url()).await.expect("connected")
}

/// Runs a statement that must work.
pub async fn execute(connection: &DatabaseConnection, statement: &str) -> u64 {
    connection
        .execute_unprepared(statement)
        .await
        .unwrap_or_else(|error| panic!("{statement}: {error}"))
        .rows_affected()
}

/// An identifier in the words of the database.
pub fn literal(database: &TestDatabase, id: &str) -> String {
    match is_sqlite(database) {
        true => format!("x'{}'", id.replace('-', "")),
        false => format!("'{id}'"),
    }
}

fn is_sqlite(database: &TestDatabase) -> bool {
    database.url().starts_with("sqlite")
}

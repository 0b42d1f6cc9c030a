//! After a run that used them all: no key, no secret and no identifier of a contact is in a log, in the metrics, in an
//! answer to somebody else or in a payload, and no key or secret is in the database (decision 5.2, Spec 2.4).

use actix_web::http::Method;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::json;

use crate::support::client::{Answer, Client};
use crate::support::customer::{Customer, text};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::process::{OPERATOR_KEY, SECRETS_KEY, Service};
use crate::support::provider::push_to_all;
use crate::support::push_source::PushSource;
use crate::support::receiver::Receiver;

const EMAIL: &str = "zebulon.privatus@quiet-mailbox.com";
const FULL_NAME: &str = "Zebulon Privatus";
const PROFILE: &str = "https://www.linkedin.com/in/zebulon-privatus-qxjvw";
/// What may be known to the account alone, in the forms in which it could be written.
const IDENTIFIERS: [&str; 4] = ["zebulon", "privatus", "quiet-mailbox", "qxjvw"];
/// A part of an address that lets whoever knows it write to the receiver.
const RECEIVER_TOKEN: &str = "T0KEN-of-the-receiver";
const WRONG_KEY: &str = "a-key-that-was-once-good-0123456789";

#[actix_web::test]
async fn nothing_private_is_told_to_others() {
    on_both_databases(async |database| {
        for filter in ["info", "debug", "trace"] {
            run(&database, filter).await;
        }
    })
    .await;
}

async fn run(database: &TestDatabase, filter: &str) {
    let types = ["contact_job_changes", "contact_social_posts", "contact_social_engagements", "company_reviews"];
    let provider = PushSource::of(&types);
    let dir = provider.dir();
    let service = Service::start(database.url(), &[("SOURCES__DIR", dir.as_str()), ("LOG__FILTER", filter)]);
    let mut receiver = Receiver::start();
    let (watching, other) = (Customer::create(&service).await, Customer::create(&service).await);
    for customer in [&watching, &other] {
        customer.top_up(&service, &customer.account_id, "100").await;
    }
    let mut told = Told::default();
    let mut secrets = vec![watching.api_key.clone(), watching.webhook_secret.clone()];

    use_everything(&service, &watching, &receiver, &mut secrets).await;
    refuse_everything(&service, &watching, &other, &mut told).await;
    for _ in 0..4 {
        let pushed = receiver.next().await;
        told.note("a payload", text(&pushed.body));
    }

    for path in ["/v1/account", "/v1/radars", "/v1/updates", "/v1/webhooks/deliveries", "/v1/webhooks/endpoints"] {
        told.note(path, text(&other.api(&service).get(path).await.bytes));
    }
    told.note("/v1/updates of the account", &watching.updates(&service).await.concat());
    for path in ["/metrics", "/health/ready", "/operator/v1/actors", "/operator/v1/sources", "/operator/v1/accounts"] {
        told.note(path, text(&service.operator().get(path).await.bytes));
    }
    told.note("the log", &service.log());

    let keys = [OPERATOR_KEY, SECRETS_KEY, WRONG_KEY, RECEIVER_TOKEN].map(str::to_owned);
    told.assert_without(secrets.iter().chain(&keys).map(String::as_str).chain(IDENTIFIERS));
    let stored = rows_of(database.url()).await;
    let kept: Vec<&String> = secrets.iter().chain(&keys[..3]).filter(|secret| stored.contains(*secret)).collect();
    assert!(kept.is_empty(), "in the database: {kept:?}");
}

/// A customer's whole life with a contact; adds the keys and secrets that are made on the way.
async fn use_everything(service: &Service, customer: &Customer, receiver: &Receiver, secrets: &mut Vec<String>) {
    let api = customer.api(service);
    let hook = receiver.url(&format!("/hook/{RECEIVER_TOKEN}?token={RECEIVER_TOKEN}"));
    let contact = json!({
        "radar_type": "contact_job_changes", "domain": "acme.com", "email": EMAIL, "full_name": FULL_NAME,
        "profile_url": PROFILE, "webhook_url": hook,
    });
    let created = api.post("/v1/radars/contacts", &contact).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    for radar_type in ["contact_social_posts", "contact_social_engagements"] {
        let body = json!({"radar_type": radar_type, "profile_url": PROFILE});
        let radar = api.post("/v1/radars/contacts", &body).await.expect_status(201);
        customer.settled(service, radar.text("/data/radar_id")).await;
    }
    api.post("/v1/radars/contacts", &contact).await.expect_status(409);
    api.post("/v1/radars/preview", &contact).await;
    api.get(&format!("/v1/radars/{radar_id}/health")).await.expect_status(200);
    api.get("/v1/updates/export").await;
    push_to_all(service, "contact_job_changes", &json!({"email": EMAIL}), "1").await;
    push_to_all(service, "contact_job_changes", &json!({"profile_url": PROFILE}), "2").await;
    let test = json!({"webhook_url": hook, "radar_type": "contact_job_changes"});
    api.post("/v1/webhooks/test", &test).await.expect_status(200);

    let path = format!("/operator/v1/accounts/{}/api-keys", customer.account_id);
    let second = service.operator().post(&path, &json!({})).await.expect_status(201);
    secrets.push(second.text("/data/api_key").to_owned());
    let rotated = api.post("/v1/webhooks/secret/rotate", &json!({})).await.expect_status(200);
    secrets.push(rotated.text("/data/webhook_secret").to_owned());
    push_to_all(service, "contact_job_changes", &json!({"email": EMAIL}), "3").await;
}

/// What goes wrong, with keys and identifiers in every place where somebody could put them.
async fn refuse_everything(service: &Service, watching: &Customer, other: &Customer, told: &mut Told) {
    let with_key = |key: &str| service.public().with_header("x-api-key", key);
    told.refusal("a wrong key", with_key(WRONG_KEY).get("/v1/account").await);
    let with_operator_key = Client::new(&format!("http://127.0.0.1:{}", service.operator_port()));
    let wrong_operator = with_operator_key.with_header("x-operator-key", WRONG_KEY);
    told.refusal("a wrong operator's key", wrong_operator.get("/operator/v1/accounts").await);
    told.refusal("a wrong key beside the path", with_key(WRONG_KEY).get(&format!("/v1/{EMAIL}")).await);

    let (api, key) = (other.api(service), &watching.api_key);
    // The paths of others are told to nobody, and these stand in the log as routes only.
    let path = format!("/v1/radars?api_key={key}&email={EMAIL}");
    drop(api.get(&path).await.expect_status(400));
    let path = format!("/v1/radars/{key}");
    drop(api.get(&path).await.expect_status(400));
    let body = json!({"radar_type": "contact_social_posts", "profile_url": format!("https://example.com/{key}")});
    drop(api.post("/v1/radars/contacts", &body).await.expect_status(400));
    let half = format!("{{\"email\": \"{EMAIL}\", \"full_name\": \"{FULL_NAME}\"");
    drop(api.send(Method::POST, "/v1/radars/contacts", Some(half)).await.expect_status(400));
    let unknown = json!({"radar_type": "contact_job_changes", "target": {"email": EMAIL}, "native_id": "x",
        "source": "nobody", "content": {}});
    told.refusal("an unknown provider", service.operator().post("/operator/v1/findings", &unknown).await);
}

/// What was said, and where.
#[derive(Default)]
struct Told {
    places: Vec<(String, String)>,
}

impl Told {
    fn note(&mut self, place: &str, said: &str) {
        self.places.push((place.to_owned(), said.to_owned()));
    }

    fn refusal(&mut self, place: &str, answer: Answer) {
        assert!(answer.status >= 400, "{place}: {}", answer.status);
        self.note(place, text(&answer.bytes));
    }

    #[track_caller]
    fn assert_without<'a>(&self, private: impl Iterator<Item = &'a str> + Clone) {
        let mut found = Vec::new();
        for (place, said) in &self.places {
            let said = said.to_lowercase();
            for word in private.clone() {
                if let Some(at) = said.find(&word.to_lowercase()) {
                    let around: String = said[..at].chars().rev().take(120).collect();
                    found.push(format!("{word:?} in {place}, after {:?}", around.chars().rev().collect::<String>()));
                }
            }
        }
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// Every row of every table, as text.
async fn rows_of(url: &str) -> String {
    let connection = Database::connect(url).await.expect("the database");
    let backend = connection.get_database_backend();
    let of_text = |sql: &str| {
        let statement = Statement::from_string(backend, sql.to_owned());
        let connection = &connection;
        async move {
            let rows = connection.query_all_raw(statement).await.expect("rows");
            rows.iter().map(|row| row.try_get::<String>("", "text").expect("a text")).collect::<Vec<_>>()
        }
    };
    let tables = match backend {
        DbBackend::Sqlite => "select name as text from sqlite_master where type = 'table'",
        _ => "select tablename::text as text from pg_tables where schemaname = 'public'",
    };
    let mut all = String::new();
    for table in of_text(tables).await {
        let rows = match backend {
            DbBackend::Postgres => of_text(&format!("select t::text as text from \"{table}\" t")).await,
            _ => {
                let columns = of_text(&format!("select name as text from pragma_table_info('{table}')")).await;
                let cells = columns.iter().map(|name| format!("coalesce(hex(\"{name}\"), '')"));
                let cells = cells.collect::<Vec<_>>().join(" || '00' || ");
                let hexes = of_text(&format!("select {cells} as text from \"{table}\"")).await;
                hexes.iter().map(|hex| String::from_utf8_lossy(&hex::decode(hex).expect("hex")).into_owned()).collect()
            }
        };
        all.push_str(&rows.join("\n"));
    }
    connection.close().await.expect("closed");
    assert!(all.contains(FULL_NAME), "the rows were not read");
    all
}

//! A service in which every radar type can be set up, and the rows of a table, each a test by its own name.

use bytes::Bytes;
use domain::radar_type::RadarType;
use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};

use super::client::Answer;
use super::customer::Customer;
use super::databases::on_both_databases;
use super::process::Service;
use super::push_source::PushSource;

/// Every target is dialled here, where nobody listens: a row that forgets itself reaches no stranger.
const NOWHERE: &str =
    "[outbound.rewrite]\n\"https://\" = \"http://127.0.0.1:1/\"\n\"http://\" = \"http://127.0.0.1:1/\"\n";
/// What a row does.
pub type Row = for<'a> fn(&'a Stage) -> LocalBoxFuture<'a, ()>;

/// The rows of a file, each a test of its own name below that of their section, and an `async fn` that takes the stage.
macro_rules! rows {
    ($section:ident: $settings:expr; $($row:ident,)*) => {
        mod $section {
            $(
                #[actix_web::test]
                async fn $row() {
                    $crate::support::stage::run($settings, |stage| Box::pin(super::$row(stage))).await;
                }
            )*
        }
    };
}
pub(crate) use rows;

/// A running service.
pub struct Stage {
    pub service: Service,
    provider: PushSource,
}

/// Runs a row on both databases, each with a service of its own.
pub async fn run(settings: &[(&str, &str)], row: Row) {
    on_both_databases(|database| async move {
        row(&Stage::start(database.url(), settings)).await;
    })
    .await;
}

impl Stage {
    fn start(database_url: &str, settings: &[(&str, &str)]) -> Self {
        let radar_types: Vec<&str> = RadarType::ALL.iter().map(|radar_type| radar_type.as_str()).collect();
        let provider = PushSource::of(&radar_types);
        let folder = provider.dir();
        let settings: Vec<_> = settings.iter().copied().chain([("SOURCES__DIR", folder.as_str())]).collect();
        Self { service: Service::start_with(database_url, &settings, NOWHERE), provider }
    }

    /// A new customer with money for everything.
    pub async fn customer(&self) -> Customer {
        let customer = Customer::create(&self.service).await;
        customer.top_up(&self.service, "first", "1000").await;
        customer
    }

    /// A new customer with money for everything and a write budget.
    pub async fn customer_with_budget(&self, write_per_minute: u32) -> Customer {
        let customer = self.customer().await;
        let limits = json!({"limits": {"write_per_minute": write_per_minute}});
        let path = format!("/operator/v1/accounts/{}", customer.account_id);
        self.service.operator().patch(&path, &limits).await.expect_status(200);
        customer
    }

    /// Sends a body to a path of the public API.
    pub async fn post(&self, customer: &Customer, path: &str, body: &Value) -> Answer {
        customer.api(&self.service).post(path, body).await
    }

    /// A radar of any kind, created.
    pub async fn radar(&self, customer: &Customer, path: &str, body: &Value) -> Value {
        self.post(customer, path, body).await.expect_status(201).json["data"].clone()
    }

    /// The record as it is now.
    pub async fn record(&self, customer: &Customer, radar_id: &Value) -> Value {
        let path = format!("/v1/radars/{}", radar_id.as_str().expect("an id"));
        customer.api(&self.service).get(&path).await.expect_status(200).json["data"].clone()
    }

    /// Hands a finding in for one radar, once its set-up is settled.
    pub async fn push(&self, customer: &Customer, radar_id: &Value, native_id: &str, content: Value) -> Answer {
        customer.settled(&self.service, radar_id.as_str().expect("an id")).await;
        let radar_id = radar_id.as_str().expect("an id");
        self.provider.push(&self.service, radar_id, native_id, &content).await
    }

    /// Moves a simulated clock.
    pub async fn advance(&self, seconds: i64) {
        let body = json!({"seconds": seconds});
        self.service.operator().post("/operator/v1/clock/advance", &body).await.expect_status(200);
    }
}

/// The fields that an error names, in order.
#[track_caller]
pub fn fields(answer: &Answer) -> Vec<&str> {
    let errors = answer.json["errors"].as_array().unwrap_or_else(|| panic!("no errors in {}", answer.json));
    errors.iter().map(|error| error["field"].as_str().expect("a field")).collect()
}

/// The keys of a record, in alphabetical order.
#[track_caller]
pub fn keys(record: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = record.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Whether a text is an instant as the service writes them: RFC 3339, UTC, `Z`, six fractional digits (decision 1.7).
pub fn is_instant(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        text.len() == 27
            && text.ends_with('Z')
            && text.as_bytes()[19] == b'.'
            && text.parse::<chrono::DateTime<chrono::Utc>>().is_ok()
    })
}

/// Whether a text is a UUID of this version.
pub fn is_uuid(value: &Value, version: usize) -> bool {
    let read = value.as_str().and_then(|text| uuid::Uuid::try_parse(text).ok());
    read.is_some_and(|read| read.get_version_num() == version && value.as_str() == Some(&read.to_string()))
}

/// Sends bytes as they are to the public API, with or without their length; answers the status and the body.
pub async fn send_bytes(
    stage: &Stage,
    customer: &Customer,
    path: &str,
    content_type: Option<&str>,
    body: Vec<u8>,
    is_chunked: bool,
) -> (u16, Value) {
    let client = awc::Client::builder().disable_timeout().finish();
    let mut request =
        client.post(stage.service.public_url(path)).insert_header(("x-api-key", customer.api_key.as_str()));
    if let Some(content_type) = content_type {
        request = request.insert_header(("content-type", content_type));
    }
    let sent = if is_chunked {
        let chunks: Vec<Result<Bytes, std::io::Error>> =
            body.chunks(16 * 1024).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
        request.send_stream(futures_util::stream::iter(chunks)).await
    } else {
        request.send_body(body).await
    };
    let mut response = sent.expect("an answer");
    let bytes = response.body().await.expect("a body");
    (response.status().as_u16(), serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

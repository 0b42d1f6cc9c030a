//! How much may be sent again: recoveries that are unfinished, the quota of a day, and bounds that many callers reach at
//! the same time (decision 5.8, invariant 8).

use actix_web::http::Method;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::delivery_log::SLOW_RETRIES;
use crate::support::client::Client;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Received, Receiver};

const RECOVER: &str = "/v1/webhooks/recover";
const RECOVER_AS_OPERATOR: &str = "/operator/v1/deliveries/recover";
/// Callers at the same time.
const CALLERS: usize = 32;

/// A customer with three updates that were delivered and may be sent again twice a day.
struct Stage {
    service: Service,
    _provider: PushSource,
    customer: Customer,
    api: Client,
    receiver: Receiver,
    delivered: Vec<String>,
}

impl Stage {
    async fn new(database_url: &str) -> Self {
        let mut receiver = Receiver::start();
        let settings = format!("{SLOW_RETRIES}redeliveries_per_day = 2\n");
        let (service, provider) = provider::start(database_url, &[], &settings);
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let url = receiver.url("/hook");
        let created = customer.create_reviews_radar(&service, "acme.com", Some(&url)).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        let mut delivered = Vec::new();
        for native_id in ["1", "2", "3"] {
            provider::push(&service, &radar_id, native_id, &json!({})).await;
            delivered.push(update_id(&receiver.next().await));
        }
        let api = customer.api(&service);
        let stage = Self { service, _provider: provider, customer, api, receiver, delivered };
        stage.all_are_delivered().await;
        stage
    }

    async fn all_are_delivered(&self) {
        let (api, expected) = (&self.api, self.delivered.len());
        eventually("everything is delivered", || async {
            let page = api.get("/v1/webhooks/deliveries?state=delivered").await.expect_status(200);
            (page.json["data"].as_array().map(Vec::len) == Some(expected)).then_some(())
        })
        .await;
    }

    /// The whole time until now, with what was delivered.
    fn everything(&self) -> Value {
        json!({"since": "2000-01-01T00:00:00Z", "until": Utc::now(), "include_delivered": true})
    }

    fn resend_paths(&self) -> [Vec<String>; 2] {
        ["/v1/webhooks", "/operator/v1"]
            .map(|api| self.delivered.iter().map(|id| format!("{api}/deliveries/{id}/resend")).collect())
    }
}

fn update_id(received: &Received) -> String {
    let body: Value = serde_json::from_slice(&received.body).expect("JSON");
    body["update_id"].as_str().expect("text").to_owned()
}

#[actix_web::test]
async fn decision_5_8_of_many_recoveries_begun_at_once_ten_are_unfinished() {
    on_both_databases(|database| async move {
        let stage = Stage::new(database.url()).await;
        let everything = stage.everything();
        for (caller, path) in [(&stage.api, RECOVER), (&stage.service.operator(), RECOVER_AS_OPERATOR)] {
            // Those of the customer wait for the next day from the third delivery on.
            let answers = join_all((0..CALLERS).map(|_| caller.post(path, &everything))).await;
            let begun = answers.iter().filter(|answer| answer.status == 202).count();
            let refused = answers.iter().filter(|answer| answer.status == 409).count();
            assert_eq!(begun + refused, CALLERS, "{path}");
            if path == RECOVER {
                assert_eq!(begun, 10);
            }
        }
        let mut of_account = everything.clone();
        of_account["account_id"] = json!(stage.customer.account_id);
        stage.service.operator().post(RECOVER_AS_OPERATOR, &of_account).await.expect_status(409);
    })
    .await;
}

#[actix_web::test]
async fn decision_5_8_beyond_the_quota_of_a_day_a_resend_is_refused_and_a_recovery_waits() {
    on_both_databases(|database| async move {
        let mut stage = Stage::new(database.url()).await;
        let [of_customer, of_operator] = stage.resend_paths();
        let operator = stage.service.operator();
        stage.api.post(&of_customer[0], &json!({})).await.expect_status(202);
        assert_eq!(update_id(&stage.receiver.next().await), stage.delivered[0]);
        stage.all_are_delivered().await;
        operator.post(&of_operator[0], &json!({})).await.expect_status(202);
        assert_eq!(update_id(&stage.receiver.next().await), stage.delivered[0]);
        stage.all_are_delivered().await;
        for (caller, path) in [(&stage.api, &of_customer[1]), (&operator, &of_operator[1])] {
            let refused = caller.post(path, &json!({})).await.expect_status(429);
            assert_eq!(refused.text("/errors/0/field"), "redeliveries");
            assert!(refused.header("retry-after").and_then(|left| left.parse::<u64>().ok()).is_some());
        }
        let begun = stage.api.post(RECOVER, &stage.everything()).await.expect_status(202);
        let path = format!("{RECOVER}/{}", begun.text("/data/recovery_id"));
        let api = &stage.api;
        let recovery = eventually("the recovery waits", || async {
            let recovery = api.get(&path).await.expect_status(200).json["data"].clone();
            recovery["resumes_at"].is_string().then_some(recovery)
        })
        .await;
        let resumes_at: DateTime<Utc> = recovery["resumes_at"].as_str().expect("text").parse().expect("an instant");
        assert_eq!(resumes_at.timestamp() % 86_400, 0, "at midnight");
        assert_eq!((&recovery["resent"], &recovery["finished_at"]), (&json!(0), &Value::Null));
        assert!(stage.receiver.drain().is_empty(), "nothing was sent beyond the quota");
        let job = format!("/operator/v1/jobs/{}", begun.text("/data/recovery_id"));
        assert_eq!(operator.get(&job).await.expect_status(200).json["data"]["state"], "waiting");
        let stopped = operator.post(&format!("{job}/stop"), &json!({})).await.expect_status(200).json["data"].clone();
        assert_eq!((&stopped["state"], &stopped["resumes_at"]), (&json!("stopped"), &Value::Null));
        assert_eq!(stopped["finished_at"], api.get(&path).await.expect_status(200).json["data"]["finished_at"]);
    })
    .await;
}

#[actix_web::test]
async fn decision_5_8_a_range_that_ends_in_the_future_is_refused_and_skips_what_was_delivered() {
    on_both_databases(|database| async move {
        let stage = Stage::new(database.url()).await;
        for (caller, path) in [(&stage.api, RECOVER), (&stage.service.operator(), RECOVER_AS_OPERATOR)] {
            let mut range = stage.everything();
            range["dry_run"] = json!(true);
            assert_eq!(caller.post(path, &range).await.expect_status(200).json["data"], json!({"count": 3}));
            range["include_delivered"] = json!(false);
            assert_eq!(caller.post(path, &range).await.expect_status(200).json["data"], json!({"count": 0}));
            range["until"] = json!(Utc::now() + TimeDelta::minutes(1));
            assert_eq!(caller.post(path, &range).await.expect_status(400).text("/errors/0/field"), "until");
        }
    })
    .await;
}

#[actix_web::test]
async fn keys_and_prices_of_an_account_are_bounded_however_many_are_asked_for_at_once() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        let (operator, account) = (service.operator(), format!("/operator/v1/accounts/{}", customer.account_id));
        let (keys, nothing) = (format!("{account}/api-keys"), json!({}));
        // The account was made with a key, and has no price of its own.
        for _ in 0..39 {
            join_all((0..25).map(|_| operator.post(&keys, &nothing))).await;
        }
        let answers = join_all((0..CALLERS).map(|_| operator.post(&keys, &nothing))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1_000 - 1 - 39 * 25);
        let path = format!("{account}/prices/company_reviews");
        let price = |number: i64| {
            let effective_from = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::seconds(4_000_000_000 + number);
            let body = json!({"model": "update_based", "rate_usd": "0", "effective_from": effective_from});
            operator.send(Method::PUT, &path, Some(body.to_string()))
        };
        for round in 0..39 {
            join_all((0..25).map(|number| price(round * 25 + number))).await;
        }
        let answers = join_all((2_000..2_000 + CALLERS as i64).map(price)).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1_000 - 39 * 25);
        assert_eq!(price(0).await.status, 200, "one that is there can be replaced");
    })
    .await;
}

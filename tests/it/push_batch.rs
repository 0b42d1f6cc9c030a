//! `POST /operator/v1/findings/batch`: every finding is answered as if it had been pushed by itself, and none twice.

use serde_json::{Value, json};

use crate::support::customer::{Customer, parse};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::push_source::{ID, PushSource};
use crate::support::stage::fields;

const SINGLE: &str = "/operator/v1/findings";
const BATCH: &str = "/operator/v1/findings/batch";

fn to_radar(radar_id: &str, native_id: &str, content: Value) -> Value {
    PushSource::finding(radar_id, native_id, &content)
}

fn to_domain(radar_type: &str, domain: &str, native_id: &str, content: Value) -> Value {
    json!({"radar_type": radar_type, "target": {"domain": domain}, "native_id": native_id, "source": ID, "content": content})
}

async fn push(service: &Service, findings: &[Value]) -> Value {
    service.operator().post(BATCH, &json!({"findings": findings})).await.expect_status(207).json
}

/// The outcomes of a result, or its status where it failed.
fn outcomes(result: &Value) -> Value {
    match result["data"].as_array() {
        Some(outcomes) => outcomes.iter().map(|one| one["outcome"].clone()).collect(),
        None => result["code"].clone(),
    }
}

fn all_outcomes(answer: &Value) -> Vec<Value> {
    answer["results"].as_array().expect("results").iter().map(outcomes).collect()
}

/// A body without what differs from one answer to the next.
fn lasting(body: &Value) -> Value {
    let mut body = body.clone();
    for name in ["index", "retryable", "timestamp", "error_id"] {
        body.as_object_mut().expect("an object").remove(name);
    }
    body
}

async fn radar(service: &Service, customer: &Customer, body: &Value) -> String {
    let made = customer.api(service).post("/v1/radars/companies", body).await.expect_status(201);
    let radar_id = made.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    radar_id
}

async fn balance(service: &Service, customer: &Customer) -> f64 {
    customer.account(service).await["balance_remaining_usd"].as_f64().expect("a number")
}

async fn customer(service: &Service, amount_usd: &str) -> Customer {
    let customer = Customer::create(service).await;
    for radar_type in ["company_reviews", "company_new_hires"] {
        customer.price(service, radar_type, "update_based", "0.5").await;
    }
    customer.top_up(service, "first", amount_usd).await;
    customer
}

fn provider() -> (PushSource, String) {
    let provider = PushSource::of(&["company_reviews", "company_new_hires"]);
    let sources = provider.dir();
    (provider, sources)
}

#[actix_web::test]
async fn each_finding_is_answered_as_by_a_single_push_and_none_fails_another() {
    on_both_databases(|database| async move {
        let (_provider, sources) = provider();
        let service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
        let (one, other) = (customer(&service, "100").await, customer(&service, "100").await);
        let reviews = json!({"domain": "acme.com", "radar_type": "company_reviews"});
        let of_one = radar(&service, &one, &reviews).await;
        radar(&service, &other, &reviews).await;
        let sales = json!({"domain": "acme.com", "radar_type": "company_new_hires", "departments": ["Sales"]});
        let of_sales = radar(&service, &other, &sales).await;
        let unknown = "00000000-0000-7000-8000-000000000000";
        let mut strange_source = to_radar(&of_one, "n", json!({"stars": 5}));
        strange_source["source"] = json!("nobody");
        let findings = [
            to_domain("company_reviews", "https://www.acme.com/jobs", "a", json!({"review_content": "A"})),
            to_domain("company_reviews", "acme.com", "a", json!({"review_content": "A"})),
            to_radar(unknown, "n", json!({})),
            strange_source,
            to_radar(&of_one, "b", json!({"review_content": "B", "review_rating": 4})),
            json!({"radar_type": "company_reviews", "native_id": "", "colour": 1}),
            json!(7),
            to_domain("company_reviews", "nobody.com", "n", json!({})),
            to_radar(&of_sales, "c", json!({"title": "Sales Manager"})),
            to_radar(&of_sales, "d", json!({"title": "Accountant"})),
        ];
        let answer = push(&service, &findings).await;

        assert_eq!(
            all_outcomes(&answer),
            [
                json!(["published", "published"]),
                json!(["duplicate", "duplicate"]),
                json!(404),
                json!(400),
                json!(["published"]),
                json!(400),
                json!(400),
                json!([]),
                json!(["published"]),
                json!(["filtered"]),
            ]
        );
        assert_eq!(answer["summary"], json!({"total": 10, "taken": 6, "failed": 4, "retryable": 0}));
        assert_eq!((&answer["status"], &answer["code"]), (&json!("partial_success"), &json!(207)));
        for (index, finding) in findings.iter().enumerate() {
            let result = &answer["results"][index];
            assert_eq!((&result["index"], result["error_id"].is_null()), (&json!(index), result["code"] == 202));
            // What was taken before is a duplicate when it is pushed by itself; errors are the very same.
            let single = service.operator().post(SINGLE, finding).await;
            assert_eq!(result["code"], json!(single.status));
            match single.status {
                202 => assert_eq!(result["record_id"], single.json["record_id"]),
                _ => assert_eq!(lasting(result), lasting(&single.json)),
            }
            let again = outcomes(&single.json);
            let seen = again.as_array().is_none_or(|again| again.iter().all(|one| one != "published"));
            assert!(seen, "{finding} was reported twice");
        }
        let updates = one.updates(&service).await;
        let contents: Vec<Value> =
            updates.iter().map(|update| parse(update)["content"]["review_content"].clone()).collect();
        assert_eq!(contents, ["A", "B"], "in the order of the batch");
        assert_eq!(parse(&updates[0])["update_id"], answer["results"][0]["data"][0]["update_id"]);
        assert_eq!(balance(&service, &one).await, 99.0);
        assert_eq!(balance(&service, &other).await, 99.0);
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn a_batch_that_is_none_is_refused_whole() {
    let (_provider, sources) = provider();
    let database = crate::support::databases::TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
    let customer = customer(&service, "100").await;
    let radar_id = radar(&service, &customer, &json!({"domain": "acme.com", "radar_type": "company_reviews"})).await;
    let finding = |number: usize| to_radar(&radar_id, &number.to_string(), json!({}));
    let findings: Vec<Value> = (0..1_001).map(finding).collect();
    for (body, offending) in [
        (json!({"findings": findings}), vec!["findings"]),
        (json!({"findings": []}), vec!["findings"]),
        (json!({"findings": [findings[0]], "source": ID}), vec!["source"]),
        (json!({}), vec!["findings"]),
        (
            json!({"findings": [to_radar(&radar_id, "long", json!({"review_content": "x".repeat(17 << 20)}))]}),
            vec!["body"],
        ),
    ] {
        let refused = service.operator().post(BATCH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), offending);
    }
    assert!(customer.updates(&service).await.is_empty());
    service.public().post(BATCH, &json!({"findings": [findings[0]]})).await.expect_status(404);

    let answer = push(&service, &findings[..1_000]).await;
    assert_eq!(answer["summary"], json!({"total": 1000, "taken": 1000, "failed": 0, "retryable": 0}));
    let published = customer.updates(&service).await.len();
    assert_eq!((published, balance(&service, &customer).await), (200, 0.0));
}

#[actix_web::test]
async fn what_the_balance_does_not_cover_is_held_and_an_operator_approves_as_ever() {
    on_both_databases(|database| async move {
        let (_provider, sources) = provider();
        let service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
        let (poor, careful, stopped) =
            (customer(&service, "1.2").await, customer(&service, "9").await, customer(&service, "9").await);
        let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
        let of_poor = radar(&service, &poor, &body).await;
        let of_careful = radar(&service, &careful, &body).await;
        let of_stopped = radar(&service, &stopped, &body).await;
        for (customer, change) in [(&careful, json!({"approval": "manual"})), (&stopped, json!({"status": "inactive"}))]
        {
            let path = format!("/operator/v1/accounts/{}", customer.account_id);
            service.operator().patch(&path, &change).await.expect_status(200);
        }
        let content = |text: &str| json!({"review_content": text});
        let mut findings: Vec<Value> =
            ["1", "2", "3", "4"].iter().map(|text| to_radar(&of_poor, text, content(text))).collect();
        findings.push(to_radar(&of_careful, "1", content("1")));
        findings.push(to_radar(&of_stopped, "1", content("1")));

        let answer = push(&service, &findings).await;
        let words = ["published", "published", "held", "held", "pending", "dropped"];
        assert_eq!(all_outcomes(&answer), words.map(|word| json!([word])));
        assert_eq!(balance(&service, &poor).await, 0.2);
        let again = push(&service, &findings).await;
        let words = ["duplicate", "duplicate", "duplicate", "duplicate", "duplicate", "dropped"];
        assert_eq!(all_outcomes(&again), words.map(|word| json!([word])));

        poor.top_up(&service, "second", "5").await;
        let updates = poor.updates(&service).await;
        let contents: Vec<Value> =
            updates.iter().map(|update| parse(update)["content"]["review_content"].clone()).collect();
        assert_eq!(contents, ["1", "2", "3", "4"]);
        assert_eq!(balance(&service, &poor).await, 4.2);
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn a_process_that_ends_within_a_batch_loses_and_doubles_nothing() {
    on_both_databases(|database| async move {
        let (_provider, sources) = provider();
        let mut service = Service::start(database.url(), &[("SOURCES__DIR", sources.as_str())]);
        let customers = [customer(&service, "1000").await, customer(&service, "1000").await];
        let mut radars = Vec::new();
        for customer in &customers {
            let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
            radars.push(radar(&service, customer, &body).await);
        }
        let mut published = 0;
        for point in ["ledger.before_commit", "store.written", "ledger.before_answer"] {
            service.terminate();
            service.plan(Some(&format!("abort {point} *")));
            assert!(service.try_restart(), "nothing waits");
            let findings: Vec<Value> = (0..50)
                .flat_map(|number| radars.iter().map(move |radar_id| (number, radar_id)))
                .map(|(number, radar_id)| to_radar(radar_id, &format!("{point} {number}"), json!({})))
                .collect();
            let lost = service.operator().try_post(BATCH, &json!({"findings": findings})).await;
            assert!(lost.is_none(), "the answer is lost");
            service.plan(None);
            while !service.has_ended() {
                actix_web::rt::task::yield_now().await;
            }
            service.restart();

            let answer = push(&service, &findings).await;
            assert_eq!(answer["summary"]["taken"], json!(100));
            let known = |word: &Value| *word == json!(["published"]) || *word == json!(["duplicate"]);
            assert!(all_outcomes(&answer).iter().all(known), "{answer}");
            let again = push(&service, &findings).await;
            assert!(all_outcomes(&again).iter().all(|word| *word == json!(["duplicate"])), "{again}");
            published += 50;
            for customer in &customers {
                assert_eq!(customer.updates(&service).await.len(), published);
                let left = 1000.0 - 0.5 * published as f64;
                assert_eq!(balance(&service, customer).await, left);
            }
        }
        service.assert_ledger_adds_up();
    })
    .await;
}

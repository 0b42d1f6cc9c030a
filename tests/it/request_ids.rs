//! Requests that can be traced: an identifier on every answer and in every line of the log, and whose they were.

use serde_json::json;
use uuid::Uuid;

use crate::support::customer::Customer;
use crate::support::databases::TestDatabase;
use crate::support::process::Service;
use crate::support::raw::Raw;

const HEADER: &str = "x-request-id";

/// The lines of the log that hold all of `words`.
fn lines(service: &Service, words: &[&str]) -> Vec<String> {
    let log = service.log();
    log.lines().filter(|line| words.iter().all(|word| line.contains(word))).map(str::to_owned).collect()
}

#[actix_web::test]
async fn an_identifier_is_taken_over_or_made_on_every_answer_of_both_apis() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    for (client, path) in [
        (service.public(), "/v1/radars"),
        (service.public(), "/nowhere"),
        (service.public(), "/openapi.json"),
        (service.operator(), "/operator/v1/accounts"),
        (service.operator(), "/health/live"),
    ] {
        let answer = client.get(path).await;
        assert!(Uuid::try_parse(answer.header(HEADER).expect("an identifier")).is_ok(), "{path}");
        let answer = client.clone().with_header(HEADER, "req-0.7").get(path).await;
        assert_eq!(answer.header(HEADER), Some("req-0.7"), "{path}");
        let answer = client.with_header(HEADER, "jane@acme.com").get(path).await;
        assert!(Uuid::try_parse(answer.header(HEADER).expect("an identifier")).is_ok(), "{path}");
    }
}

#[actix_web::test]
async fn the_line_of_a_request_says_whose_it_was_and_why_it_was_refused() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[("HTTP__TRUSTED_PROXIES", "127.0.0.0/8")]);
    let customer = Customer::create(&service).await;
    let api = customer.api(&service).with_header(HEADER, "one").with_header("x-forwarded-for", "6.6.6.6, 192.0.2.7");
    let body = json!({"domain": "localhost", "radar_type": "company_reviews", "full_name": "Jane Roe"});
    api.post("/v1/radars/companies", &body).await.expect_status(400);
    let account = format!("account={}", customer.account_id);
    let line = lines(&service, &["request_id=one", "client=192.0.2.7", &account, "status=400"]);
    assert_eq!(line.len(), 1, "{}", service.log());
    assert!(line[0].contains("field=") && line[0].contains("reason="), "{}", line[0]);
    assert!(!service.log().contains("Jane"));
}

#[actix_web::test]
async fn nobody_else_is_believed() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let client = service.public().with_header(HEADER, "two").with_header("x-forwarded-for", "192.0.2.7");
    client.get("/v1/radars").await.expect_status(401);
    assert_eq!(lines(&service, &["request_id=two", "client=127.0.0.1"]).len(), 1, "{}", service.log());
}

#[test]
fn what_is_no_request_has_an_identifier_and_is_no_error_of_ours() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let mut raw = Raw::connect(service.public_port());
    raw.send(b"nonsense\r\n\r\n");
    let answer = raw.answer("GET").expect_status(400);
    let id = answer.head.split("x-request-id: ").nth(1).and_then(|rest| rest.split("\r\n").next()).expect("one");
    let line = lines(&service, &[&format!("request_id={id}"), "client=127.0.0.1"]);
    assert!(line.len() == 1 && line[0].contains(" INFO "), "{}", service.log());
    assert_eq!(lines(&service, &[" ERROR "]), Vec::<String>::new());
}

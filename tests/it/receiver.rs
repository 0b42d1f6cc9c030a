//! The receiver, the sample sites and the client that the other tests use.

use radar::cli::demo::sample_pages::BOREALIS_FOODS;
use serde_json::json;

use crate::support::client::Client;
use crate::support::company_site;
use crate::support::receiver::{Answer, Receiver};

#[actix_web::test]
async fn a_receiver_records_everything_and_answers_as_it_is_told() {
    let mut receiver = Receiver::start();
    let busy = Answer::Status {
        status: 503,
        headers: vec![("retry-after", "7".to_owned())],
        body: r#"{"why": "busy"}"#.to_owned(),
    };
    receiver.answer_next([busy]);
    receiver.answer_otherwise(Answer::status(202));
    let client = Client::new(&receiver.url("")).with_header("x-api-key", "secret");

    let first = client.post("/hook", &json!({"n": 1})).await.expect_status(503);
    assert_eq!(first.headers.get("retry-after").expect("a header"), "7");
    assert_eq!((first.text("/why"), &first.bytes[..]), ("busy", &br#"{"why": "busy"}"#[..]));
    client.put("/hook/2", &json!({})).await.expect_status(202);

    let received = receiver.next().await;
    assert_eq!((received.path.as_str(), &received.body[..]), ("/hook", &br#"{"n":1}"#[..]));
    assert_eq!(received.headers.get("x-api-key").expect("a header"), "secret");
    assert_eq!(receiver.drain().len(), 1);

    receiver.answer_otherwise(Answer::Hang);
    tokio::select! {
        answer = client.patch("/hook/3", &serde_json::Value::Null) => panic!("answered with {}", answer.status),
        received = receiver.next() => assert_eq!(received.path, "/hook/3"),
    }
    receiver.stop().await;
}

#[actix_web::test]
async fn the_sample_sites_show_a_job_once_it_is_published() {
    let (site, mut fetches) = company_site::start();
    let client = Client::new(&format!("{}{}", site.url(), BOREALIS_FOODS.domain));
    client.get("/careers/jobs/7").await.expect_status(404);
    site.publish(company_site::job(BOREALIS_FOODS, 7, "Baker"));
    client.get("/careers/jobs/7").await.expect_status(200);
    client.delete("/careers/jobs/8").await.expect_status(404);
    let first = fetches.recv().await.expect("a report");
    assert_eq!((first.url.as_str(), first.status), ("https://borealis-foods.com/careers/jobs/7", 404));
    site.stop().await;
}

//! Alerts and digests by mail: nothing before the address is confirmed, once each, again when the server is away, and never
//! after a stop.

use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Receiver};
use crate::support::smtp::{MailServer, Mood};

const EMAIL: &str = "/v1/account/email";
const DAY: i64 = 86_400;

/// A service on a simulated clock that sends to `server`.
fn start(database_url: &str, server: &MailServer) -> (Service, PushSource) {
    let url = server.url();
    let settings = [
        ("CLOCK__MODE", "simulated"),
        ("CLOCK__START", "2026-03-01T12:00:00Z"),
        ("SMTP__URL", url.as_str()),
        ("SMTP__FROM", "radar@example.com"),
        ("SMTP__PUBLIC_URL", "https://radar.example.com"),
        ("LOG__FILTER", "debug"),
    ];
    provider::start(database_url, &settings, "")
}

/// The path of a link in a mail.
fn link(mail: &str, action: &str) -> String {
    let end = format!("/{action}");
    let mut links = mail.split_whitespace().filter_map(|word| word.strip_prefix("https://radar.example.com"));
    links.find(|path| path.ends_with(&end)).unwrap_or_else(|| panic!("no link in {mail}")).to_owned()
}

/// What the page behind a link says when its button is pressed; the pages are not in the document.
async fn press(service: &Service, path: &str) -> u16 {
    let client = awc::Client::default();
    client.get(service.public_url(path)).send().await.expect("a page");
    client.post(service.public_url(path)).send().await.expect("an answer").status().as_u16()
}

async fn confirmed(service: &Service, server: &mut MailServer, customer: &Customer) -> String {
    let api = customer.api(service);
    let set = api.put(EMAIL, &json!({"email": "ada@example.org"})).await.expect_status(200);
    assert_eq!((set.text("/data/email"), &set.json["data"]["confirmed_at"]), ("ada@example.org", &Value::Null));
    let mail = server.next().await;
    assert!(mail.contains("To: ada@example.org") && mail.contains("From: radar@example.com"), "{mail}");
    assert_eq!(press(service, &link(&mail, "confirm")).await, 200);
    assert!(api.get(EMAIL).await.expect_status(200).json["data"]["confirmed_at"].is_string());
    link(&mail, "stop")
}

async fn customer(service: &Service) -> (Customer, String) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "0").await;
    let created = customer.create_reviews_radar(service, "example.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    (customer, radar_id)
}

/// The account has 5 USD, hears when it has less, and pays 1 for its next finding.
async fn alert_below_five(service: &Service, customer: &Customer, receiver: &Receiver) {
    let alerts = format!("/operator/v1/accounts/{}/balance-alerts", customer.account_id);
    let body = json!({"webhook_url": receiver.url("/alerts"), "thresholds_usd": ["5"]});
    service.operator().put(&alerts, &body).await.expect_status(200);
    customer.top_up(service, "first", "5").await;
    customer.price(service, "company_reviews", "update_based", "1").await;
}

#[actix_web::test]
async fn a_digest_comes_once_a_day_to_an_address_that_was_confirmed_until_it_is_stopped() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let (mut service, _provider) = start(database.url(), &server);
        let (customer, radar_id) = customer(&service).await;
        let api = customer.api(&service);
        // What is not confirmed gets nothing, whatever happens.
        api.put(EMAIL, &json!({"email": "stranger@example.org"})).await.expect_status(200);
        server.next().await;
        provider::push(&service, &radar_id, "1", &json!({"review_content": "early"})).await;
        provider::advance(&service, 2 * DAY).await;
        assert!(server.is_silent(), "a stranger got mail");

        let stop = confirmed(&service, &mut server, &customer).await;
        let review = json!({"review_content": "Good place", "review_url": "https://reviews.example/1"});
        provider::push(&service, &radar_id, "2", &review).await;
        service.kill();
        service.restart();
        provider::advance(&service, DAY).await;
        let digest = server.next().await;
        assert!(digest.contains("Subject: 1 radar update") && digest.contains("Good place"), "{digest}");
        assert!(digest.contains("https://reviews.example/1") && !digest.contains("early"), "{digest}");
        assert!(digest.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{digest}");
        assert!(digest.contains("List-Unsubscribe: <https://radar.example.com/v1/email/"), "{digest}");
        provider::advance(&service, DAY).await;
        assert!(server.is_silent(), "there was nothing to tell");

        provider::push(&service, &radar_id, "3", &json!({})).await;
        assert_eq!(press(&service, &stop).await, 200);
        assert_eq!(press(&service, &stop).await, 200, "once more is the same");
        provider::advance(&service, 2 * DAY).await;
        assert!(server.is_silent(), "mail came after the stop");
        assert_eq!(api.get(EMAIL).await.expect_status(200).json["data"]["email"], Value::Null);
        let again = api.put(EMAIL, &json!({"email": "Ada@example.org"})).await.expect_status(409);
        assert!(again.text("/errors/0/reason").contains("has stopped the mails"), "{}", again.json);
        for token in ["a", "%00", &"0".repeat(64)] {
            for action in ["confirm", "stop"] {
                assert_eq!(press(&service, &format!("/v1/email/{token}/{action}")).await, 404, "{token} {action}");
            }
        }
        for secret in ["sesame", stop.as_str()] {
            assert!(!service.log().contains(secret), "the log tells {secret}");
        }
        let shown = service.command(&["config", "show"]).output().expect("the program");
        assert!(!String::from_utf8_lossy(&shown.stdout).contains("sesame"));
    })
    .await;
}

#[actix_web::test]
async fn a_mail_is_sent_again_until_the_server_takes_it_and_refused_for_good_it_is_given_up() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let (service, _provider) = start(database.url(), &server);
        let (customer, _) = customer(&service).await;
        let api = customer.api(&service);
        server.answer_next([Mood::Busy, Mood::Cut]);
        api.put(EMAIL, &json!({"email": "ada@example.org"})).await.expect_status(200);
        eventually("it was tried", || async { service.log().contains("a mail could not be sent").then_some(()) }).await;
        assert!(server.is_silent());
        provider::advance(&service, 60).await;
        let cut = server.next().await;
        provider::advance(&service, 300).await;
        let id = |mail: &str| mail.lines().find(|line| line.starts_with("Message-ID: ")).map(str::to_owned);
        assert_eq!(id(&server.next().await), id(&cut), "at least once, and known by its identifier");
        provider::advance(&service, 3_600).await;
        assert!(server.is_silent());

        server.answer_next([Mood::Refuse]);
        api.put(EMAIL, &json!({"email": "nobody@example.org"})).await.expect_status(200);
        eventually("it was refused", || async { service.log().contains("a mail was refused").then_some(()) }).await;
        provider::advance(&service, 10 * DAY).await;
        assert!(server.is_silent());
    })
    .await;
}

#[actix_web::test]
async fn an_alert_is_told_by_mail_once() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let receiver = Receiver::start();
        let (service, _provider) = start(database.url(), &server);
        let (customer, radar_id) = customer(&service).await;
        confirmed(&service, &mut server, &customer).await;
        alert_below_five(&service, &customer, &receiver).await;
        provider::push(&service, &radar_id, "1", &json!({})).await;
        provider::advance(&service, DAY).await;
        let mails = [server.next().await, server.next().await];
        let alert = mails.iter().find(|mail| mail.contains("Subject: Radar alert")).expect("an alert");
        assert!(alert.contains("threshold usd: 5") && alert.contains("balance usd: 4"), "{alert}");
        provider::advance(&service, 2 * DAY).await;
        assert!(server.is_silent());
    })
    .await;
}

#[actix_web::test]
async fn what_is_committed_late_is_told_by_the_next_digest() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let (service, _provider) = start(database.url(), &server);
        let (customer, radar_id) = customer(&service).await;
        confirmed(&service, &mut server, &customer).await;
        provider::push(&service, &radar_id, "1", &json!({"review_content": "in time"})).await;
        provider::advance(&service, DAY).await;
        assert!(server.next().await.contains("in time"));
        // A commit that was under way at midnight: its update is of the evening, and was not there when the digest was written.
        provider::push(&service, &radar_id, "2", &json!({"review_content": "at midnight"})).await;
        let evening = "2026-03-01T23:59:59.999999Z".parse::<chrono::DateTime<chrono::Utc>>().expect("an instant");
        let beside = Database::connect(database.url()).await.expect("a connection");
        let late =
            format!("update radar_update set discovered_at = {} where update_seq = 2", evening.timestamp_micros());
        assert_eq!(beside.execute_unprepared(&late).await.expect("written").rows_affected(), 1);
        beside.close().await.expect("closed");
        provider::advance(&service, DAY).await;
        let digest = server.next().await;
        assert!(digest.contains("Subject: 1 radar update") && digest.contains("at midnight"), "{digest}");
        provider::advance(&service, DAY).await;
        assert!(server.is_silent(), "it was told twice");
    })
    .await;
}

#[actix_web::test]
async fn an_address_that_is_set_again_stays_confirmed_and_gets_what_waits() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let receiver = Receiver::start();
        let (service, _provider) = start(database.url(), &server);
        let (customer, radar_id) = customer(&service).await;
        confirmed(&service, &mut server, &customer).await;
        alert_below_five(&service, &customer, &receiver).await;
        server.answer_next([Mood::Busy, Mood::Busy]);
        provider::push(&service, &radar_id, "1", &json!({})).await;
        // Midnight: the alert and the digest are tried, and wait for a minute.
        provider::advance(&service, DAY / 2).await;
        eventually("both were tried", || async {
            (service.log().matches("a mail could not be sent").count() == 2).then_some(())
        })
        .await;
        for _ in 0..10 {
            let again = customer.api(&service).put(EMAIL, &json!({"email": "ada@example.org"})).await;
            assert!(again.expect_status(200).json["data"]["confirmed_at"].is_string());
        }
        provider::advance(&service, 60).await;
        let mails = [server.next().await, server.next().await];
        for subject in ["Subject: Radar alert", "Subject: 1 radar update"] {
            assert!(mails.iter().any(|mail| mail.contains(subject)), "{mails:?}");
        }
        assert!(server.is_silent(), "nothing is to be confirmed");
    })
    .await;
}

#[actix_web::test]
async fn an_alert_about_an_endpoint_is_told_by_mail_without_an_alert_address() {
    on_both_databases(async |database| {
        let mut server = MailServer::start().await;
        let receiver = Receiver::start();
        receiver.answer_otherwise(Answer::status(410));
        let (service, _provider) = start(database.url(), &server);
        let (customer, _) = customer(&service).await;
        confirmed(&service, &mut server, &customer).await;
        // What was before the confirmation is not told.
        provider::advance(&service, 1).await;
        let created = customer.create_reviews_radar(&service, "b.com", Some(&receiver.url("/hook"))).await;
        let radar_id = created.expect_status(201).text("/data/radar_id").to_owned();
        provider::push(&service, &radar_id, "1", &json!({})).await;
        let is_noticed = || async { service.log().contains("a webhook endpoint needs attention").then_some(()) };
        eventually("the endpoint is disabled", is_noticed).await;
        provider::advance(&service, DAY).await;
        let mails = [server.next().await, server.next().await];
        assert!(mails.iter().any(|mail| mail.contains("Subject: Radar alert: endpoint disabled")), "{mails:?}");
    })
    .await;
}

#[actix_web::test]
async fn confirmations_are_bounded_and_need_a_mail_server() {
    on_both_databases(async |database| {
        let server = MailServer::start().await;
        let (service, _provider) = start(database.url(), &server);
        let api = Customer::create(&service).await.api(&service);
        assert_eq!(api.put(EMAIL, &json!({"email": "x"})).await.expect_status(400).text("/errors/0/field"), "email");
        for number in 0..5 {
            api.put(EMAIL, &json!({"email": format!("a{number}@example.org")})).await.expect_status(200);
        }
        let refused = api.put(EMAIL, &json!({"email": "b@example.org"})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "email");
        api.delete(EMAIL).await.expect_status(200);
    })
    .await;
    on_both_databases(async |database| {
        let service = Service::start(database.url(), &[]);
        let api = Customer::create(&service).await.api(&service);
        api.put(EMAIL, &json!({"email": "a@example.org"})).await.expect_status(409);
        api.get(EMAIL).await.expect_status(200);
    })
    .await;
}

//! A process that ends at each point of a delivery, with another one beside it or after it: every update arrives, only
//! what was sent before arrives twice, and the log says so (decision 5.1).

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::customer::{Customer, eventually, parse, text};
use crate::support::databases::TestDatabase;
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Receiver};

/// More than a fresh endpoint gets handed over in memory, so that some wait in the table.
const FINDINGS: usize = 20;
/// A short time-out makes short leases.
const SETTINGS: [(&str, &str); 1] = [("WEBHOOKS__TIMEOUT", "2s")];
/// Where the process ends.
const POINTS: [&str; 4] =
    ["dispatcher.before_claim", "dispatcher.after_claim", "dispatcher.before_send", "dispatcher.before_record"];

/// What takes over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TakenOver {
    /// The same process, started again.
    Itself,
    /// Another one that works beside it all the time.
    Another,
    /// Another one that stands still until the first has ended: what is in the table is the first one's to claim.
    AnotherThatStoodStill,
}

struct Stage {
    service: Service,
    _provider: PushSource,
    customer: Customer,
    receiver: Receiver,
    radar_id: String,
}

impl Stage {
    /// Findings that were published while the receiver hung: some were handed over in memory, some wait in the table.
    async fn set(database: &TestDatabase) -> Self {
        let (mut service, provider) = provider::start(database.url(), &SETTINGS, "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let mut receiver = Receiver::start();
        receiver.answer_otherwise(Answer::Hang);
        let url = receiver.url("/hook");
        let created = customer.create_reviews_radar(&service, "acme.com", Some(&url)).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        // Together, so that none of the first attempts has ended by then.
        let finding = |number: usize| PushSource::finding(&radar_id, &number.to_string(), &json!({}));
        let findings = json!({"findings": (0..FINDINGS).map(finding).collect::<Vec<Value>>()});
        service.operator().post("/operator/v1/findings/batch", &findings).await.expect_status(207);
        receiver.next().await;
        service.kill();
        receiver.drain();
        receiver.answer_otherwise(Answer::status(200));
        Self { service, _provider: provider, customer, receiver, radar_id }
    }

    /// How often each update has arrived so far.
    fn arrived(&mut self, arrived: &mut BTreeMap<String, usize>) {
        for received in self.receiver.drain() {
            let update_id = parse(text(&received.body))["update_id"].as_str().expect("an identifier").to_owned();
            *arrived.entry(update_id).or_default() += 1;
        }
    }

    /// The log of all deliveries, once all of them have arrived.
    async fn delivered(&self, service: &Service) -> Vec<Value> {
        eventually("everything is delivered", || async {
            let mut records: Vec<Value> = Vec::new();
            let mut path = "/v1/webhooks/deliveries?limit=100".to_owned();
            loop {
                let page = self.customer.api(service).get(&path).await.expect_status(200).json;
                records.extend(page["data"].as_array().expect("records").iter().cloned());
                let Some(next) = page["next_cursor"].as_str() else { break };
                path = format!("/v1/webhooks/deliveries?limit=100&cursor={next}");
            }
            let is_over = records.iter().all(|record| record["state"] == "delivered");
            (records.len() >= FINDINGS && is_over).then_some(records)
        })
        .await
    }
}

async fn ends_at(point: &str, database: TestDatabase, taken_over: TakenOver) {
    let beside = || provider::start(database.url(), &SETTINGS, "");
    let still = (taken_over == TakenOver::AnotherThatStoodStill).then(beside);
    if let Some((service, _)) = &still {
        service.signal("STOP");
    }
    let mut stage = Stage::set(&database).await;
    stage.service.plan(Some(&format!("abort {point} *")));
    let another = (taken_over == TakenOver::Another).then(beside);
    // It may come as far as the point before it is ready; and the other one may leave nothing in the table for it.
    stage.service.try_restart();
    for number in 0.. {
        if stage.service.has_ended() {
            break;
        }
        let finding = PushSource::finding(&stage.radar_id, &format!("{point} {number}"), &json!({}));
        drop(stage.service.operator().try_post("/operator/v1/findings", &finding).await);
        actix_web::rt::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let mut arrived = BTreeMap::new();
    if let Some((service, _)) = &still {
        service.signal("CONT");
    }
    let another = another.or(still);
    if another.is_none() {
        stage.arrived(&mut arrived);
        let before: usize = arrived.values().sum();
        assert!(point == "dispatcher.before_record" || before == 0, "{point}: nothing was sent yet");
        stage.service.plan(None);
        stage.service.restart();
    }
    let sent_before = arrived.clone();
    let working = another.as_ref().map_or(&stage.service, |(service, _)| service);
    let records = stage.delivered(working).await;
    for record in &records {
        let update_id = record["update_id"].as_str().expect("an identifier");
        let path = format!("/v1/webhooks/deliveries/{update_id}");
        let detail = stage.customer.api(working).get(&path).await.expect_status(200).json;
        let attempts = detail["data"]["attempt_log"].as_array().expect("attempts");
        assert_eq!(attempts.last().expect("an attempt")["outcome"], "ok", "{point}");
        assert!(attempts.iter().rev().skip(1).all(|attempt| attempt["outcome"] != "ok"), "{point}: delivered once");
    }
    working.assert_ledger_adds_up();
    stage.arrived(&mut arrived);
    assert_eq!(arrived.len(), records.len(), "{point}: every update has arrived");
    if taken_over == TakenOver::Itself {
        for (update_id, times) in arrived {
            let most = 1 + sent_before.get(&update_id).copied().unwrap_or_default();
            assert!(times <= most, "{point}: {times} times, {most} at most");
        }
    }
}

#[actix_web::test]
async fn decision_5_1_every_update_arrives_wherever_the_process_ends() {
    join_all(POINTS.map(|point| ends_at(point, TestDatabase::sqlite(), TakenOver::Itself))).await;
    let Some(server) = Server::shared() else { return };
    // What is handed over in memory nobody else sends; of a claim in the table another process is as likely the first.
    let still = POINTS[..2].iter().map(|point| (point, TakenOver::AnotherThatStoodStill));
    let beside = POINTS[2..].iter().map(|point| (point, TakenOver::Another)).chain(still);
    let cases: Vec<_> = POINTS.iter().map(|point| (point, TakenOver::Itself)).chain(beside).collect();
    let urls = join_all(cases.iter().map(|_| server.create_database())).await;
    let cases: Vec<_> = cases.iter().zip(&urls).collect();
    // Half of them at a time: each has one process or two.
    for half in cases.chunks(POINTS.len()) {
        join_all(half.iter().map(|((point, by), url)| ends_at(point, TestDatabase::at(url), *by))).await;
    }
    for url in urls {
        server.drop_database(&url).await;
    }
}

//! A webhook secret that changes while deliveries are under way: whatever arrives is signed by a secret that the customer
//! knows, and everything arrives (decision 5.2).

use std::collections::BTreeSet;

use futures_util::future::{join, join_all};
use serde_json::json;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::provider;
use crate::support::receiver::{Answer, Receiver, verify};

const FINDINGS: usize = 120;
const ROTATIONS: usize = 4;

#[actix_web::test]
async fn decision_5_2_what_is_sent_during_rotations_bears_a_signature_of_the_secret_before_or_after() {
    on_both_databases(async |database| {
        let (service, _provider) = provider::start(database.url(), &[("WEBHOOKS__RETRY_SCHEDULE", "1s,1s,1s")], "");
        let mut receiver = Receiver::start();
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "100").await;
        let hook = receiver.url("/hook");
        let created = customer.create_reviews_radar(&service, "example.com", Some(&hook)).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        // Some of them are signed again when they are sent once more.
        receiver.answer_next((0..3).map(|_| Answer::status(500)));

        let push = async |number: usize| provider::push(&service, &radar_id, &number.to_string(), &json!({})).await;
        let pushing = join_all((0..FINDINGS).map(push));
        let api = customer.api(&service);
        let rotating = async {
            let mut secrets = vec![customer.webhook_secret.clone()];
            for _ in 0..ROTATIONS {
                let rotated = api.post("/v1/webhooks/secret/rotate", &json!({})).await.expect_status(200);
                secrets.push(rotated.text("/data/webhook_secret").to_owned());
            }
            secrets
        };
        let (_, secrets) = join(pushing, rotating).await;
        let mut arrived = BTreeSet::new();
        while arrived.len() < FINDINGS {
            let pushed = receiver.next().await;
            // The first secret signs all along: a day has not passed.
            verify(&pushed, &secrets[0]);
            let signatures = pushed.headers.get("webhook-signature").expect("a header").to_str().expect("text");
            assert!(signatures.split(' ').count() <= secrets.len(), "{signatures}");
            arrived.insert(pushed.headers.get("webhook-id").expect("an id").to_str().expect("text").to_owned());
        }
        provider::push(&service, &radar_id, "last", &json!({})).await;
        let pushed = receiver.next().await;
        for secret in &secrets {
            verify(&pushed, secret);
        }
    })
    .await;
}

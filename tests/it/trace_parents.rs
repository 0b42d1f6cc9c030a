//! The traces of webhooks: that of the request that pushed the finding, or one of the update's own.

use domain::delivery::trace::TraceParent;
use serde_json::json;
use uuid::Uuid;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::provider;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Received, Receiver};

const PUSHED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn parent(pushed: &Received) -> TraceParent {
    pushed.headers.get("traceparent").expect("a header").to_str().expect("text").parse().expect("a parent")
}

#[actix_web::test]
async fn every_attempt_stands_in_the_trace_of_the_push_or_of_the_update() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(500)]);
        let (service, _provider) = provider::start(database.url(), &[("WEBHOOKS__RETRY_SCHEDULE", "10ms,1s")], "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let created = customer.create_reviews_radar(&service, "acme.com", Some(&receiver.url("/hook"))).await;
        let created = created.expect_status(201);
        let radar_id = created.text("/data/radar_id");
        customer.settled(&service, radar_id).await;

        let traced = service.operator().with_header("traceparent", PUSHED);
        let finding = PushSource::finding(radar_id, "1", &json!({}));
        traced.post("/operator/v1/findings", &finding).await.expect_status(202);
        // The second attempt is of what the table says.
        let (first, second) = (parent(&receiver.next().await), parent(&receiver.next().await));
        let of_push: TraceParent = PUSHED.parse().expect("a parent");
        assert_eq!((first.trace, second.trace), (of_push.trace, of_push.trace));
        assert!(first.span_id != second.span_id && first.span_id != of_push.span_id);

        let batch = json!({"findings": [PushSource::finding(radar_id, "2", &json!({}))]});
        traced.post("/operator/v1/findings/batch", &batch).await.expect_status(207);
        assert_eq!(parent(&receiver.next().await).trace, of_push.trace);

        for (client, native_id) in
            [(service.operator(), "3"), (service.operator().with_header("traceparent", "00-nonsense"), "4")]
        {
            let finding = PushSource::finding(radar_id, native_id, &json!({}));
            client.post("/operator/v1/findings", &finding).await.expect_status(202);
            let pushed = receiver.next().await;
            let update_id: Uuid =
                pushed.headers.get("webhook-id").expect("a header").to_str().expect("text").parse().expect("an update");
            assert_eq!((parent(&pushed).trace.id, parent(&pushed).trace.is_sampled), (update_id.as_u128(), false));
        }
    })
    .await;
}

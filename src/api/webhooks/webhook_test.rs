//! `POST /v1/webhooks/test` (Spec 4.10, decision 3.9).
//!
//! The sample goes out like a delivery of the same payload, but once, without `webhook-signature` and
//! `webhook-sequence`, and without being stored: it can neither be pulled nor resent. Its `update_id`, which is also its
//! `webhook-id`, is new each time. The answer waits a few seconds for the receiver.

use bytes::Bytes;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::api::call::Call;
use crate::web::{Answer, Failure};
use domain::{Rejection, UpdateId};
use webhooks::attempt::OutgoingRequest;
use webhooks::sample;
use wire::public::webhooks::webhook_test::{self, WebhookTestResult, WebhookTestSent};

/// Sends a sample and shows it.
pub(crate) async fn webhook_test(mut call: Call) -> Answer {
    let body = call.body().await?;
    let wanted = webhook_test::parse(&body.value, &|host| !call.shared().guard.permits_host(host))?;
    let (update_id, now) = (UpdateId(Uuid::new_v4()), call.now());
    let payload = sample::payload(wanted.radar_type, wanted.update_type, wanted.format, update_id, now)
        .map_err(|errors| Failure::internal(format!("a sample does not fit the table of content: {errors:?}")))?;
    let request = OutgoingRequest {
        url: wanted.webhook_url.clone(),
        update_id,
        format: wanted.format,
        body: Bytes::from(payload.clone()),
        delivery: None,
    };
    let sent = call.state.test_sends.ask(call.account_id(), request).await;
    let report = sent.map_err(|_| Rejection::Overloaded)?;
    let sent = WebhookTestSent {
        webhook_url: wanted.webhook_url,
        radar_type: wanted.radar_type,
        update_type: wanted.update_type,
        payload: RawValue::from_string(payload).map_err(Failure::internal)?,
        result: WebhookTestResult::of(&report),
    };
    call.data(200, "Sample payload sent", sent)
}

//! Examples of deliveries, endpoints, recoveries and secrets.

use serde_json::{Value, json};

use super::examples::Example;
use super::examples::{CREATED_AT, RADAR_ID, data, envelope, with};

const ENDPOINT_ID: &str = "5d0e6f3a-9c1b-5f7e-8a2d-4b3c2d1e0f9a";
const RECOVERY_ID: &str = "0190a7c4-5d2e-7b31-9c6f-2f1d8a4b6c11";
const RETRY_AT: &str = "2026-01-31T12:05:07.000000Z";

pub(super) fn delivery_page() -> Example {
    let own = json!({"data": [delivery()], "has_more": false, "next_cursor": null});
    ("one that waits for a retry", with(envelope(200, "success", "Deliveries"), own))
}

pub(super) fn delivery_detail() -> Example {
    let attempt = json!({
        "attempt_no": 1,
        "started_at": CREATED_AT,
        "duration_ms": 87,
        "outcome": "http_5xx",
        "http_status": 503,
        "response": "busy",
        "response_truncated": false,
    });
    ("after a failure", data(200, "Delivery", with(delivery(), json!({"attempt_log": [attempt]}))))
}

pub(super) fn resent_delivery() -> Example {
    let due = json!({"reason": "due", "attempts": 0, "next_attempt_at": RETRY_AT});
    ("due", data(202, "Delivery is sent again", with(delivery(), due)))
}

pub(super) fn new_recovery() -> Example {
    let range = json!({"since": "2026-01-30T00:00:00Z", "until": "2026-01-31T00:00:00Z", "dry_run": true});
    ("a day, counted", range)
}

pub(super) fn dry_run() -> Example {
    ("a count", data(200, "Deliveries that would be sent again", json!({"count": 17})))
}

pub(super) fn recovery_begun() -> Example {
    ("begun", data(202, "Recovery begun", record()))
}

pub(super) fn recovery() -> Example {
    ("finished", data(200, "Recovery", with(record(), json!({"resent": 17, "finished_at": RETRY_AT}))))
}

pub(super) fn endpoint_page() -> Example {
    let disabled = json!({"state": "disabled", "disabled_reason": "gone", "disabled_at": CREATED_AT});
    let own = json!({"data": [with(endpoint(), disabled)], "has_more": false, "next_cursor": null});
    ("one that is disabled", with(envelope(200, "success", "Endpoints"), own))
}

pub(super) fn enabled_endpoint() -> Example {
    ("enabled", data(200, "Endpoint enabled", with(endpoint(), json!({"released": 3}))))
}

pub(super) fn secret() -> Example {
    ("one secret", data(200, "Webhook secret", shown(Value::Null)))
}

pub(super) fn rotated_secret() -> Example {
    ("two sign", data(200, "Webhook secret rotated", shown(json!("2026-02-01T12:00:00.000000Z"))))
}

fn shown(previous_until: Value) -> Value {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    json!({"webhook_secret": secret, "previous_signs_until": previous_until})
}

fn delivery() -> Value {
    json!({
        "update_id": "3d594650-3436-5c8a-9f3e-7d1c2b4a5e6f",
        "radar_id": RADAR_ID,
        "radar_type": "company_job_openings",
        "endpoint": {"endpoint_id": ENDPOINT_ID, "url": "https://hooks.example.org/radar"},
        "state": "pending",
        "reason": "scheduled",
        "attempts": 1,
        "next_attempt_at": RETRY_AT,
        "last_outcome": "http_5xx",
        "created_at": CREATED_AT,
        "finished_at": null,
    })
}

fn endpoint() -> Value {
    json!({
        "endpoint_id": ENDPOINT_ID,
        "url": "https://hooks.example.org/radar",
        "state": "enabled",
        "disabled_reason": null,
        "disabled_at": null,
        "breaker_open_until": null,
        "next_allowed_at": null,
        "consecutive_failures": 0,
        "failing_since": null,
        "last_success_at": CREATED_AT,
    })
}

fn record() -> Value {
    json!({
        "recovery_id": RECOVERY_ID,
        "since": "2026-01-30T00:00:00.000000Z",
        "until": "2026-01-31T00:00:00.000000Z",
        "radar_type": null,
        "include_delivered": false,
        "count": 17,
        "resent": 0,
        "created_at": CREATED_AT,
        "finished_at": null,
    })
}

//! Examples of requests and answers. A test holds every one against its schema.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use crate::domain::rejection::Rejection;
use crate::wire::public::bulk::{self, ItemOutcome};
use crate::wire::{error, time};

/// An example under its name.
pub(super) type Example = (&'static str, Value);

pub(super) const RADAR_ID: Uuid = uuid!("0190a7c4-5d2e-7b31-9c6f-2f1d8a4b6c10");
const ERROR_ID: Uuid = uuid!("8f14e45f-ceea-467f-a34e-2c5f1b0a7d55");
pub(super) const CREATED_AT: &str = "2026-01-31T12:00:00.000000Z";
const RENEWS_AT: &str = "2026-03-02T12:00:00.000000Z";

pub(super) fn company_requests() -> [Example; 3] {
    let filtered = json!({
        "domain": "example.com",
        "radar_type": "company_job_openings",
        "departments": ["Engineering", "Sales"],
        "seniorities": ["Director", "Vice President"],
        "webhook_url": "https://hooks.example.org/radar",
        "custom_fields": {"crm_id": "4711"},
    });
    let by_titles = json!({
        "domain": "https://www.example.com/about",
        "radar_type": "company_new_hires",
        "job_titles": "(\"Chief Financial Officer\" OR CFO) AND NOT assistant",
    });
    let plain = json!({"domain": "example.com", "radar_type": "company_mentions"});
    [("by departments and seniorities", filtered), ("by titles", by_titles), ("plain", plain)]
}

pub(super) fn contact_requests() -> [Example; 2] {
    let moves = json!({
        "radar_type": "contact_job_changes",
        "domain": "example.com",
        "profile_url": "linkedin.com/in/ada-example",
        "full_name": "Ada Example",
    });
    let posts = json!({"radar_type": "contact_social_posts", "profile_url": "https://x.com/ada_example"});
    [("job changes", moves), ("social posts", posts)]
}

pub(super) fn industry_requests() -> [Example; 3] {
    let jobs = json!({"radar_type": "industry_job_openings", "keyword": "heat pumps", "countries": ["DE", "SE"]});
    let mentions = json!({"radar_type": "industry_mentions", "keyword": "heat pumps"});
    let market = json!({"radar_type": "industry_funding_rounds"});
    [("jobs that match a theme", jobs), ("a theme", mentions), ("a market", market)]
}

pub(super) fn preview_requests() -> [Example; 3] {
    let [filtered, ..] = company_requests();
    let [_, posts] = contact_requests();
    let [jobs, ..] = industry_requests();
    [filtered, posts, jobs]
}

pub(super) fn bulk_request() -> Value {
    json!({
        "webhook_url": "https://hooks.example.org/radar",
        "custom_fields": {"batch": "7"},
        "radars": [
            {"domain": "example.com", "radar_type": "company_job_openings"},
            {"radar_type": "industry_mentions", "keyword": "heat pumps"},
        ],
    })
}

pub(super) fn created() -> Example {
    ("created", data(201, "Radar created", record()))
}

pub(super) fn radar() -> Example {
    ("active", data(200, "Radar", record()))
}

pub(super) fn ended_radar() -> Example {
    let ended = json!({
        "radar_status": "inactive",
        "status_reason": "user_deactivated",
        "deactivated_at": "2026-02-10T09:30:00.000000Z",
        "next_charge_at": null,
    });
    ("ended", data(200, "Radar deactivated", with(record(), ended)))
}

pub(super) fn radar_page() -> Example {
    let own = json!({"count": 1, "limit": 50, "data": [record()], "has_more": false, "next_cursor": null});
    ("the last page", with(envelope(200, "success", "Radars"), own))
}

pub(super) fn bulk_created() -> Example {
    let summary = json!({"total": 1, "created": 1, "failed": 0, "retryable": 0});
    let own = json!({"custom_fields": {"batch": "7"}, "summary": summary, "results": [created_item()]});
    ("all created", with(envelope(201, "success", "All radars created"), own))
}

pub(super) fn bulk_partial() -> Example {
    let summary = json!({"total": 2, "created": 1, "failed": 1, "retryable": 1});
    let refused_item = with(refused_bulk()["results"][0].take(), json!({"index": 1}));
    let results = json!([created_item(), refused_item]);
    let own = json!({"custom_fields": {"batch": "7"}, "summary": summary, "results": results});
    ("some created", with(envelope(207, "partial_success", "Some radars created"), own))
}

pub(super) fn bulk_rejections() -> [Example; 2] {
    let too_many = rejected(&Rejection::BulkExceedsRateLimit);
    [("no item created", refused_bulk()), ("more items than the budget", too_many)]
}

pub(super) fn updates() -> [Example; 2] {
    [("a finding", finding()), ("a failure", failure())]
}

pub(super) fn updates_page() -> Example {
    let own = json!({"updates": [finding()], "has_more": true, "next_cursor": "AXUAAAAAAAAAGQ"});
    ("a full page", with(envelope(200, "success", "Updates"), own))
}

pub(super) fn account() -> Example {
    let summary = json!({
        "usage": {
            "month": "2026-01",
            "radars_activated": 3,
            "radars_deactivated": 1,
            "radars_failed": 0,
            "updates_found": 42,
            "balance_used_usd": 0.72,
        },
        "account": {
            "total_radars": 5,
            "active_radars": 3,
            "inactive_radars": 1,
            "failed_radars": 1,
            "total_updates_found": 118,
        },
        "balance_remaining_usd": 24.28,
    });
    ("a month", data(200, "Account summary", summary))
}

pub(super) fn payload_schemas() -> Example {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "radar_failure",
        "type": "object",
    });
    ("cut short", data(200, "Payload schemas", json!({"radar_failure": schema})))
}

pub(super) fn webhook_test_request() -> Example {
    let request = json!({"webhook_url": "https://hooks.example.org/radar", "radar_type": "company_job_openings"});
    ("a finding", request)
}

pub(super) fn webhook_test() -> Example {
    let sent = json!({
        "webhook_url": "https://hooks.example.org/radar",
        "radar_type": "company_job_openings",
        "update_type": "radar_finding",
        "payload": finding(),
        "result": {"outcome": "ok", "http_status": 204, "duration_ms": 87},
    });
    ("a finding", data(200, "Sample payload sent", sent))
}

/// The body of a rejection.
pub(super) fn rejected(rejection: &Rejection) -> Value {
    let (_, body) = error::answer(rejection, ERROR_ID, instant());
    json!(body)
}

pub(super) fn envelope(code: u16, status: &str, message: &str) -> Value {
    json!({"status": status, "code": code, "message": message, "timestamp": CREATED_AT})
}

pub(super) fn data(code: u16, message: &str, data: Value) -> Value {
    with(envelope(code, "success", message), json!({"data": data}))
}

fn instant() -> DateTime<Utc> {
    time::parse(CREATED_AT).unwrap_or_default()
}

fn record() -> Value {
    json!({
        "radar_id": RADAR_ID,
        "radar_type": "company_job_openings",
        "domain": "example.com",
        "webhook_url": "https://hooks.example.org/radar",
        "radar_status": "active",
        "departments": ["Engineering", "Sales"],
        "custom_fields": {"crm_id": "4711"},
        "created_at": CREATED_AT,
        "deactivated_at": null,
        "next_charge_at": RENEWS_AT,
    })
}

fn created_item() -> Value {
    json!({"index": 0, "status": "success", "code": 201, "data": record()})
}

/// A bulk of one item, which the balance does not cover.
fn refused_bulk() -> Value {
    let refused = ItemOutcome::Rejected { rejection: Rejection::InsufficientBalance, error_id: ERROR_ID };
    let no_labels = BTreeMap::new();
    let (_, body) = bulk::answer(&no_labels, vec![refused], ERROR_ID, instant());
    json!(body)
}

fn finding() -> Value {
    update(json!({
        "update_type": "radar_finding",
        "record_id": "6f1d8a4b-1c2d-5e3f-8a9b-0c1d2e3f4a5b",
        "content": {
            "job_title": "Sales Director",
            "job_url": "https://example.com/careers/sales-director",
            "job_posted_at": "2026-02-03",
            "job_description": "You lead our sales.",
            "job_source": "greenhouse",
            "country": "SE",
        },
    }))
}

fn failure() -> Value {
    update(json!({
        "update_type": "radar_failure",
        "record_id": null,
        "content": {
            "failure_reason": "source_inaccessible",
            "refund_amount": 0.1,
            "refund_amount_usd": 0.1,
            "message": "The site does not let the service in.",
        },
    }))
}

fn update(own: Value) -> Value {
    let context = json!({
        "update_id": "3d594650-3436-5c8a-9f3e-7d1c2b4a5e6f",
        "radar_type": "company_job_openings",
        "discovered_at": "2026-02-03T08:15:30.123456Z",
        "data": {
            "radar_id": RADAR_ID,
            "radar_type": "company_job_openings",
            "domain": "example.com",
            "custom_fields": {"crm_id": "4711"},
            "next_charge_at": RENEWS_AT,
        },
    });
    with(context, own)
}

/// `object` with the fields of `more`.
pub(super) fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}

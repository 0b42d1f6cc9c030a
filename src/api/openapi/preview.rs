//! The preview of radars.

use serde_json::json;
use utoipa::openapi::path::Operation;

use super::RADARS;
use super::answers::{INVALID, RejectionAnswers, body, operation, success};
use super::examples::{self, Example, data};
use crate::domain::field_limits::PREVIEWS_PER_HOUR;
use crate::wire::schema::answers::{PREVIEW, with_data};
use crate::wire::schema::requests::any_new_radar;
use crate::wire::shapes::named;

/// `POST /v1/radars/preview`.
pub(crate) fn preview() -> Operation {
    operation(
        RADARS,
        "previewRadar",
        "Preview a radar",
        format!(
            "What a radar would find: the sources that would serve it, what is there now, what its filters keep out, \
             and what a month may cost. The body is that of a create; its `radar_type` tells the category. Nothing is \
             created or charged, and a target that a radar watches already may be given. The answer comes within 20 \
             seconds; what was not looked at by then is left out, and `complete` is false.\n\nAn account has \
             {PREVIEWS_PER_HOUR} previews per hour, apart from its other budgets: the rate headers are those of the \
             hour, and a 429 whose reason is `minute` asks to wait for `Retry-After`."
        ),
    )
    .request_body(Some(body(any_new_radar(), examples::preview_requests())))
    .response("200", success("What it would find.", with_data(200, named(PREVIEW)), example()))
    .or_rejected(&[INVALID])
}

fn example() -> Example {
    let finding = json!({
        "job_title": "Director of Sales",
        "job_url": "https://boards.greenhouse.io/example/jobs/4711",
        "job_posted_at": "2026-01-20",
        "job_description": "Lead our sales team.",
        "job_source": "greenhouse",
        "country": "DE",
    });
    let cut = json!({"departments": 21, "seniorities": 30, "job_titles": 0, "countries": 0, "keyword": 0});
    let preview = json!({
        "radar_type": "company_job_openings",
        "served": true,
        "complete": true,
        "note": null,
        "sources": [
            {"source_id": "greenhouse", "name": "Greenhouse", "state": "read", "items": 34, "error": null},
        ],
        "items": {"total": 34, "wanted": 3, "cut": cut},
        "findings": [finding],
        "price": {"model": "update_based", "rate_usd": 0.02, "grace_period": "none"},
        "month": {
            "findings": 4,
            "cost_usd": 0.08,
            "basis": "told from the dates of 3 items, counted since 2026-01-05",
        },
    });
    ("a company's job openings", data(200, "Preview", preview))
}

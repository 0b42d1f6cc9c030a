//! Examples of what is found and how well: radar types, the health of a radar.

use serde_json::json;

use super::examples::{Example, RADAR_ID, data, with};

pub(super) fn radar_types() -> Example {
    let served = json!({
        "radar_type": "company_job_openings",
        "category": "company",
        "filterable": true,
        "served": true,
        "served_if": null,
        "sources": [{"source_id": "greenhouse", "name": "Greenhouse", "attribution": null}],
        "price": {"model": "subscription", "rate_usd": 0.1, "grace_period": "none"},
    });
    let own = json!({
        "radar_type": "company_reviews", "filterable": false, "served": false, "sources": [],
        "price": {"model": "update_based", "rate_usd": 0.02, "grace_period": "none"},
    });
    let unserved = with(served.clone(), own);
    ("one that is served, one that is not", data(200, "Radar types", json!([served, unserved])))
}

pub(super) fn radar_health() -> Example {
    let polls = json!({
        "polled_at": "2026-02-10T09:30:00.000000Z",
        "succeeded_at": "2026-02-10T07:30:00.000000Z",
        "next_poll_at": "2026-02-10T09:34:00.000000Z",
        "last_error": "the site answered with status 503",
        "filtered_items": 12,
    });
    let source = with(polls.clone(), json!({"source_id": "greenhouse"}));
    let own = json!({
        "radar_id": RADAR_ID,
        "state": "failing",
        "ends_at": "2026-02-17T07:30:00.000000Z",
        "sources": [source],
    });
    ("one that sees nothing", data(200, "Radar health", with(polls, own)))
}

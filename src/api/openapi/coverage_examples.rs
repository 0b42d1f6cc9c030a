//! Examples of what is found and how well: radar types, the health of a radar.

use serde_json::json;

use super::examples::Example;
use super::examples::data;

pub(super) fn radar_types() -> Example {
    let served = json!({
        "radar_type": "company_job_openings",
        "category": "company",
        "filterable": true,
        "served": true,
        "sources": [{"source_id": "greenhouse", "name": "Greenhouse", "attribution": null}],
        "price": {"model": "subscription", "rate_usd": 0.1, "grace_period": "none"},
    });
    let unserved = json!({
        "radar_type": "company_reviews",
        "category": "company",
        "filterable": false,
        "served": false,
        "sources": [],
        "price": {"model": "update_based", "rate_usd": 0.02, "grace_period": "none"},
    });
    ("one that is served, one that is not", data(200, "Radar types", json!([served, unserved])))
}

//! A private data provider: declared by a source file, it hands findings in through the operator API.

use serde_json::{Value, json};

use super::client::Answer;
use super::process::Service;
use super::push_source::{ID, PushSource};
use super::sites::Sites;

/// What the provider serves: types for which nothing else is looked for.
const RADAR_TYPES: [&str; 8] = [
    "company_reviews",
    "company_mentions",
    "company_social_posts",
    "company_new_hires",
    "contact_job_changes",
    "contact_social_posts",
    "industry_mentions",
    "industry_funding_rounds",
];

/// Starts a service that knows the provider, which lives as long as the second value.
pub fn start(database_url: &str, settings: &[(&str, &str)], file: &str) -> (Service, PushSource) {
    let provider = PushSource::of(&RADAR_TYPES);
    let sources = provider.dir();
    let settings = [settings, &[("SOURCES__DIR", sources.as_str())]].concat();
    (Service::start_with(database_url, &settings, file), provider)
}

/// Starts a service whose clock stands still, so that every radar of an account is of the same instant; it knows the
/// provider and, at `no-jobs.com`, a company whose radars cannot be set up. Both live as long as their values.
pub fn start_standing_still(database_url: &str) -> (Service, PushSource, Sites) {
    let sites = Sites::start(&["no-jobs.com"]);
    sites.put("no-jobs.com/", "text/html", "<html><body>We sell sand.</body></html>");
    let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
    let (service, provider) = start(database_url, &settings, &sites.settings());
    (service, provider, sites)
}

/// Hands a finding in for one radar; `content` has any keys of the radar's type.
pub async fn push(service: &Service, radar_id: &str, native_id: &str, content: &Value) -> Answer {
    let body = PushSource::finding(radar_id, native_id, content);
    service.operator().post("/operator/v1/findings", &body).await.expect_status(202)
}

/// Hands a finding in for every radar of `radar_type` that watches `target`, such as `{"domain": "acme.com"}`.
pub async fn push_to_all(service: &Service, radar_type: &str, target: &Value, native_id: &str) -> Answer {
    let body = json!({
        "radar_type": radar_type, "target": target, "native_id": native_id, "source": ID, "content": {},
    });
    service.operator().post("/operator/v1/findings", &body).await.expect_status(202)
}

/// Moves the simulated clock.
pub async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}

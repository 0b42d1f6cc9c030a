//! `/`: what needs attention, what goes on, who is at work. `/find`: whatever has an identifier or a domain.

use askama::Template;
use uuid::Uuid;

use super::{Asked, given};
use crate::api::{Api, with_query};
use crate::chart::Curve;
use crate::frame::{Page, Visit, page, see};
use crate::record::Record;

/// The most of each kind that is counted.
const COUNTED: usize = 100;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    title: &'static str,
    token: String,
    matters: Vec<Matter>,
    curves: Vec<Curve>,
    actors: Vec<Record>,
}

/// Something that needs attention.
struct Matter {
    count: String,
    what: &'static str,
    path: &'static str,
}

/// `GET /`
pub(crate) async fn show(visit: Visit) -> Page {
    let actors = visit.api.get("/operator/v1/actors").await?.list("data");
    let activity = visit.api.get_or_nothing("/operator/v1/activity").await.list("data.minutes");
    let curve = |(field, name): (&str, &'static str)| {
        let values: Vec<u64> = activity.iter().map(|minute| minute.number(field) as u64).collect();
        Curve::of(name, &values)
    };
    let names = [("findings", "findings"), ("renewals", "renewals"), ("deliveries", "deliveries"), ("polls", "polls")];
    let curves = names.map(curve).into();
    page(&Overview {
        title: "Overview",
        token: visit.token,
        matters: matters(&visit.api, &actors).await,
        curves,
        actors,
    })
}

async fn matters(api: &Api, actors: &[Record]) -> Vec<Matter> {
    let mut matters = Vec::new();
    for (what, path, list) in [
        ("endpoints are disabled", "/deliveries?endpoints=disabled", "/operator/v1/endpoints?state=disabled&limit=100"),
        ("deliveries are held", "/deliveries?state=held", "/operator/v1/deliveries?state=held&limit=100"),
        (
            "deliveries failed for good",
            "/deliveries?state=exhausted",
            "/operator/v1/deliveries?state=exhausted&limit=100",
        ),
        ("findings wait for approval", "/accounts", "/operator/v1/findings?limit=100"),
    ] {
        let found = api.get_or_nothing(list).await.list("data").len();
        matters.push((found, what, path));
    }
    let sources = api.get_or_nothing("/operator/v1/sources").await.list("data");
    let broken = sources.iter().filter(|source| source.is("health.state", "broken")).count();
    let failing = sources.iter().filter(|source| source.is("health.state", "failing_in_part")).count();
    let poisoned: f64 = actors.iter().map(|kind| kind.number("poisoned")).sum();
    matters.push((broken, "sources are broken", "/sources?state=broken"));
    matters.push((failing, "sources fail in part", "/sources?state=failing_in_part"));
    matters.push((poisoned as usize, "actors keep crashing", "/"));
    let count = |found: usize| if found >= COUNTED { format!("{COUNTED}+") } else { found.to_string() };
    let present = matters.into_iter().filter(|(found, ..)| *found > 0);
    present.map(|(found, what, path)| Matter { count: count(found), what, path }).collect()
}

/// `GET /find?q=`: the page of a radar, an update or an account, or the radars that watch a domain.
pub(crate) async fn find(visit: Visit, asked: Asked) -> Page {
    let sought = given(&asked, "q");
    if Uuid::try_parse(sought).is_err() {
        return Ok(see(&with_query("/radars", &[("domain", sought)])));
    }
    let found = visit.api.get(&format!("/operator/v1/why/{}", sought.to_ascii_lowercase())).await?.get("data");
    let place = match found.text("kind").as_str() {
        "radar" => "radars",
        "update" => "deliveries",
        _ => "accounts",
    };
    Ok(see(&format!("/{place}/{}", found.text("id"))))
}

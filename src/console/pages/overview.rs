//! `/`: what needs attention, what goes on, who is at work. `/find`: whatever has an identifier or a domain.

use askama::Template;
use uuid::Uuid;

use crate::api::{Api, with_query};
use crate::asked::{Asked, given};
use crate::chart::Curve;
use crate::frame::{Page, Visit, page, see};
use crate::record::Record;

/// What may need attention: its name in the operator API, its words, and where it is shown.
const MATTERS: [(&str, &str, &str); 12] = [
    ("accounts_frozen", "accounts are frozen: their rows do not add up", "/accounts?state=frozen"),
    ("accounts_stopped", "accounts are stopped", "/accounts?state=inactive"),
    ("types_paused", "types are paused: a balance does not cover them", "/accounts"),
    ("endpoints_failing", "endpoints fail and are left alone for a while", "/deliveries"),
    ("endpoints_disabled", "endpoints are disabled", "/deliveries?endpoints=disabled"),
    ("deliveries_held", "deliveries are held", "/deliveries?state=held"),
    ("deliveries_exhausted", "deliveries failed for good", "/deliveries?state=exhausted"),
    ("findings_pending", "findings wait for approval", "/findings"),
    ("sources_broken", "sources are broken", "/sources?state=broken"),
    ("sources_failing_in_part", "sources fail in part", "/sources?state=failing_in_part"),
    ("nodes_silent", "processes are silent", "/nodes"),
    ("actors_poisoned", "actors keep crashing", "#actors"),
];

/// How often a page that is live is loaded again, in seconds.
const LIVE_S: u32 = 10;

#[derive(Template)]
#[template(path = "overview.html")]
struct Overview {
    title: &'static str,
    token: String,
    matters: Vec<Matter>,
    curves: Vec<Curve>,
    actors: Vec<Record>,
    /// After how many seconds the page is loaded again; 0 is never.
    again_s: u32,
}

/// Something that needs attention.
struct Matter {
    count: String,
    what: &'static str,
    path: &'static str,
}

/// `GET /`; with `live` it is loaded again and again.
pub(crate) async fn show(visit: Visit, asked: Asked) -> Page {
    let actors = visit.api.get("/operator/v1/actors").await?.list("data");
    let activity = visit.api.get_or_nothing("/operator/v1/activity").await.list("data.minutes");
    let curve = |(field, name): (&str, &'static str)| {
        let values: Vec<u64> = activity.iter().map(|minute| minute.number(field) as u64).collect();
        Curve::of(name, &values)
    };
    let names = [("findings", "findings"), ("charges", "charges"), ("deliveries", "deliveries"), ("polls", "polls")];
    let curves = names.map(curve).into();
    page(&Overview {
        title: "Overview",
        token: visit.token,
        matters: matters(&visit.api).await,
        again_s: if given(&asked, "live").is_empty() { 0 } else { LIVE_S },
        curves,
        actors,
    })
}

async fn matters(api: &Api) -> Vec<Matter> {
    let found = api.get_or_nothing("/operator/v1/attention").await.list("data");
    let matter = |(name, what, path): &(&str, &'static str, &'static str)| {
        let kind = found.iter().find(|kind| kind.is("what", name) && kind.has("count"))?;
        Some(Matter { count: kind.count(), what, path })
    };
    MATTERS.iter().filter_map(matter).collect()
}

/// `GET /find?q=`: the page of a radar, an update or an account; or the list in which something begins so.
pub(crate) async fn find(visit: Visit, asked: Asked) -> Page {
    let sought = given(&asked, "q");
    if Uuid::try_parse(sought).is_err() {
        return Ok(see(&place_of(&visit.api, sought).await));
    }
    let found = visit.api.get(&format!("/operator/v1/why/{}", sought.to_ascii_lowercase())).await?.get("data");
    let place = match found.text("kind").as_str() {
        "radar" => "radars",
        "update" => "deliveries",
        _ => "accounts",
    };
    Ok(see(&format!("/{place}/{}", found.text("id"))))
}

/// The list that has something of this domain or name; where none has, that of radars, which says so.
async fn place_of(api: &Api, sought: &str) -> String {
    let beginning = format!("{sought}*");
    for field in ["domain", "name", "keyword"] {
        let radars = with_query("/operator/v1/radars", &[(field, beginning.as_str()), ("limit", "1")]);
        if api.get_or_nothing(&radars).await.has("count") {
            return with_query("/radars", &[(field, sought)]);
        }
    }
    let accounts = with_query("/operator/v1/accounts", &[("name", sought), ("limit", "1")]);
    match api.get_or_nothing(&accounts).await.has("data") {
        true => with_query("/accounts", &[("name", sought)]),
        false => with_query("/radars", &[("domain", sought)]),
    }
}

//! `/sources`: how the sources fare, the failing ones first, and the terms of each.

use actix_web::web::Path;
use askama::Template;

use crate::api::segment;
use crate::asked::{Asked, given};
use crate::frame::{Page, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "sources.html")]
struct Sources {
    title: &'static str,
    token: String,
    state: String,
    found: Vec<Record>,
}

#[derive(Template)]
#[template(path = "source.html")]
struct Source {
    title: String,
    token: String,
    source: Record,
}

/// `GET /sources`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let state = given(&asked, "state").to_owned();
    let mut found = visit.api.get("/operator/v1/sources").await?.list("data");
    found.retain(|source| state.is_empty() || source.is("health.state", &state));
    let order = ["broken", "failing_in_part", "well", "pushed", "unused", "disabled"];
    found.sort_by_key(|source| order.iter().position(|state| source.is("health.state", state)));
    page(&Sources { title: "Sources", token: visit.token, state, found })
}

/// `GET /sources/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Page {
    let source = visit.api.get(&format!("/operator/v1/sources/{}", segment(&id))).await?.get("data");
    page(&Source { title: source.text("name"), token: visit.token, source })
}

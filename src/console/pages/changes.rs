//! `/changes`: what operators did.

use askama::Template;

use crate::api::with_query;
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "changes.html")]
struct Changes {
    title: &'static str,
    token: String,
    about: String,
    since: String,
    found: Vec<Record>,
    next: String,
}

/// `GET /changes`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["about", "since", "cursor"]);
    let found = visit.api.get(&with_query("/operator/v1/audit", &query)).await?;
    page(&Changes {
        title: "Changes",
        token: visit.token,
        about: given(&asked, "about").to_owned(),
        since: given(&asked, "since").to_owned(),
        next: next_page("/changes", &found, &query),
        found: found.list("data"),
    })
}

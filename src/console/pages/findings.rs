//! `/findings`: findings that wait for an operator's word.

use actix_web::web::Path;
use askama::Template;

use crate::api::{segment, with_query};
use crate::asked::{Asked, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "findings.html")]
struct Findings {
    title: &'static str,
    token: String,
    found: Vec<Record>,
    next: String,
    live: String,
}

/// `GET /findings`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["account_id", "cursor"]);
    let found = visit.api.get(&with_query("/operator/v1/findings", &query)).await?;
    let next = next_page("/findings", &found, &query);
    let live = with_query("/live/findings", &query);
    page(&Findings { title: "Approvals", token: visit.token, next, live, found: found.list("data") })
}

/// `POST /findings/{id}/approve` and `…/reject`
pub(crate) async fn decide(form: Submitted, path: Path<(String, String)>) -> Page {
    let (id, decision) = path.into_inner();
    form.post(&format!("/operator/v1/findings/{}/{}", segment(&id), segment(&decision)), "/findings").await
}

//! `/nodes`: the processes that share the database, what each owns, and draining one.

use actix_web::web::Path;
use askama::Template;

use crate::api::segment;
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "nodes.html")]
struct Nodes {
    title: &'static str,
    token: String,
    found: Vec<Record>,
}

/// `GET /nodes`
pub(crate) async fn list(visit: Visit) -> Page {
    let found = visit.api.get("/operator/v1/nodes").await?.list("data");
    page(&Nodes { title: "Nodes", token: visit.token, found })
}

/// `POST /nodes/{id}/drain`
pub(crate) async fn drain(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/operator/v1/nodes/{}/drain", segment(&id)), "/nodes").await
}

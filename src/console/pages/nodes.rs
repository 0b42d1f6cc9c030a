//! `/nodes`: the processes that share the database, what each owns, and draining one.

use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;
use serde_json::json;

use crate::api::segment;
use crate::frame::{Page, Submitted, Visit, page, see};
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
    let path = format!("/operator/v1/nodes/{}/drain", segment(&id));
    form.visit.api.send(Method::POST, &path, Some(json!({}))).await?;
    Ok(see("/nodes"))
}

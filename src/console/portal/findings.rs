//! `/portal/findings`: what was found, what one stands on, and marking one as wrong.

use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;
use serde_json::json;

use crate::api::{Refused, segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/findings.html")]
struct Findings {
    title: &'static str,
    token: String,
    domain: String,
    radar: String,
    update_type: String,
    found: Vec<Record>,
    next: String,
}

#[derive(Template)]
#[template(path = "portal/finding.html")]
struct Finding {
    title: &'static str,
    token: String,
    id: String,
    evidence: Record,
    delivery: Record,
    /// Whether feedback was just given.
    is_noted: bool,
}

/// `GET /portal/findings`, the newest first
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let mut query = given_of(&asked, &["domain", "radar_id", "update_type", "cursor"]);
    let next_of = query.clone();
    query.push(("order", "newest_first"));
    let found = visit.api.get(&with_query("/v1/updates", &query)).await?;
    page(&Findings {
        title: "Findings",
        token: visit.token,
        domain: given(&asked, "domain").to_owned(),
        radar: given(&asked, "radar_id").to_owned(),
        update_type: given(&asked, "update_type").to_owned(),
        next: next_page("/portal/findings", &found, &next_of),
        found: found.list("updates"),
    })
}

/// `GET /portal/findings/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>, asked: Asked) -> Page {
    let id = id.into_inner();
    let evidence = visit.api.get(&format!("/v1/updates/{}/evidence", segment(&id))).await?.get("data");
    let delivery = match visit.api.get(&format!("/v1/webhooks/deliveries/{}", segment(&id))).await {
        Ok(delivery) => delivery.get("data"),
        // Its radar has no address that anything is sent to.
        Err(Refused { status: 404, .. }) => Record::default(),
        Err(refused) => return Err(refused.into()),
    };
    let is_noted = !given(&asked, "noted").is_empty();
    page(&Finding { title: "Finding", token: visit.token, id, evidence, delivery, is_noted })
}

/// `POST /portal/findings/{id}/feedback`
pub(crate) async fn mark(form: Submitted, id: Path<String>) -> Page {
    let body = json!({"useful": form.field("useful") == "yes", "reason": form.field("reason")});
    let path = format!("/v1/updates/{}/feedback", segment(&id));
    form.send(Method::POST, &path, body, &format!("/portal/findings/{}?noted=1", segment(&id))).await
}

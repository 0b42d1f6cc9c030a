//! `/portal/deliveries`: what was sent, sending it again, and addresses that are disabled.

use actix_web::web::Path;
use askama::Template;

use crate::api::{segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/deliveries.html")]
struct Deliveries {
    title: &'static str,
    token: String,
    state: String,
    radar: String,
    found: Vec<Record>,
    endpoints: Vec<Record>,
    next: String,
}

#[derive(Template)]
#[template(path = "portal/delivery.html")]
struct Delivery {
    title: &'static str,
    token: String,
    delivery: Record,
}

/// `GET /portal/deliveries`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["state", "radar_id", "cursor"]);
    let found = visit.api.get(&with_query("/v1/webhooks/deliveries", &query)).await?;
    page(&Deliveries {
        title: "Deliveries",
        endpoints: visit.api.get("/v1/webhooks/endpoints").await?.list("data"),
        token: visit.token,
        state: given(&asked, "state").to_owned(),
        radar: given(&asked, "radar_id").to_owned(),
        next: next_page("/portal/deliveries", &found, &query),
        found: found.list("data"),
    })
}

/// `GET /portal/deliveries/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Page {
    let delivery = visit.api.get(&format!("/v1/webhooks/deliveries/{}", segment(&id))).await?.get("data");
    page(&Delivery { title: "Delivery", token: visit.token, delivery })
}

/// `POST /portal/deliveries/{id}/resend`
pub(crate) async fn resend(form: Submitted, id: Path<String>) -> Page {
    form.post(
        &format!("/v1/webhooks/deliveries/{}/resend", segment(&id)),
        &format!("/portal/deliveries/{}", segment(&id)),
    )
    .await
}

/// `POST /portal/endpoints/{id}/enable`
pub(crate) async fn enable(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/v1/webhooks/endpoints/{}/enable", segment(&id)), "/portal/deliveries").await
}

//! `/deliveries`: why an update has not arrived, sending it again, and endpoints that are disabled.

use actix_web::web::Path;
use askama::Template;

use crate::api::{segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "deliveries.html")]
struct Deliveries {
    title: &'static str,
    token: String,
    state: String,
    account: String,
    radar: String,
    found: Vec<Record>,
    disabled: Vec<Record>,
    next: String,
    live: String,
}

#[derive(Template)]
#[template(path = "delivery.html")]
struct Delivery {
    title: &'static str,
    token: String,
    why: String,
    delivery: Record,
}

/// `GET /deliveries`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let mut query = given_of(&asked, &["state", "account_id", "radar_id", "cursor"]);
    let next_of = query.clone();
    query.push(("limit", "50"));
    let found = visit.api.get(&with_query("/operator/v1/deliveries", &query)).await?;
    let disabled = visit.api.get_or_nothing("/operator/v1/endpoints?state=disabled&limit=50").await;
    page(&Deliveries {
        title: "Deliveries",
        token: visit.token,
        state: given(&asked, "state").to_owned(),
        account: given(&asked, "account_id").to_owned(),
        radar: given(&asked, "radar_id").to_owned(),
        next: next_page("/deliveries", &found, &next_of),
        live: with_query("/live/deliveries", &next_of),
        found: found.list("data"),
        disabled: disabled.list("data"),
    })
}

/// `GET /deliveries/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Page {
    let delivery = visit.api.get(&format!("/operator/v1/deliveries/{}", segment(&id))).await?.get("data");
    let why = visit.api.get_or_nothing(&format!("/operator/v1/why/{}", segment(&id))).await.text("data.why");
    page(&Delivery { title: "Delivery", token: visit.token, why, delivery })
}

/// `POST /deliveries/{id}/resend`
pub(crate) async fn resend(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/operator/v1/deliveries/{}/resend", segment(&id)), &format!("/deliveries/{}", segment(&id)))
        .await
}

/// `POST /endpoints/{id}/enable`
pub(crate) async fn enable(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/operator/v1/endpoints/{}/enable", segment(&id)), "/deliveries").await
}

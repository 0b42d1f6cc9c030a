//! `/clock`: a simulated clock, and moving it.

use actix_web::http::Method;
use askama::Template;
use serde_json::json;

use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "clock.html")]
struct Clock {
    title: &'static str,
    token: String,
    /// Empty with the machine's clock.
    clock: Record,
}

/// `GET /clock`
pub(crate) async fn show(visit: Visit) -> Page {
    let clock = visit.api.get_or_nothing("/operator/v1/clock").await.get("data");
    page(&Clock { title: "Clock", token: visit.token, clock })
}

/// `POST /clock/advance`
pub(crate) async fn advance(form: Submitted) -> Page {
    // What is no number is refused by the operator API, in its words.
    let seconds = form.field("hours").parse::<u64>().ok().and_then(|hours| hours.checked_mul(3600));
    form.send(Method::POST, "/operator/v1/clock/advance", json!({"seconds": seconds}), "/clock").await
}

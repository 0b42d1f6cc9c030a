//! `/portal`: how the account is. `/portal/spending`: for what it paid.

use askama::Template;

use crate::api::with_query;
use crate::asked::{Asked, given_of};
use crate::frame::{Page, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/overview.html")]
struct Overview {
    title: &'static str,
    token: String,
    account: Record,
    disabled: Vec<Record>,
    findings: Vec<Record>,
}

#[derive(Template)]
#[template(path = "portal/spending.html")]
struct Spending {
    title: &'static str,
    token: String,
    account: Record,
    spend: Record,
}

/// `GET /portal`
pub(crate) async fn show(visit: Visit) -> Page {
    let api = &visit.api;
    page(&Overview {
        title: "Overview",
        account: api.get("/v1/account").await?.get("data"),
        disabled: api.get("/v1/webhooks/endpoints?state=disabled&limit=10").await?.list("data"),
        findings: api.get("/v1/updates?order=newest_first&limit=5").await?.list("updates"),
        token: visit.token,
    })
}

/// `GET /portal/spending`
pub(crate) async fn spending(visit: Visit, asked: Asked) -> Page {
    let month = given_of(&asked, &["month"]);
    page(&Spending {
        title: "Spending",
        account: visit.api.get(&with_query("/v1/account", &month)).await?.get("data"),
        spend: visit.api.get(&with_query("/v1/account/spend", &month)).await?.get("data"),
        token: visit.token,
    })
}

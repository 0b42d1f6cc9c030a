//! `/accounts`: customers, the money of each, and what an operator changes about one.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;
use serde_json::json;

use crate::api::{segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, made, new_key, page, page_with, see_made};
use crate::record::Record;

#[derive(Template)]
#[template(path = "accounts.html")]
struct Accounts {
    title: &'static str,
    token: String,
    name: String,
    state: String,
    found: Vec<Record>,
    next: String,
}

#[derive(Template)]
#[template(path = "account.html")]
struct Account {
    title: String,
    token: String,
    /// What was just made and is shown once.
    made: Record,
    account: Record,
    why: String,
    prices: Vec<Record>,
    keys: Vec<Record>,
    endpoints: Vec<Record>,
}

#[derive(Template)]
#[template(path = "spend.html")]
struct Spend {
    title: &'static str,
    token: String,
    account: Record,
    month: String,
    /// What there is of each kind, in USD.
    movements: Vec<(String, String)>,
    spend: Record,
}

#[derive(Template)]
#[template(path = "ledger.html")]
struct Ledger {
    title: &'static str,
    token: String,
    account: Record,
    found: Vec<Record>,
    next: String,
}

fn path_of(id: &str) -> String {
    format!("/operator/v1/accounts/{}", segment(id))
}

fn back_to(id: &str) -> String {
    format!("/accounts/{}", segment(id))
}

/// `GET /accounts`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["name", "state", "cursor"]);
    let found = visit.api.get(&with_query("/operator/v1/accounts", &query)).await?;
    page(&Accounts {
        title: "Accounts",
        token: visit.token,
        name: given(&asked, "name").to_owned(),
        state: given(&asked, "state").to_owned(),
        next: next_page("/accounts", &found, &query),
        found: found.list("data"),
    })
}

/// `POST /accounts`: what is secret of the new account is shown this once.
pub(crate) async fn create(form: Submitted, request: HttpRequest) -> Page {
    let body = json!({"name": form.field("name")});
    let made = form.visit.api.send(Method::POST, "/operator/v1/accounts", Some(body)).await?.get("data");
    see_made(&request, &back_to(&made.text("account_id")), &made)
}

/// `POST /accounts/{id}/api-keys`: the new key is shown this once.
pub(crate) async fn create_key(form: Submitted, id: Path<String>, request: HttpRequest) -> Page {
    let path = format!("{}/api-keys", path_of(&id));
    let made = form.visit.api.send(Method::POST, &path, Some(new_key(&form))).await?.get("data");
    see_made(&request, &back_to(&id), &made)
}

/// `POST /accounts/{id}/portal-links`: the link is shown this once.
pub(crate) async fn create_portal_link(form: Submitted, id: Path<String>, request: HttpRequest) -> Page {
    let path = format!("{}/portal-links", path_of(&id));
    let body = json!({"scopes": new_key(&form)["scopes"]});
    let made = form.visit.api.send(Method::POST, &path, Some(body)).await?.get("data");
    see_made(&request, &back_to(&id), &made)
}

/// `POST /accounts/{id}/api-keys/{key_id}/revoke`
pub(crate) async fn revoke_key(form: Submitted, path: Path<(String, String)>) -> Page {
    let (id, key_id) = path.into_inner();
    form.delete(&format!("{}/api-keys/{}", path_of(&id), segment(&key_id)), &back_to(&id)).await
}

/// `GET /accounts/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>, request: HttpRequest) -> Page {
    let (api, path) = (&visit.api, path_of(&id));
    let account = api.get(&path).await?.get("data");
    let endpoints = format!("/operator/v1/endpoints?account_id={}", segment(&id));
    let made = made(&request);
    let account = Account {
        title: account.text("name"),
        made: made.clone(),
        why: api.get_or_nothing(&format!("/operator/v1/why/{}", segment(&id))).await.text("data.why"),
        prices: api.get_or_nothing(&format!("{path}/prices?in_force=true")).await.list("data"),
        keys: api.get_or_nothing(&format!("{path}/api-keys")).await.list("data"),
        endpoints: api.get_or_nothing(&endpoints).await.list("data"),
        account,
        token: visit.token,
    };
    page_with(&account, &request, &made)
}

/// `POST /accounts/{id}/status`
pub(crate) async fn set_status(form: Submitted, id: Path<String>) -> Page {
    let body = json!({"status": form.field("status")});
    form.send(Method::PATCH, &path_of(&id), body, &back_to(&id)).await
}

/// `POST /accounts/{id}/top-ups`
pub(crate) async fn top_up(form: Submitted, id: Path<String>) -> Page {
    let body = json!({"amount_usd": form.field("amount_usd"), "payment_ref": form.field("payment_ref")});
    form.send(Method::POST, &format!("{}/top-ups", path_of(&id)), body, &back_to(&id)).await
}

/// `POST /accounts/{id}/prices`
pub(crate) async fn set_price(form: Submitted, id: Path<String>) -> Page {
    let body = json!({"model": form.field("model"), "rate_usd": form.field("rate_usd")});
    let path = format!("{}/prices/{}", path_of(&id), segment(form.field("radar_type")));
    form.send(Method::PUT, &path, body, &back_to(&id)).await
}

/// `GET /accounts/{id}/spend`: this month, or another one. A month that is too long for its sums is not added up by kind.
pub(crate) async fn spend(visit: Visit, id: Path<String>, asked: Asked) -> Page {
    let (api, path) = (&visit.api, path_of(&id));
    let answer = api.get(&path).await?;
    let month = match given(&asked, "month") {
        "" => answer.text("timestamp").chars().take(7).collect(),
        month => month.to_owned(),
    };
    let spend = api.get(&format!("{path}/spend/{}", segment(&month))).await?.get("data");
    let mut movements = Vec::new();
    if !spend.has("not_summed") {
        let by_kind = api.get(&format!("{path}/statements/{}", segment(&month))).await?.get("data.by_kind");
        let kinds = ["top_up", "subscription", "finding", "refund", "expiry"];
        movements.extend(kinds.map(|kind| (kind.replace('_', " "), by_kind.text(&format!("{kind}.amount_usd")))));
    }
    let title = "What it was for";
    page(&Spend { title, token: visit.token, account: answer.get("data"), month, movements, spend })
}

/// `GET /accounts/{id}/ledger`
pub(crate) async fn ledger(visit: Visit, id: Path<String>, asked: Asked) -> Page {
    let asked = given_of(&asked, &["cursor"]);
    let account = visit.api.get(&path_of(&id)).await?.get("data");
    let found = visit.api.get(&with_query(&format!("{}/ledger", path_of(&id)), &asked)).await?;
    let next = next_page(&format!("{}/ledger", back_to(&id)), &found, &asked);
    page(&Ledger { title: "Ledger", token: visit.token, account, next, found: found.list("data") })
}

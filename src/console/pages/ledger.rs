//! `/ledger`: whether the rows of accounts add up, of one or of all, page by page.

use askama::Template;

use crate::api::with_query;
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "audit.html")]
struct Audit {
    title: &'static str,
    token: String,
    account: String,
    /// What was checked; `None` before somebody asks for it.
    found: Option<Vec<Record>>,
    next: String,
}

/// `GET /ledger`; with `verify` it checks.
pub(crate) async fn show(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["account_id", "cursor"]);
    let account = given(&asked, "account_id").to_owned();
    if given(&asked, "verify").is_empty() {
        return page(&Audit { title: "Ledger", token: visit.token, account, found: None, next: String::new() });
    }
    let found = visit.api.get(&with_query("/operator/v1/ledger/verify", &query)).await?;
    let next = next_page("/ledger", &found, &[&query[..], &[("verify", "1")]].concat());
    page(&Audit { title: "Ledger", token: visit.token, account, found: Some(found.list("data")), next })
}

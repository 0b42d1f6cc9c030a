//! `/jobs`: one action on everything that matches. It is begun from a list, which counts first; its progress is shown, and it can
//! be stopped.

use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;
use serde_json::{Map, Value, json};

use crate::api::{Refused, segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page, see};
use crate::record::Record;

/// An action on all that match.
#[derive(Clone, Copy)]
struct Action {
    /// Where the operator API takes it.
    path: &'static str,
    /// Where the form is sent that begins it.
    form: &'static str,
    title: &'static str,
    /// What it does to how many, behind their count.
    does: &'static str,
    /// What matching ones are given by.
    fields: &'static [&'static str],
}

const RESEND: Action = Action {
    path: "/operator/v1/deliveries/recover",
    form: "/deliveries/recover",
    title: "Send again",
    does: "deliveries would be sent again. Their receivers get them once more, as quickly as their hosts and the day of their account \
           allow.",
    fields: &["since", "until", "account_id"],
};

const DEACTIVATE: Action = Action {
    path: "/operator/v1/radars/deactivate",
    form: "/radars/deactivate",
    title: "Deactivate",
    does: "active radars would be deactivated, as their owners could do it. None can be made active again; what was paid is not given \
           back.",
    fields: &["domain", "name", "keyword", "profile", "email", "id", "account", "radar_type"],
};

#[derive(Template)]
#[template(path = "confirm.html")]
struct Confirm<'a> {
    title: &'static str,
    token: String,
    action: Action,
    count: String,
    given: Vec<(&'a str, &'a str)>,
}

#[derive(Template)]
#[template(path = "jobs.html")]
struct Jobs {
    title: &'static str,
    token: String,
    found: Vec<Record>,
    next: String,
}

#[derive(Template)]
#[template(path = "job.html")]
struct Job {
    title: &'static str,
    token: String,
    job: Record,
    live: String,
}

/// `GET /jobs`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["cursor"]);
    let found = visit.api.get(&with_query("/operator/v1/jobs", &query)).await?;
    let next = next_page("/jobs", &found, &query);
    page(&Jobs { title: "Jobs", token: visit.token, found: found.list("data"), next })
}

/// `GET /jobs/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Page {
    let job = visit.api.get(&format!("/operator/v1/jobs/{}", segment(&id))).await?.get("data");
    let title = if job.is("action", "resend") { RESEND.title } else { DEACTIVATE.title };
    page(&Job { title, token: visit.token, live: with_query("/live/job", &[("id", &job.text("job_id"))]), job })
}

/// `POST /jobs/{id}/stop`
pub(crate) async fn stop(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/operator/v1/jobs/{}/stop", segment(&id)), &format!("/jobs/{}", segment(&id))).await
}

/// `GET /deliveries/recover`: how many would be sent again.
pub(crate) async fn confirm_resend(visit: Visit, asked: Asked) -> Page {
    confirm(RESEND, visit, &asked).await
}

/// `POST /deliveries/recover`
pub(crate) async fn resend(form: Submitted) -> Page {
    let begun = begin(RESEND, &form).await?;
    Ok(see(&format!("/jobs/{}", begun.text("data.recovery_id"))))
}

/// `GET /radars/deactivate`: how many would be deactivated.
pub(crate) async fn confirm_deactivate(visit: Visit, asked: Asked) -> Page {
    confirm(DEACTIVATE, visit, &asked).await
}

/// `POST /radars/deactivate`
pub(crate) async fn deactivate(form: Submitted) -> Page {
    let begun = begin(DEACTIVATE, &form).await?;
    Ok(see(&format!("/jobs/{}", begun.text("data.job_id"))))
}

async fn confirm(action: Action, visit: Visit, asked: &Asked) -> Page {
    let mut body = matching(action, |name| given(asked, name));
    body.insert("dry_run".to_owned(), json!(true));
    let count = visit.api.send(Method::POST, action.path, Some(body.into())).await?.get("data").count();
    page(&Confirm { title: action.title, token: visit.token, action, count, given: given_of(asked, action.fields) })
}

async fn begin(action: Action, form: &Submitted) -> Result<Record, Refused> {
    let body = matching(action, |name| form.field(name));
    form.visit.api.send(Method::POST, action.path, Some(body.into())).await
}

/// What is given of the fields of an action.
fn matching<'a>(action: Action, value: impl Fn(&'static str) -> &'a str) -> Map<String, Value> {
    let given = action.fields.iter().map(|name| (*name, value(name))).filter(|(_, value)| !value.is_empty());
    given.map(|(name, value)| (name.to_owned(), json!(value))).collect()
}

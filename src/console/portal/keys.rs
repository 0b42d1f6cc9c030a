//! `/portal/keys`: keys for programs, and the sessions of the portal.

use actix_web::http::Method;
use actix_web::web::Path;
use askama::Template;
use serde_json::json;

use crate::api::segment;
use crate::frame::{Page, Submitted, Visit, page, see};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/keys.html")]
struct Keys {
    title: &'static str,
    token: String,
    /// The key that was just made.
    made: Record,
    /// Keys of a kind, under its name.
    kinds: [(&'static str, Vec<Record>); 2],
}

/// `GET /portal/keys`
pub(crate) async fn list(visit: Visit) -> Page {
    shown(visit, Record::default()).await
}

/// `POST /portal/keys`: the new key is shown this once.
pub(crate) async fn create(form: Submitted) -> Page {
    let scopes: Vec<&str> = ["read", "write"].into_iter().filter(|scope| !form.field(scope).is_empty()).collect();
    let mut body = json!({"scopes": scopes});
    if !form.field("expires_on").is_empty() {
        body["expires_at"] = json!(format!("{}T00:00:00Z", form.field("expires_on")));
    }
    let made = form.visit.api.send(Method::POST, "/v1/api-keys", Some(body)).await?.get("data");
    shown(form.visit, made).await
}

/// `POST /portal/keys/{id}/revoke`
pub(crate) async fn revoke(form: Submitted, id: Path<String>) -> Page {
    form.visit.api.send(Method::DELETE, &format!("/v1/api-keys/{}", segment(&id)), None).await?;
    Ok(see("/portal/keys"))
}

async fn shown(visit: Visit, made: Record) -> Page {
    let found = visit.api.get("/v1/api-keys").await?.list("data");
    let (sessions, programs) = found.into_iter().partition(|key| key.is("kind", "portal_session"));
    let kinds = [("Keys of programs", programs), ("Sessions of this portal", sessions)];
    page(&Keys { title: "Keys", token: visit.token, made, kinds })
}

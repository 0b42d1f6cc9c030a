//! A method of a path, declared once: for the server and for the document.

use actix_web::Route;
use actix_web::http::Method;
use utoipa::openapi::schema::ObjectBuilder;

use crate::web::resource::Row;

/// A method of a path: what answers it, and what the document says about it.
pub(super) struct Endpoint {
    pub(super) path: &'static str,
    pub(super) method: Method,
    /// Whether it asks for the operator's key.
    pub(super) is_guarded: bool,
    /// What it does, in a sentence.
    pub(super) summary: &'static str,
    /// The parameters of its query.
    pub(super) query: &'static [&'static str],
    /// The body of its request.
    pub(super) body: Option<ObjectBuilder>,
    /// The status of a success.
    pub(super) status: u16,
    /// The media type of a success.
    pub(super) media_type: &'static str,
    route: Route,
}

impl Endpoint {
    pub(super) fn new(path: &'static str, method: Method, is_guarded: bool, route: Route) -> Self {
        let (summary, query, body, status, media_type) = ("", [].as_slice(), None, 200, "application/json");
        Self { path, method, is_guarded, summary, query, body, status, media_type, route }
    }

    pub(super) fn says(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    pub(super) fn query(self, query: &'static [&'static str]) -> Self {
        Self { query, ..self }
    }

    pub(super) fn body(self, body: ObjectBuilder) -> Self {
        Self { body: Some(body), ..self }
    }

    pub(super) fn answers(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// What it answers is no JSON.
    pub(super) fn media_type(self, media_type: &'static str) -> Self {
        Self { media_type, ..self }
    }

    /// What the server needs of it.
    pub(super) fn row(self) -> Row {
        (self.path, self.method, self.route)
    }
}

//! `GET /openapi.json`, and a page at `/docs/` to read it with. Neither asks for a key nor spends a budget, and the
//! page needs nothing but this service.

use std::sync::Arc;

use actix_web::http::header::{CONTENT_ENCODING, ContentEncoding, LOCATION};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use super::openapi;
use super::routes::{resource, unknown_path};
use crate::clock::Clock;

/// The document, and how the page shows it. Clones share them.
#[derive(Clone)]
pub(super) struct Docs {
    document: Bytes,
    page: Arc<Config<'static>>,
}

impl Docs {
    /// # Errors
    /// The document cannot be written.
    pub(super) fn new() -> Result<Self, serde_json::Error> {
        let document = Bytes::from(openapi::document().to_json()?);
        // The badge of the validator would be fetched from the world.
        let page = Config::from("../openapi.json").validator_url("none").persist_authorization(true);
        Ok(Self { document, page: Arc::new(page) })
    }
}

/// Adds the routes.
pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(resource("/openapi.json", "GET", [web::get().to(document)]))
        .service(resource("/docs", "GET", [web::get().to(redirect)]))
        .service(resource("/docs/{file:.*}", "GET", [web::get().to(page)]));
}

async fn document(docs: Data<Docs>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(docs.document.clone())
}

/// To the folder in which the page finds its files, wherever a proxy has put it.
async fn redirect() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(request: HttpRequest, docs: Data<Docs>, clock: Data<Clock>) -> HttpResponse {
    let file = request.match_info().get("file").unwrap_or_default();
    let Ok(Some(file)) = utoipa_swagger_ui::serve(file, docs.page.clone()) else {
        return unknown_path(request, clock).await;
    };
    let mut response = HttpResponse::Ok();
    if file.gzpipped {
        response.insert_header((CONTENT_ENCODING, ContentEncoding::Gzip));
    }
    response.content_type(file.content_type).body(file.bytes.into_owned())
}

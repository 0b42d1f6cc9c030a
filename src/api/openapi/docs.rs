//! `GET /openapi.json`, and a page at `/docs/` to read it with. Neither asks for a key nor spends a budget, and the
//! page needs nothing but this service.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ContentEncoding, HeaderValue, LOCATION};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::Config;

use crate::api::state::ApiState;
use crate::api::unknown_path::unknown_path;
use crate::web::resource;

/// The page runs its own scripts and asks this service, nothing else. Its styles stand partly in its elements.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The document, and how the page shows it. Clones share them.
#[derive(Clone)]
pub(crate) struct Docs {
    document: Bytes,
    page: Arc<Config<'static>>,
}

impl Docs {
    pub(crate) fn new(document: &OpenApi) -> Result<Self, serde_json::Error> {
        let document = Bytes::from(document.to_json()?);
        // The badge of the validator would be fetched from the world.
        let page = Config::from("../openapi.json").validator_url("none").persist_authorization(true);
        Ok(Self { document, page: Arc::new(page) })
    }
}

/// Adds the routes.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let table = [
        ("/openapi.json", web::get().to(document)),
        ("/docs", web::get().to(redirect)),
        ("/docs/{file:.*}", web::get().to(page)),
    ];
    resource::add(config, table.map(|(path, route)| (path, Method::GET, route)));
}

async fn document(docs: Data<Docs>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(docs.document.clone())
}

/// To the folder in which the page finds its files, wherever a proxy has put it.
async fn redirect() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(request: HttpRequest, docs: Data<Docs>, state: Data<ApiState>) -> HttpResponse {
    let file = request.match_info().get("file").unwrap_or_default();
    let Ok(Some(file)) = utoipa_swagger_ui::serve(file, docs.page.clone()) else {
        return unknown_path(request, state).await;
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY));
    if file.gzpipped {
        response.insert_header((CONTENT_ENCODING, ContentEncoding::Gzip));
    }
    let bytes = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    response.content_type(file.content_type).body(bytes)
}

//! `GET /openapi.json`, and a page at `/docs/` to read it with. Neither asks for a key nor spends a budget, and the
//! page needs nothing but this service.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ContentEncoding, ETAG, HeaderValue, LOCATION,
};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::Bytes;
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::Config;

use super::docs_page;
use crate::api::state::ApiState;
use crate::api::unknown_path::unknown_path;
use crate::web::headers::entity_tag;
use crate::web::resource;

/// The page runs its own scripts and asks this service, nothing else. Its styles stand partly in its elements.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The document, and how the page shows it. Clones share them.
#[derive(Clone)]
pub(crate) struct Docs {
    document: Bytes,
    title: Arc<str>,
    page: Arc<Config<'static>>,
}

impl Docs {
    pub(crate) fn new(document: &OpenApi) -> Result<Self, serde_json::Error> {
        let bytes = Bytes::from(document.to_json()?);
        // The badge of the validator would be fetched from the world.
        let page = Config::from("../openapi.json").validator_url("none").persist_authorization(true);
        Ok(Self { document: bytes, title: document.info.title.as_str().into(), page: Arc::new(page) })
    }
}

/// Adds the routes.
pub(crate) fn routes(config: &mut ServiceConfig) {
    let table = [
        ("/openapi.json", web::get().to(document)),
        // Before the path without the slash, which takes one too.
        ("/docs/{file:.*}", web::get().to(page)),
        ("/docs", web::get().to(redirect)),
    ];
    resource::add(config, table.map(|(path, route)| (path, Method::GET, route)));
}

async fn document(request: HttpRequest, docs: Data<Docs>) -> HttpResponse {
    let response = HttpResponse::Ok();
    tagged(&request, docs.document.clone(), response, "application/json")
}

/// The answer that holds `bytes`, which a browser may keep as long as it asks each time whether they are still the same.
fn tagged(request: &HttpRequest, bytes: Bytes, mut response: HttpResponseBuilder, content_type: &str) -> HttpResponse {
    let tag = entity_tag::of(&bytes);
    let mut response = entity_tag::unchanged(request, &tag)
        .unwrap_or_else(|| response.insert_header((ETAG, tag)).content_type(content_type).body(bytes));
    response.headers_mut().insert(CACHE_CONTROL, ASK_AGAIN);
    response
}

/// To the folder in which the page finds its files, wherever a proxy has put it.
async fn redirect() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn page(request: HttpRequest, docs: Data<Docs>, state: Data<ApiState>) -> HttpResponse {
    let file = request.match_info().get("file").unwrap_or_default();
    let is_frame = matches!(file, "" | "index.html");
    let Ok(Some(file)) = utoipa_swagger_ui::serve(file, docs.page.clone()) else {
        return unknown_path(request, state).await;
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY));
    if file.gzpipped {
        response.insert_header((CONTENT_ENCODING, ContentEncoding::Gzip));
    }
    let bytes = match file.bytes {
        page if is_frame => Bytes::from(docs_page::framed(&String::from_utf8_lossy(&page), &docs.title)),
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    let is_text = file.content_type.starts_with("text/") || file.content_type.ends_with("javascript");
    let charset = if is_text { "; charset=utf-8" } else { "" };
    tagged(&request, bytes, response, &format!("{}{charset}", file.content_type))
}

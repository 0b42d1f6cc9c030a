//! What operators did: each request that changes something is noted before it is begun and once it is answered.
//!
//! What private providers hand in is no action, and what a key is not good for is none.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::LOCATION;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use uuid::Uuid;

use crate::web::headers::{client_address, request_id};
use crate::web::{Failure, Shared};
use store::{OperatorAction, Store};

/// Writing routes that are no actions.
const PUSHES: [&str; 2] = ["/operator/v1/findings", "/operator/v1/findings/batch"];
/// How much is kept of what an action asked for, in bytes.
const DETAIL_MAX: usize = 2_000;

/// The body of a request, noted in it.
struct Asked(Bytes);

/// Whether requests to a route are actions.
pub(super) fn are_noted(path: &str, method: &Method) -> bool {
    *method != Method::GET && !PUSHES.contains(&path)
}

/// Notes what a request asks for.
pub(super) fn note_body(request: &HttpRequest, text: &Bytes) {
    request.extensions_mut().insert(Asked(text.clone()));
}

/// An action under way.
pub(super) struct Action {
    action_id: Uuid,
    request: HttpRequest,
    store: Arc<Store>,
}

impl Action {
    /// Notes an action that is begun with this key.
    pub(super) async fn begin(request: HttpRequest, shared: &Shared, key_id: String) -> Result<Self, Failure> {
        let begun_at = shared.clock.now();
        let action_id = shared.ids.next(begun_at);
        let action = OperatorAction {
            action_id,
            begun_at,
            key_id,
            client: client_address::noted(&request).map(|client| client.to_string()),
            request_id: request_id::noted(&request).map(|id| id.to_string()),
            method: request.method().to_string(),
            path: request.path().to_owned(),
            about: request.match_info().iter().next().map(|(_, id)| id.to_owned()),
            detail: None,
            status: None,
        };
        shared.store.begin_action(action).await?;
        Ok(Self { action_id, request, store: shared.store.clone() })
    }

    /// Notes how it ended. What it did stands, so that a failure here is for the log.
    pub(super) async fn end(self, response: &HttpResponse) {
        let Self { action_id, request, store } = self;
        let made = response.headers().get(LOCATION).and_then(|path| path.to_str().ok()?.rsplit('/').next());
        let asked = request.extensions().get::<Asked>().map(|asked| detail(&asked.0));
        let (status, known) = (response.status().as_u16(), (made.map(str::to_owned), asked));
        if let Err(error) = store.end_action(action_id, status, known).await {
            tracing::warn!(%error, %action_id, "the end of an operator's action could not be noted");
        }
    }
}

/// The text of a body, cut off where it is long.
fn detail(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body).replace('\0', "\u{fffd}");
    text[..text.floor_char_boundary(DETAIL_MAX)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{DETAIL_MAX, detail};

    #[test]
    fn what_was_asked_for_is_bounded_text() {
        assert_eq!(detail(b"{\"a\":\0 \xff}"), "{\"a\":\u{fffd} \u{fffd}}");
        assert_eq!(detail("é".repeat(DETAIL_MAX).as_bytes()).len(), DETAIL_MAX);
    }
}

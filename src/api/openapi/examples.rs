//! Examples of requests and answers: those of operations from `examples.json`, those of rejections as they are answered. A
//! test holds every one against its schema.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, RefOr};
use uuid::{Uuid, uuid};

use domain::Rejection;
use wire::{error, time};

/// The media type of all bodies.
pub(super) const JSON: &str = "application/json";

pub(super) const RADAR_ID: Uuid = uuid!("0190a7c4-5d2e-7b31-9c6f-2f1d8a4b6c10");
const ERROR_ID: Uuid = uuid!("8f14e45f-ceea-467f-a34e-2c5f1b0a7d55");
const ANSWERED_AT: &str = "2026-01-31T12:00:00.000000Z";

/// Bodies under their names.
type Named = BTreeMap<String, Value>;

/// By the identifier of the operation, then by `request` or the status of the answer. A test finds out when the file is
/// not JSON: bodies lack their examples then.
static EXAMPLES: LazyLock<BTreeMap<String, BTreeMap<String, Named>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// Adds the examples of an operation.
pub(super) fn add_to(operation: &mut Operation) {
    let parts = operation.operation_id.as_ref().and_then(|id| EXAMPLES.get(id));
    for (part, examples) in parts.into_iter().flatten() {
        let content = match (part.as_str(), &mut operation.request_body) {
            ("request", Some(RefOr::T(body))) => body.content.get_mut(JSON),
            (status, _) => match operation.responses.responses.get_mut(status) {
                Some(RefOr::T(response)) => response.content.get_mut(JSON),
                _ => None,
            },
        };
        if let Some(RefOr::T(content)) = content {
            add(content, examples);
        }
    }
}

/// Adds the body of a rejection, as it is answered.
pub(super) fn add_rejection(content: &mut Content, name: &str, rejection: &Rejection) {
    let (_, body) = error::answer(rejection, ERROR_ID, time::parse(ANSWERED_AT).unwrap_or_default());
    add(content, &Named::from([(name.to_owned(), json!(body))]));
}

fn add(content: &mut Content, examples: &Named) {
    for (name, value) in examples {
        let example = ExampleBuilder::new().value(Some(value.clone())).build();
        content.examples.insert(name.clone(), example.into());
    }
}

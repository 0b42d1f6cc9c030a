//! Addresses for feed readers, and what is read there.

use actix_web::http::Method;
use utoipa::openapi::HttpMethod;

use super::endpoint::{Endpoint, delete, get, post};
use crate::api::feed_addresses::manage;
use crate::api::feed_addresses::read::{self, Form};
use crate::api::openapi::answers::{FEED_ADDRESS_NOT_FOUND, NOT_FOUND, TOO_MANY_FEED_ADDRESSES, success_in, unchanged};
use crate::api::openapi::parameters::{path_id, path_text};
use crate::api::openapi::prose;
use wire::forms::{atom, json_feed};
use wire::public::feed_addresses::{FeedAddressRecord, FeedPaths, new_feed_address};
use wire::record::{Record, Shaped, schema_of};
use wire::shapes::object;

/// What feed readers get stands first: its paths fit those of the addresses as well.
pub(super) fn feeds() -> Vec<Endpoint> {
    let with_token = || FeedPaths::fields(FeedAddressRecord::fields(object("The address, with its secret part.")));
    let addresses = Vec::<FeedAddressRecord>::shaped("Addresses that are in use, the oldest first.");
    vec![
        readable("/v1/feeds/{token}.atom", "readAtomFeed", Form::Atom, atom::MEDIA_TYPE),
        readable("/v1/feeds/{token}.json", "readJsonFeed", Form::Json, json_feed::MEDIA_TYPE),
        post("/v1/feeds", "createFeedAddress", manage::create)
            .body(new_feed_address())
            .with_data(201, "The address was made.", with_token())
            .or_rejected(&[NOT_FOUND, TOO_MANY_FEED_ADDRESSES]),
        get("/v1/feeds", "listFeedAddresses", manage::list).with_data(200, "The addresses.", addresses),
        post("/v1/feeds/{feed_id}/rotate", "rotateFeedAddress", manage::rotate)
            .parameter(path_id("feed_id", "The address."))
            .with_data(200, "The address has another secret part.", with_token())
            .or_rejected(&[FEED_ADDRESS_NOT_FOUND]),
        delete("/v1/feeds/{feed_id}", "deleteFeedAddress", manage::remove)
            .parameter(path_id("feed_id", "The address."))
            .with_data(200, "The address leads nowhere from now on.", schema_of::<FeedAddressRecord>())
            .or_rejected(&[FEED_ADDRESS_NOT_FOUND]),
    ]
}

/// What takes no key: the address is the secret.
fn readable(path: &'static str, id: &str, form: Form, media_type: &str) -> Endpoint {
    let operation = prose::operation(id).securities(Some([]));
    Endpoint::new(path, (HttpMethod::Get, Method::GET), read::route(form), operation)
        .parameter(path_text("token", "The secret part of the address."))
        .response(200, success_in("The newest updates.", &[media_type]))
        .response(304, unchanged())
        .or_rejected(&[FEED_ADDRESS_NOT_FOUND])
}

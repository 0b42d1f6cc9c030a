//! The keys of an account (decision 3.13).

use super::endpoint::{Endpoint, delete, get, post};
use crate::api::api_keys;
use crate::api::openapi::answers::{API_KEY_NOT_FOUND, TOO_MANY_API_KEYS};
use crate::api::openapi::parameters::path_id;
use wire::public::api_keys::API_KEY;
use wire::schema::answers::made_api_key;
use wire::schema::requests::NEW_API_KEY;
use wire::shapes::{list, named};

pub(super) fn api_keys() -> Vec<Endpoint> {
    vec![
        get("/v1/api-keys", "listApiKeys", api_keys::list).with_data(
            200,
            "The keys.",
            list(named(API_KEY), "The keys, newest first."),
        ),
        post("/v1/api-keys", "createApiKey", api_keys::create)
            .body(named(NEW_API_KEY))
            .with_data(201, "The key.", made_api_key())
            .or_rejected(&[TOO_MANY_API_KEYS]),
        delete("/v1/api-keys/{key_id}", "revokeApiKey", api_keys::revoke)
            .parameter(path_id("key_id", "The key."))
            .with_data(200, "The key, revoked.", named(API_KEY))
            .or_rejected(&[API_KEY_NOT_FOUND]),
    ]
}

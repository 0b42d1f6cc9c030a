//! The address of an account for mails.

use super::endpoint::{Endpoint, delete, get, put};
use crate::api::email::manage;
use crate::api::openapi::answers::MAIL_CONFLICT;
use wire::public::email::{EmailRecord, new_email};
use wire::record::schema_of;

pub(super) fn email() -> Vec<Endpoint> {
    let record = schema_of::<EmailRecord>;
    vec![
        get("/v1/account/email", "getEmail", manage::get).with_data(200, "The address.", record()),
        put("/v1/account/email", "setEmail", manage::set)
            .body(new_email())
            .with_data(200, "A request to confirm it is on its way.", record())
            .or_rejected(&[MAIL_CONFLICT]),
        delete("/v1/account/email", "deleteEmail", manage::remove).with_data(
            200,
            "Nothing is sent any more.",
            record(),
        ),
    ]
}

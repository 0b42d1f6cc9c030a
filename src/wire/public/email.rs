//! The address of an account for mails: how it is set, and how it is shown.

use serde_json::Value;
use utoipa::openapi::schema::ObjectBuilder;

use crate::record::records;
use crate::shapes::{Fields as _, object, text};
use crate::time::Instant;
use domain::field_limits::EMAIL_MAX;
use domain::{Email, FieldError, Fields};

records! {
    /// Where an account gets alerts and a daily digest by mail.
    #[derive(Debug)]
    pub struct EmailRecord {
        /// The address; null where none is set.
        pub email: Option<String>,
        /// When the owner of the mailbox confirmed it; null before, and nothing but the request to do so is sent until then.
        pub confirmed_at: Option<Instant>,
    }
}

/// The schema of the body of `PUT /v1/account/email`.
pub fn new_email() -> ObjectBuilder {
    let email = text("Where mails are to go.").min_length(Some(3)).max_length(Some(EMAIL_MAX));
    object("An address to be confirmed.").always("email", email).nothing_else()
}

/// Reads the body of `PUT /v1/account/email`.
pub fn parse(body: &Value) -> Result<Email, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["email"]);
    let email = fields.required("email", Email::parse);
    fields.finish(email)
}

//! `POST /v1/radars/contacts` (Spec 4.3).

use super::call::{Answer, Call};
use super::creation;
use crate::wire::new_radar;

/// Creates a radar of the category.
pub(super) async fn create_contact(call: Call) -> Answer {
    creation::one(call, new_radar::contact).await
}

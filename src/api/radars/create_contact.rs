//! `POST /v1/radars/contacts` (Spec 4.3).

use super::creation;
use crate::api::call::Call;
use crate::web::call::Answer;
use crate::wire::public::new_radar;

/// Creates a radar of the category.
pub(crate) async fn create_contact(call: Call) -> Answer {
    creation::one(call, new_radar::contact).await
}

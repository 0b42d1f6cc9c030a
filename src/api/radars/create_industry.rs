//! `POST /v1/radars/industry` (Spec 4.4).

use super::creation;
use crate::api::call::Call;
use crate::web::call::Answer;
use crate::wire::public::new_radar;

/// Creates a radar of the category.
pub(crate) async fn create_industry(call: Call) -> Answer {
    creation::one(call, new_radar::industry).await
}

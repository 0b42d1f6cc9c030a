//! `POST /v1/radars/companies` (Spec 4.2).

use super::creation;
use crate::api::call::Call;
use crate::web::call::Answer;
use crate::wire::public::new_radar;

/// Creates a radar of the category.
pub(crate) async fn create_company(call: Call) -> Answer {
    creation::one(call, new_radar::company).await
}

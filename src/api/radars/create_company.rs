//! `POST /v1/radars/companies` (Spec 4.2).

use super::creation;
use crate::api::call::Call;
use crate::domain::radar_type::Category;
use crate::web::call::Answer;

/// Creates a radar of the category.
pub(crate) async fn create_company(call: Call) -> Answer {
    creation::one(call, Category::Company).await
}

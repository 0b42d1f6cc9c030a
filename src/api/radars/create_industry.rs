//! `POST /v1/radars/industry` (Spec 4.4).

use super::creation;
use crate::api::call::Call;
use crate::domain::radar_type::Category;
use crate::web::call::Answer;

/// Creates a radar of the category.
pub(crate) async fn create_industry(call: Call) -> Answer {
    creation::one(call, Category::Industry).await
}

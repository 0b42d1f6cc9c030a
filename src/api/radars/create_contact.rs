//! `POST /v1/radars/contacts` (Spec 4.3).

use super::creation;
use crate::api::call::Call;
use crate::domain::radar_type::Category;
use crate::web::call::Answer;

/// Creates a radar of the category.
pub(crate) async fn create_contact(call: Call) -> Answer {
    creation::one(call, Category::Contact).await
}

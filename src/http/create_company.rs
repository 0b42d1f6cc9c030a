//! `POST /v1/radars/companies` (Spec 4.2).

use super::call::{Answer, Call};
use super::creation;
use crate::wire::new_radar;

/// Creates a radar of the category.
pub(super) async fn create_company(call: Call) -> Answer {
    creation::one(call, new_radar::company).await
}

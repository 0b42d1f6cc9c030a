//! `POST /v1/radars/industry` (Spec 4.4).

use super::call::{Answer, Call};
use super::creation;
use crate::wire::new_radar;

/// Creates a radar of the category.
pub(super) async fn create_industry(call: Call) -> Answer {
    creation::one(call, new_radar::industry).await
}

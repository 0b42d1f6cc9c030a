//! Single findings: what they stand on, and what customers think of them.

use super::endpoint::{Endpoint, get, post};
use crate::api::openapi::answers::UPDATE_NOT_FOUND;
use crate::api::openapi::parameters::path_id;
use crate::api::updates::evidence::get_evidence;
use crate::api::updates::feedback::give_feedback;
use wire::public::findings::evidence::EVIDENCE;
use wire::public::findings::feedback::FeedbackRecord;
use wire::record::schema_of;
use wire::schema::requests::NEW_FEEDBACK;
use wire::shapes::named;

pub(super) fn findings() -> Vec<Endpoint> {
    vec![
        get("/v1/updates/{update_id}/evidence", "getEvidence", get_evidence)
            .parameter(path_id("update_id", "The update."))
            .with_record("What it stands on.", named(EVIDENCE))
            .or_rejected(&[UPDATE_NOT_FOUND]),
        post("/v1/updates/{update_id}/feedback", "giveFeedback", give_feedback)
            .parameter(path_id("update_id", "The update."))
            .body(named(NEW_FEEDBACK))
            .with_data(200, "The feedback that counts now.", schema_of::<FeedbackRecord>())
            .or_rejected(&[UPDATE_NOT_FOUND]),
    ]
}

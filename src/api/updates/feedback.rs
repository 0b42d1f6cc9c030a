//! `POST /v1/updates/{update_id}/feedback`: whether a finding was of use.

use super::published;
use crate::api::call::Call;
use crate::web::Answer;
use domain::Missing;
use wire::Instant;
use wire::public::findings::feedback::{self, FeedbackRecord};

/// Keeps what the customer thinks of a finding; the latest word counts.
pub(crate) async fn give_feedback(mut call: Call) -> Answer {
    let feedback = feedback::parse(&call.body().await?.value)?;
    let finding = published(&call).await?;
    let now = call.now();
    let about = (finding.update_id, finding.record_id);
    if !call.store().keep_feedback(call.account_id(), about, &feedback, now).await? {
        return Err(Missing::Update.into());
    }
    let (update_id, given_at) = (finding.update_id.0, Instant(now));
    let record = FeedbackRecord { update_id, useful: feedback.useful, reason: feedback.reason, given_at };
    call.data(200, "Feedback kept", record)
}

//! The updates of an account, pulled: in pages, as a stream that goes on, as a file (Spec 4.9, 6.4, decisions 3.4, 3.5).

pub(crate) mod evidence;
pub(crate) mod export;
pub(crate) mod feedback;
pub(crate) mod list;
pub(crate) mod stream;

use crate::api::call::Call;
use crate::web::errors::Failure;
use domain::{Missing, UpdateId};
use store::PublishedFinding;

/// The finding that the path names, or a 404: also for a failure, and for one that is kept no longer.
async fn published(call: &Call) -> Result<PublishedFinding, Failure> {
    let update_id = UpdateId(call.id("update_id")?);
    let found = call.store().published_finding(call.account_id(), update_id, call.kept_from()).await?;
    Ok(found.ok_or(Missing::Update)?)
}

//! The updates of an account, pulled: in pages, as a stream that goes on, as a file (Spec 4.9, 6.4, decisions 3.4, 3.5).

pub(crate) mod evidence;
pub(crate) mod export;
pub(crate) mod feedback;
pub(crate) mod list;
pub(crate) mod stream;

use chrono::{DateTime, Duration, Utc};

use crate::api::call::Call;
use crate::web::errors::Failure;
use domain::ids::UpdateId;
use domain::rejection::Missing;
use store::PublishedFinding;

/// Only updates discovered after this instant are shown, even if older ones are not removed yet.
pub(super) fn kept_since(now: DateTime<Utc>, retention: Duration) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(retention)?.checked_sub_signed(Duration::microseconds(1))
}

/// The finding that the path names, or a 404: also for a failure, and for one that is kept no longer.
async fn published(call: &Call) -> Result<PublishedFinding, Failure> {
    let update_id = UpdateId(call.id("update_id")?);
    let found = call.state.shared.store.published_finding(call.account_id(), update_id, call.kept_from()).await?;
    Ok(found.ok_or(Missing::Update)?)
}

#[cfg(test)]
mod tests {
    use super::kept_since;
    use chrono::{DateTime, Duration};

    #[test]
    fn spec_6_4_what_is_exactly_60_days_old_is_kept() {
        let now = DateTime::UNIX_EPOCH + Duration::days(100);
        let first_kept = now - Duration::days(60);
        let since = kept_since(now, Duration::days(60));
        assert!(since.is_some_and(|since| first_kept > since && first_kept - Duration::microseconds(1) <= since));
        assert_eq!(kept_since(now, Duration::MAX), None);
    }
}

//! `GET /v1/updates` (Spec 4.9, 6.4, decisions 3.4, 3.5).

use chrono::{DateTime, Duration, Utc};

use crate::api::call::Call;
use crate::web::call::{Answer, text};
use wire::cursor::UpdatesCursor;
use wire::public::query;
use wire::public::updates_page;

/// A page of the account's updates, in the order of their publication.
pub(crate) async fn list_updates(call: Call) -> Answer {
    let (mut filter, limit) = query::updates(call.query())?;
    let now = call.now();
    filter.since = filter.since.max(kept_since(now, call.state.retention));
    let (updates, has_more) = call.state.shared.store.updates(call.account_id(), &filter, limit as usize).await?;
    let next = updates.last().filter(|_| has_more).map(|last| UpdatesCursor { sequence: last.update_seq });
    let bodies = updates.iter().map(|update| update.body.as_str());
    let page = text(200, updates_page::body("Updates", now, bodies, next))?;
    Ok(call.linked(page, next.map(|next| next.encode())))
}

/// Only updates discovered after this instant are shown, even if older ones are not removed yet.
fn kept_since(now: DateTime<Utc>, retention: Duration) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(retention)?.checked_sub_signed(Duration::microseconds(1))
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

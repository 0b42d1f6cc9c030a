//! Which radars want findings, in SQL: of a radar `r`, said in one place for all that ask.

/// It has not ended. One that was ended has a wake only while its paid time lasts, in which it still watches.
pub(super) const NOT_ENDED: &str = "(r.status = 'active' or r.wake_at is not null)";

/// Its account is not stopped (decision 4.12). Stopped ones are few, and an index holds no others.
pub(crate) const NOT_STOPPED: &str = "r.account_id not in (select account_id from account where status <> 'active')";

/// Its type is not paused; subscriptions are paid ahead (decision 1.2).
pub(crate) const NOT_PAUSED: &str = "(r.model = 'subscription' or not exists (
    select 1 from type_pause p where p.account_id = r.account_id and p.radar_type = r.radar_type))";

/// It does not hold as many findings as a day allows; one that does reads on once they are released (decision 4.14).
pub(super) const NOT_FULL: &str = "r.full_since is null";

/// Its account is not frozen: nothing can be published there, and what is found waits in the feed's log.
pub(super) const NOT_FROZEN: &str = "r.account_id not in (select account_id from account where frozen_at is not null)";

/// It wants findings now. A frozen account's radars count: what they would miss is not their customer's doing.
pub(super) fn is_reading() -> String {
    format!("{NOT_ENDED} and {NOT_STOPPED} and {NOT_PAUSED} and {NOT_FULL}")
}

/// A feed `f` has a reader of the kind that `which` says.
pub(super) fn has_reader(which: &str) -> String {
    format!(
        "exists (select 1 from radar_feed rf join radar r on r.radar_id = rf.radar_id
        where rf.feed_id = f.feed_id and {which})"
    )
}

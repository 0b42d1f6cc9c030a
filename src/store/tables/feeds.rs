//! How far radars have read their feeds, and the set-ups of those whose feeds are looked for.

use entity::{radar_feed, set_up};

use super::stored::{overwritten, stored};
use domain::account::Cursor;
use domain::{AccountId, FeedId, RadarId};

stored! {
    /// A cursor moves; what the radar has kept out on the way is counted.
    radar_feed {
        Key: radar_id, feed_id;
        Kept: account_id;
        Replaced: read_seq;
        Added: filtered_items, older_items;
    }
    (AccountId, ((RadarId, FeedId), Cursor)) =
        (account_id, ((radar_id, feed_id), Cursor { read_seq, filtered: filtered_items, older: older_items }))
}

/// A set-up that is due at once, before whatever is tried again.
pub(crate) fn new_set_up_row(account_id: AccountId, radar_id: RadarId) -> set_up::Model {
    set_up::Model {
        radar_id: radar_id.0,
        account_id: account_id.0,
        due_at: 0,
        lease_until: None,
        lease_no: 0,
        claimed_by: None,
        open_attempts: 0,
        failures: 0,
        failing_since: None,
        unknown_names: 0,
        unknown_since: None,
        last_error: None,
    }
}

//! How far radars have read their feeds, and the set-ups of those whose feeds are looked for.

use entity::{radar_feed, set_up};
use uuid::Uuid;

use crate::database::if_present::{Overwritten, Then};
use domain::account::MovedCursor;
use domain::ids::{FeedId, RadarId};

/// A cursor moves; what the radar's filter has kept out on the way is counted.
impl Overwritten for radar_feed::Entity {
    fn then(column: radar_feed::Column) -> Then {
        use radar_feed::Column;
        match column {
            Column::RadarId | Column::FeedId => Then::Key,
            Column::AccountId => Then::Kept,
            Column::ReadSeq => Then::Replaced,
            Column::FilteredItems => Then::Added,
        }
    }
}

/// A cursor in a feed: of which account and radar, and the last item that it has read.
pub(crate) fn cursor(row: radar_feed::Model) -> (Uuid, (RadarId, FeedId), i64) {
    let radar_feed::Model {
        radar_id,
        feed_id,
        account_id,
        read_seq,
        // A commit counts on without reading what was counted.
        filtered_items: _,
    } = row;
    (account_id, (RadarId(radar_id), FeedId(feed_id)), read_seq)
}

pub(crate) fn cursor_row(
    account_id: Uuid,
    (radar_id, feed_id): (RadarId, FeedId),
    moved: MovedCursor,
) -> radar_feed::Model {
    radar_feed::Model {
        radar_id: radar_id.0,
        feed_id: feed_id.0,
        account_id,
        read_seq: moved.read_seq,
        filtered_items: moved.filtered,
    }
}

/// A set-up that is due at once, before whatever is tried again.
pub(crate) fn new_set_up_row(account_id: Uuid, radar_id: RadarId) -> set_up::Model {
    set_up::Model {
        radar_id: radar_id.0,
        account_id,
        due_at: 0,
        lease_until: None,
        lease_no: 0,
        open_attempts: 0,
        failures: 0,
        failing_since: None,
        unknown_names: 0,
        unknown_since: None,
        last_error: None,
    }
}

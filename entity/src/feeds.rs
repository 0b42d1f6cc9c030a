//! Feeds, their logs and their readers.

crate::tables! {
    /// A source applied to one target, polled once for all radars that read it.
    feed(feed_id: Uuid) {
        source_id: String,
        token: String,
        shard: i64,
        created_at: i64,
        head_seq: i64,
        fanned_seq: i64,
        next_poll_at: Option<i64>,
        polled_at: Option<i64>,
        succeeded_at: Option<i64>,
        failures: i64,
        last_error: Option<String>,
        etag: Option<String>,
        last_modified: Option<String>,
        body_hash: Option<String>,
        lease_until: Option<i64>,
        lease_no: i64,
        claimed_by: Option<Uuid>,
        open_attempts: i64,
        silent_micros: i64,
        failure_message: Option<String>,
        poll_interval_micros: Option<i64>,
        failure_class: Option<String>,
    }

    /// What a feed has shown: an item of its log, or (without `seq`) something that is no item or was there first.
    feed_item(feed_id: Uuid, native_id: String) {
        seq: Option<i64>,
        content: Option<String>,
        role: Option<String>,
        detected_at: i64,
        dated_at: Option<i64>,
        page_url: Option<String>,
        body_hash: Option<String>,
        excerpt: Option<String>,
    }

    /// How far a radar has read a feed.
    radar_feed(radar_id: Uuid, feed_id: Uuid) {
        account_id: Uuid,
        read_seq: i64,
        filtered_items: i64,
        older_items: i64,
    }

    /// A source most of whose feeds fail in the same way.
    source_breakage(source_id: String) {
        failure_class: String,
        since: i64,
        flagged_at: Option<i64>,
    }
}

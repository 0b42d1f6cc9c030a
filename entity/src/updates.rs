//! Updates, and the findings that became one or wait.

crate::tables! {
    /// A published update with its frozen payload.
    radar_update(account_id: Uuid, update_seq: i64) {
        update_id: Uuid,
        radar_id: Uuid,
        radar_type: String,
        domain: Option<String>,
        update_type: String,
        discovered_at: i64,
        detected_at: i64,
        tx_seq: Option<i64>,
        body: String,
    }

    /// A finding that a radar has seen, so that it is never reported twice.
    finding_seen(radar_id: Uuid, record_id: Uuid) {
        outcome: String,
        update_id: Uuid,
        seen_at: i64,
        event_id: Option<Uuid>,
        event_part: Option<String>,
        feed_id: Option<Uuid>,
        item_seq: Option<i64>,
        source_id: Option<String>,
    }

    /// A finding that waits for money, or for the next day of its radar.
    held_finding(account_id: Uuid, hold_seq: i64) {
        radar_id: Uuid,
        radar_type: String,
        record_id: Uuid,
        rate_micros: i64,
        content: String,
        detected_at: i64,
        origin: String,
        reason: String,
    }

    /// A finding that waits for an operator, or that one has decided about.
    approval(update_id: Uuid) {
        account_id: Uuid,
        radar_id: Uuid,
        radar_type: String,
        record_id: Uuid,
        content: String,
        detected_at: i64,
        state: String,
        decided_at: Option<i64>,
        origin: String,
    }
}

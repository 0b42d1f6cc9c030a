//! Accounts: what operators set, their keys and their own prices.

crate::tables! {
    /// An account: its settings, and the lock, balance and sequences that everything about its money hangs on.
    account(account_id: Uuid) {
        name: String,
        status: String,
        approval: String,
        write_per_minute: Option<i64>,
        read_per_minute: Option<i64>,
        per_second: Option<i64>,
        created_at: i64,
        balance_micros: i64,
        tx_seq: i64,
        update_seq: i64,
        hold_seq: i64,
        lot_no: i64,
        last_at: i64,
        next_expiry_at: Option<i64>,
        spend_cap_micros: Option<i64>,
        alert_url: Option<String>,
        alert_thresholds: Option<String>,
        head_hash: Vec<u8>,
        frozen_at: Option<i64>,
        frozen_reason: Option<String>,
        radars_max: Option<i64>,
        active_radars: i64,
        ended_radars: i64,
        purged_radars: i64,
        endpoint_alert_url: Option<String>,
    }

    /// An API key of an account; only its hash is known.
    api_key(key_id: Uuid) {
        account_id: Uuid,
        key_hash: String,
        key_hint: String,
        kind: String,
        created_at: i64,
        scopes: String,
        expires_at: Option<i64>,
        revoked_at: Option<i64>,
    }

    /// A price of one radar type for one account, from an instant on.
    price(account_id: Uuid, radar_type: String, effective_from: i64) {
        model: String,
        rate_micros: i64,
        grace_period: String,
        created_at: i64,
        findings_per_day: Option<i64>,
    }
}

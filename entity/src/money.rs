//! Lots, the ledger, and what follows from it.

crate::tables! {
    /// Prepaid money of one top-up or refund, and what is left of it.
    lot(account_id: Uuid, lot_no: i64) {
        kind: String,
        granted_micros: i64,
        remaining_micros: i64,
        expires_at: Option<i64>,
        op_key: String,
        parent_lot_no: Option<i64>,
        created_at: i64,
        origin_expires_at: Option<i64>,
    }

    /// One ledger transaction of an account. Never changed once written.
    ledger_tx(account_id: Uuid, tx_seq: i64) {
        op_key: String,
        kind: String,
        amount_micros: i64,
        balance_after_micros: i64,
        at: i64,
        due_at: i64,
        radar_id: Option<Uuid>,
        radar_type: Option<String>,
        update_id: Option<Uuid>,
        hash: Vec<u8>,
    }

    /// One entry of a ledger transaction; the entries of a ledger transaction sum to zero.
    ledger_entry(account_id: Uuid, tx_seq: i64, entry_no: i64) {
        bucket: String,
        lot_no: Option<i64>,
        amount_micros: i64,
    }

    /// What happened to an account in one UTC month.
    usage_month(account_id: Uuid, month: String) {
        radars_activated: i64,
        radars_deactivated: i64,
        radars_failed: i64,
        updates_found: i64,
        used_micros: i64,
    }

    /// An alert about an account's balance.
    balance_alert(alert_id: Uuid) {
        account_id: Uuid,
        tx_seq: i64,
        threshold_micros: i64,
        balance_micros: i64,
        crossed_at: i64,
        body: String,
    }
}

//! Set-ups that wait.

crate::tables! {
    /// A radar whose sources are being looked for; gone once they are found, or given up.
    set_up(radar_id: Uuid) {
        account_id: Uuid,
        due_at: i64,
        lease_until: Option<i64>,
        lease_no: i64,
        claimed_by: Option<Uuid>,
        open_attempts: i64,
        failures: i64,
        failing_since: Option<i64>,
        unknown_names: i64,
        unknown_since: Option<i64>,
        last_error: Option<String>,
    }
}

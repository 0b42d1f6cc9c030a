//! Set-ups that wait, and what is known of companies.

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

    /// When a company was looked at for its profile, and when it is looked at again.
    company_profile(domain: String) {
        looked_at: Option<i64>,
        refresh_at: i64,
        last_error: Option<String>,
    }

    /// One thing that is known of a company, with its evidence.
    profile_entry(domain: String, entry_key: String, ordinal: i64) {
        entry_value: String,
        evidence: String,
        evidence_url: String,
    }
}

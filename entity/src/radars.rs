//! Radars, the pauses of their types, and the bounds of their days.

crate::tables! {
    /// A radar.
    radar(radar_id: Uuid) {
        account_id: Uuid,
        shard: i64,
        radar_type: String,
        target_key: String,
        domain: Option<String>,
        profile_url: Option<String>,
        email: Option<String>,
        full_name: Option<String>,
        keyword: Option<String>,
        countries: Option<String>,
        departments: Option<String>,
        seniorities: Option<String>,
        job_titles: Option<String>,
        webhook_url: Option<String>,
        webhook_format: Option<String>,
        custom_fields: String,
        status: String,
        status_reason: Option<String>,
        set_up: String,
        model: String,
        grace_period: String,
        created_at: i64,
        deactivated_at: Option<i64>,
        period_no: i64,
        next_charge_at: Option<i64>,
        wake_at: Option<i64>,
        crashes: i64,
        last_error: Option<String>,
        day_began_at: Option<i64>,
        day_charged: i64,
        held_beyond_bound: i64,
        full_since: Option<i64>,
        release_at: Option<i64>,
    }

    /// The pause of all update-based radars of a type in one account.
    type_pause(account_id: Uuid, radar_type: String) {
        since: i64,
        rate_micros: i64,
    }

    /// An alert about a radar that found more than the bound of its day.
    bound_alert(alert_id: Uuid) {
        account_id: Uuid,
        radar_id: Uuid,
        created_at: i64,
        body: String,
    }
}

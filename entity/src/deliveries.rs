//! The outbox: endpoints, deliveries and their attempts.

crate::tables! {
    /// A receiver address of an account, and the sequence of what was addressed to it.
    endpoint(endpoint_id: Uuid) {
        account_id: Uuid,
        url: String,
        head_sequence: i64,
        created_at: i64,
    }

    /// How a receiver has answered lately.
    endpoint_health(endpoint_id: Uuid) {
        account_id: Uuid,
        disabled_reason: Option<String>,
        disabled_at: Option<i64>,
        consecutive_failures: i64,
        attempts_since_success: i64,
        failing_since: Option<i64>,
        last_success_at: Option<i64>,
        breaker_open_until: Option<i64>,
        breaker_opens: i64,
        next_allowed_at: Option<i64>,
        alert_at: Option<i64>,
    }

    /// An alert about an endpoint.
    endpoint_alert(alert_id: Uuid) {
        account_id: Uuid,
        endpoint_id: Uuid,
        alert_type: String,
        created_at: i64,
        body: String,
    }

    /// The outbox row of one update.
    delivery(update_id: Uuid) {
        account_id: Uuid,
        update_seq: i64,
        endpoint_id: Uuid,
        sequence: i64,
        state: String,
        attempts: i64,
        due_at: Option<i64>,
        lease_until: Option<i64>,
        lease_no: i64,
        claimed_by: Option<Uuid>,
        created_at: i64,
        finished_at: Option<i64>,
        format: Option<String>,
        body: Option<String>,
        trace: Option<String>,
        published_at: i64,
    }

    /// One attempt of a delivery.
    attempt(update_id: Uuid, attempt_no: i64) {
        account_id: Uuid,
        endpoint_id: Uuid,
        started_at: i64,
        duration_ms: i64,
        outcome: String,
        status: Option<i64>,
        remote: Option<String>,
        response: Option<String>,
        response_truncated: i64,
        published_at: i64,
    }

    /// Work on everything that matches: deliveries that are sent again, or radars that are ended.
    job(job_id: Uuid) {
        account_id: Option<Uuid>,
        since: i64,
        until: i64,
        radar_type: Option<String>,
        with_delivered: i64,
        search: Option<String>,
        created_at: i64,
        found: i64,
        done: i64,
        cursor_at: i64,
        cursor_id: Option<Uuid>,
        advanced_at: i64,
        finished_at: Option<i64>,
        resumes_at: Option<i64>,
        is_stopped: i64,
    }
}

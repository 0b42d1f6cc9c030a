//! What operators did.

crate::tables! {
    /// What an operator did.
    operator_action(action_id: Uuid) {
        at: i64,
        key_id: String,
        client: Option<String>,
        request_id: Option<String>,
        method: String,
        path: String,
        about: Option<String>,
        detail: Option<String>,
        status: Option<i64>,
    }
}

//! Answers that are given again.

crate::tables! {
    /// The answer to a request that created something under an `Idempotency-Key`.
    kept_answer(account_id: Uuid, key_hash: String) {
        request_hash: String,
        status: i64,
        body: String,
        used_at: i64,
    }
}

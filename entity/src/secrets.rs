//! Secrets, encrypted.

crate::tables! {
    /// A secret that signs an account's webhooks, encrypted.
    webhook_secret(account_id: Uuid, secret_no: i64) {
        key_id: String,
        secret: Vec<u8>,
        signs_until: Option<i64>,
    }
}

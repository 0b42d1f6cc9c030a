//! API keys, as operators see them.

use serde::Serialize;
use uuid::Uuid;

use crate::time::Instant;

/// A key, as far as it is known.
#[derive(Debug, Serialize)]
pub struct KeyRecord {
    pub key_id: Uuid,
    pub key_hint: String,
    pub created_at: Instant,
    pub revoked_at: Option<Instant>,
}

/// A new key, shown once.
#[derive(Debug, Serialize)]
pub struct NewKeyRecord {
    #[serde(flatten)]
    pub record: KeyRecord,
    pub api_key: String,
}

//! API keys, as operators see them.

use serde::Serialize;
use uuid::Uuid;

use crate::wire::time::Instant;

/// A key, as far as it is known.
#[derive(Debug, Serialize)]
pub(crate) struct KeyRecord {
    pub(crate) key_id: Uuid,
    pub(crate) key_hint: String,
    pub(crate) created_at: Instant,
    pub(crate) revoked_at: Option<Instant>,
}

/// A new key, shown once.
#[derive(Debug, Serialize)]
pub(crate) struct NewKeyRecord {
    #[serde(flatten)]
    pub(crate) record: KeyRecord,
    pub(crate) api_key: String,
}

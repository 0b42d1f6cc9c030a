//! What a finding stands on.

use uuid::Uuid;

use crate::record::records;
use crate::time::Instant;

/// The name of the schema of a finding's evidence.
pub const EVIDENCE: &str = "Evidence";

records! {
    /// What a finding stands on.
    #[derive(Debug)]
    pub struct EvidenceRecord {
        /// The update.
        pub update_id: Uuid,
        /// The radar.
        pub radar_id: Uuid,
        /// What was found.
        pub record_id: Uuid,
        /// The source that showed it, or that a provider handed it in for; null once the radar has been removed.
        pub source: Option<String>,
        /// The finding's own address.
        pub address: Option<String>,
        /// The address where it was read; null for what a provider has handed in.
        pub page_url: Option<String>,
        /// When it was read there, or handed in.
        pub observed_at: Instant,
        /// What was shown of it as plain text, cut short.
        pub excerpt: String,
        /// SHA-256 of all that was answered at `page_url`, in hexadecimal; null where none was made.
        pub body_hash: Option<String>,
    }
}

//! Addresses for feed readers: how one is asked for, and how it is shown.

use serde_json::Value;
use utoipa::openapi::schema::ObjectBuilder;
use uuid::Uuid;

use crate::parameters;
use crate::record::records;
use crate::shapes::{Fields as _, object, or_null, uuid};
use crate::time::Instant;
use domain::{FieldError, Fields, LinkToken, RadarId};

records! {
    /// An address for feed readers. Its secret part is shown when it is made, and never again.
    #[derive(Debug)]
    pub struct FeedAddressRecord {
        /// What it is called.
        pub feed_id: Uuid,
        /// The radar whose updates it shows; null for all of the account.
        pub radar_id: Option<Uuid>,
        /// When it was made.
        pub created_at: Instant,
        /// When its secret part was replaced last; null before that.
        pub rotated_at: Option<Instant>,
    }

    /// The secret part of an address, and where it leads.
    #[derive(Debug)]
    pub struct FeedPaths {
        /// The secret part. Anybody who has it can read the updates: it is shown once.
        pub token: String,
        /// The path of the Atom feed.
        pub atom_path: String,
        /// The path of the JSON Feed.
        pub json_path: String,
    }
}

impl FeedPaths {
    /// The paths of `token`.
    pub fn of(token: &LinkToken) -> Self {
        let token = token.expose();
        Self {
            token: token.to_owned(),
            atom_path: format!("/v1/feeds/{token}.atom"),
            json_path: format!("/v1/feeds/{token}.json"),
        }
    }
}

/// The schema of the body of `POST /v1/feeds`.
pub fn new_feed_address() -> ObjectBuilder {
    let radar_id = uuid("The radar whose updates it shows; all of the account when it is absent.");
    object("An address to be made.").maybe("radar_id", or_null(radar_id)).nothing_else()
}

/// Reads the body of `POST /v1/feeds`: the radar, if it is to be one.
pub fn parse(body: &Value) -> Result<Option<RadarId>, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["radar_id"]);
    let radar_id = fields.parsed("radar_id", parameters::uuid_text).map(RadarId);
    fields.finish(Some(radar_id))
}

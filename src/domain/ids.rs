//! Identifiers. Those of findings are names, not dice: every retry and every node computes the same one (decision 1.8).

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::radar_type::RadarType;

/// The namespace of every name-based identifier of this service.
const NAMESPACE: Uuid = Uuid::from_u128(0x6f1d_8a2c_53b7_4e0e_9c41_72d3_5e88_b0a6);

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub struct $name(pub Uuid);

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
            }
        }
    )*};
}

ids! {
    /// One customer.
    AccountId,
    /// One radar: UUIDv7, assigned at creation (Spec 2.2).
    RadarId,
    /// One update; what consumers deduplicate on (Spec 2.4).
    UpdateId,
    /// One receiver address of one account (decision 5.5).
    EndpointId,
    /// One request to do something to all that matches, such as to send the deliveries of a range of time again (decision 5.8).
    JobId,
    /// One source applied to one target (decision 7.3).
    FeedId,
}

/// Parts are joined with a separator that no part may contain, so that no two lists of parts read the same.
fn name_based(kind: &str, parts: &[&str]) -> Uuid {
    let name = parts.iter().fold(kind.to_owned(), |name, part| name + "\u{1f}" + part);
    Uuid::new_v5(&NAMESPACE, name.as_bytes())
}

/// The `record_id` of what `source` calls `native_id`: the same for every radar that sees it (decision 1.8).
pub fn record_id(source: &str, native_id: &str) -> Uuid {
    name_based("record", &[source, native_id])
}

/// The identifier of what happens to `subject`, for radars of `radar_type`.
pub fn event_id(radar_type: RadarType, subject: &str) -> Uuid {
    name_based("event", &[radar_type.as_str(), subject])
}

impl UpdateId {
    /// The identifier of what `radar` reports under `dedupe_key` (decision 1.8): the record's identifier for a
    /// finding, a fixed word for the failure that ends a radar.
    pub fn of(radar: RadarId, dedupe_key: &str) -> Self {
        Self(name_based("update", &[&radar.to_string(), dedupe_key]))
    }

    /// The identifier of the alert that the ledger transaction `tx_seq` of `account` gave by crossing `threshold_micros`: an alert is
    /// delivered like an update, and its receiver deduplicates in the same way.
    pub fn of_alert(account: AccountId, tx_seq: i64, threshold_micros: i64) -> Self {
        Self(name_based("alert", &[&account.to_string(), &tx_seq.to_string(), &threshold_micros.to_string()]))
    }

    /// The identifier of the alert that the bound of a day of `radar` was exceeded, at an instant of its account's own time:
    /// a day may be met twice when a clock is set back, such an instant never.
    pub fn of_bound_alert(radar: RadarId, exceeded_at: DateTime<Utc>) -> Self {
        Self(name_based("bound alert", &[&radar.to_string(), &exceeded_at.timestamp_micros().to_string()]))
    }

    /// The identifier of the alert of a type about what has been wrong with `endpoint` since an instant.
    pub fn of_endpoint_alert(endpoint: EndpointId, alert_type: &str, since: DateTime<Utc>) -> Self {
        let parts = [&endpoint.to_string(), alert_type, &since.timestamp_micros().to_string()];
        Self(name_based("endpoint alert", &parts))
    }
}

impl EndpointId {
    /// The identifier of the endpoint of `account` at `url`, which is normalised.
    pub fn of(account: AccountId, url: &str) -> Self {
        Self(name_based("endpoint", &[&account.to_string(), url]))
    }
}

impl FeedId {
    /// The identifier of the feed that `source` gives of the target that it calls `token`.
    pub fn of(source: &str, token: &str) -> Self {
        Self(name_based("feed", &[source, token]))
    }
}

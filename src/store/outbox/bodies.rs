//! What is sent: the frozen payloads of updates and of alerts, which are delivered like updates.

use std::collections::HashMap;

use bytes::Bytes;
use uuid::Uuid;

use crate::database::statement::{List, Run, in_few_lengths};
use crate::{Store, StoreError};

/// The tables of alerts, each with its column of when they were made.
pub const ALERTS: [(&str, &str); 3] =
    [("balance_alert", "crossed_at"), ("bound_alert", "created_at"), ("endpoint_alert", "created_at")];

impl Store {
    /// The payloads by the identifiers under which they are delivered; of what was removed there is none.
    pub(super) async fn bodies(&self, update_ids: &[Uuid]) -> Result<HashMap<Uuid, Bytes>, StoreError> {
        let mut bodies: HashMap<Uuid, Bytes> = HashMap::with_capacity(update_ids.len());
        // Nearly everything is an update.
        let of_alerts = ALERTS.map(|(table, _)| (table, "alert_id"));
        for (table, key) in std::iter::once(("radar_update", "update_id")).chain(of_alerts) {
            let missing: Vec<Uuid> = update_ids.iter().copied().filter(|id| !bodies.contains_key(id)).collect();
            if missing.is_empty() {
                break;
            }
            let of_table = format!("select {key}, body from {table} where {key} in ?");
            let found: Vec<(Uuid, String)> = self.read.all(&of_table, List(in_few_lengths(missing))).await?;
            bodies.extend(found.into_iter().map(|(update_id, body)| (update_id, Bytes::from(body))));
        }
        Ok(bodies)
    }
}

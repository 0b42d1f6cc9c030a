//! What is sent: the frozen payloads of updates and of alerts, which are delivered like updates.

use std::collections::HashMap;

use bytes::Bytes;
use uuid::Uuid;

use crate::database::{List, Statements, in_few_lengths};
use crate::{Result, Store};

/// The tables of alerts, each with its column of when they were made.
pub const ALERTS: [(&str, &str); 3] =
    [("balance_alert", "crossed_at"), ("bound_alert", "created_at"), ("endpoint_alert", "created_at")];

impl Store {
    /// The payloads by the identifiers under which they are delivered, with the instants at which they were published; of what
    /// was removed there is none.
    pub(super) async fn bodies(&self, published: &[(Uuid, i64)]) -> Result<HashMap<Uuid, Bytes>> {
        let mut bodies: HashMap<Uuid, Bytes> = HashMap::with_capacity(published.len());
        // Nearly everything is an update.
        let of_alerts = ALERTS.map(|(table, _)| (table, "alert_id"));
        for (table, key) in std::iter::once(("radar_update", "update_id")).chain(of_alerts) {
            let missing = published.iter().filter(|(id, _)| !bodies.contains_key(id)).map(|(id, _)| *id);
            let missing: Vec<Uuid> = missing.collect();
            if missing.is_empty() {
                break;
            }
            let of_table = format!("select {key}, body from {table} where {key} in ?");
            let mut sql = self.read.sql_with(&of_table, List(in_few_lengths(missing)));
            if table == "radar_update" {
                sql.about("discovered_at", published.iter().map(|(_, at)| *at));
            }
            let found: Vec<(Uuid, String)> = sql.all(&self.read).await?;
            bodies.extend(found.into_iter().map(|(update_id, body)| (update_id, Bytes::from(body))));
        }
        Ok(bodies)
    }
}

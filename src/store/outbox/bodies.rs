//! What is sent: the frozen payloads of updates and of alerts, which are delivered like updates.

use std::collections::HashMap;

use bytes::Bytes;
use entity::radar_update;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::store::database::statement::in_few_lengths;
use crate::store::{Store, StoreError};

impl Store {
    /// The payloads by the identifiers under which they are delivered; of what was removed there is none.
    pub(super) async fn bodies(&self, update_ids: Vec<Uuid>) -> Result<HashMap<Uuid, Bytes>, StoreError> {
        let found: Vec<(Uuid, String)> = radar_update::Entity::find()
            .select_only()
            .columns([radar_update::Column::UpdateId, radar_update::Column::Body])
            .filter(radar_update::Column::UpdateId.is_in(in_few_lengths(update_ids.iter().copied())))
            .into_tuple()
            .all(&self.read)
            .await?;
        let mut bodies: HashMap<Uuid, Bytes> = HashMap::with_capacity(update_ids.len());
        bodies.extend(found.into_iter().map(|(update_id, body)| (update_id, Bytes::from(body))));
        // Nearly always everything is an update.
        let alerts = without_body(&update_ids, &bodies);
        let alerts = self.alert_bodies(alerts).await?;
        bodies.extend(alerts.into_iter().map(|(alert_id, body)| (alert_id, Bytes::from(body))));
        let alerts = self.endpoint_alert_bodies(without_body(&update_ids, &bodies)).await?;
        bodies.extend(alerts.into_iter().map(|(alert_id, body)| (alert_id, Bytes::from(body))));
        Ok(bodies)
    }
}

fn without_body(update_ids: &[Uuid], bodies: &HashMap<Uuid, Bytes>) -> Vec<Uuid> {
    update_ids.iter().copied().filter(|update_id| !bodies.contains_key(update_id)).collect()
}

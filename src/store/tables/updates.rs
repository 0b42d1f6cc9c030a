//! Updates and alerts with their frozen payloads, which are only ever added.

use entity::{bound_alert, radar_update};

use super::stored::stored;
use domain::account::NewUpdate;
use domain::{AccountId, BoundAlert};

stored! {
    radar_update (
        account_id, update_seq, update_id, radar_id, radar_type, domain, update_type, discovered_at, detected_at, tx_seq, body
    )
    (AccountId, NewUpdate) = (account_id, NewUpdate {
        update_seq,
        update_id,
        radar_id,
        radar_type,
        domain,
        update_type,
        discovered_at,
        detected_at,
        tx_seq,
        body,
    })
}

pub(crate) fn bound_alert_row(alert: &BoundAlert, body: String) -> bound_alert::Model {
    bound_alert::Model {
        alert_id: alert.alert_id.0,
        account_id: alert.account_id.0,
        radar_id: alert.radar_id.0,
        created_at: alert.exceeded_at.timestamp_micros(),
        body,
    }
}

//! Updates and alerts with their frozen payloads, which are only ever added.

use entity::{balance_alert, bound_alert, radar_update};
use uuid::Uuid;

use crate::StoreError;
use crate::database::rows;
use domain::account::NewUpdate;
use domain::ids::{AccountId, UpdateId};
use domain::money::MicroUsd;
use domain::money::balance_alert::BalanceAlert;
use domain::radar::daily_bound::BoundAlert;

pub(crate) fn update_row(account_id: Uuid, update: NewUpdate) -> radar_update::Model {
    radar_update::Model {
        account_id,
        update_seq: update.update_seq,
        update_id: update.update_id.0,
        radar_id: update.radar_id.0,
        radar_type: update.radar_type.as_str().to_owned(),
        domain: update.domain,
        update_type: update.update_type.as_str().to_owned(),
        discovered_at: update.discovered_at.timestamp_micros(),
        detected_at: update.detected_at.timestamp_micros(),
        tx_seq: update.tx_seq,
        body: update.body,
    }
}

pub(crate) fn balance_alert(row: balance_alert::Model) -> Result<BalanceAlert, StoreError> {
    let balance_alert::Model {
        alert_id,
        account_id,
        tx_seq,
        threshold_micros,
        balance_micros,
        crossed_at,
        // Made of the others.
        body: _,
    } = row;
    Ok(BalanceAlert {
        alert_id: UpdateId(alert_id),
        account_id: AccountId(account_id),
        tx_seq,
        threshold: MicroUsd::from_micros(threshold_micros),
        balance: MicroUsd::from_micros(balance_micros),
        crossed_at: rows::instant("balance_alert", crossed_at)?,
    })
}

pub(crate) fn balance_alert_row(alert: &BalanceAlert, body: String) -> balance_alert::Model {
    balance_alert::Model {
        alert_id: alert.alert_id.0,
        account_id: alert.account_id.0,
        tx_seq: alert.tx_seq,
        threshold_micros: alert.threshold.micros(),
        balance_micros: alert.balance.micros(),
        crossed_at: alert.crossed_at.timestamp_micros(),
        body,
    }
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

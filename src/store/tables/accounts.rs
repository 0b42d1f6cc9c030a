//! Accounts: their settings, and what their lock guards.

use chrono::{DateTime, Utc};
use entity::account;

use super::stored::overwritten;
use crate::database::rows;
use crate::{NewAccount, StoreError};
use domain::account::AccountState;
use domain::account_status::AccountStatus;
use domain::ids::AccountId;
use domain::money::MicroUsd;
use domain::money::balance_alert::BalanceAlerts;
use domain::money::chain::ChainHash;

const TABLE: &str = "account";

overwritten! {
    /// What the lock guards is replaced; what operators set stays.
    account {
        Key: account_id;
        Kept: name, approval, write_per_minute, read_per_minute, per_second, created_at, spend_cap_micros, alert_url,
            alert_thresholds, frozen_at, frozen_reason, radars_max, purged_radars, endpoint_alert_url;
        Replaced: status, balance_micros, tx_seq, update_seq, hold_seq, lot_no, last_at, next_expiry_at, head_hash,
            active_radars, ended_radars;
    }
}

pub(crate) fn state(row: &account::Model) -> Result<AccountState, StoreError> {
    let account::Model {
        account_id,
        name: _,
        status,
        approval,
        // Rate limits are kept where requests come in.
        write_per_minute: _,
        read_per_minute: _,
        per_second: _,
        created_at: _,
        balance_micros,
        tx_seq,
        update_seq,
        hold_seq,
        lot_no,
        last_at,
        // Follows from the lots.
        next_expiry_at: _,
        spend_cap_micros,
        alert_url,
        alert_thresholds,
        head_hash,
        // It has a reason exactly when it has an instant.
        frozen_at: _,
        frozen_reason,
        radars_max,
        active_radars,
        ended_radars,
        // Counted by retention, for the audit.
        purged_radars: _,
        // Alerts about endpoints are written past the commits.
        endpoint_alert_url: _,
    } = row;
    Ok(AccountState {
        account_id: AccountId(*account_id),
        status: rows::closed(TABLE, status)?,
        balance: MicroUsd::from_micros(*balance_micros),
        tx_seq: *tx_seq,
        update_seq: *update_seq,
        hold_seq: *hold_seq,
        lot_no: *lot_no,
        active_radars: *active_radars,
        ended_radars: *ended_radars,
        radars_max: *radars_max,
        last_at: rows::instant(TABLE, *last_at)?,
        approval: rows::closed(TABLE, approval)?,
        alerts: balance_alerts(alert_url.as_deref(), alert_thresholds.as_deref())?,
        spend_cap: spend_cap_micros.map(MicroUsd::from_micros),
        head_hash: rows::chain_hash(TABLE, head_hash)?,
        frozen_reason: frozen_reason.clone(),
    })
}

/// The receiver of alerts that the balance runs low.
pub(crate) fn balance_alerts(url: Option<&str>, thresholds: Option<&str>) -> Result<Option<BalanceAlerts>, StoreError> {
    let Some(url) = url else { return Ok(None) };
    let micros: Vec<i64> = thresholds.map(|text| rows::json(TABLE, text)).transpose()?.unwrap_or_default();
    let thresholds = micros.into_iter().map(MicroUsd::from_micros).collect();
    Ok(Some(BalanceAlerts { webhook_url: url.to_owned(), thresholds }))
}

/// The row of an account that is made.
pub(crate) fn new_row(new: &NewAccount, now: DateTime<Utc>) -> account::Model {
    account::Model {
        account_id: new.account_id.0,
        name: new.name.clone(),
        status: AccountStatus::Active.as_str().to_owned(),
        approval: new.approval.as_str().to_owned(),
        write_per_minute: new.limits.write_per_minute.map(i64::from),
        read_per_minute: new.limits.read_per_minute.map(i64::from),
        per_second: new.limits.per_second.map(i64::from),
        created_at: now.timestamp_micros(),
        balance_micros: 0,
        tx_seq: 0,
        update_seq: 0,
        hold_seq: 0,
        lot_no: 0,
        last_at: now.timestamp_micros(),
        next_expiry_at: None,
        spend_cap_micros: None,
        alert_url: None,
        alert_thresholds: None,
        head_hash: ChainHash::beginning(new.account_id).as_bytes().to_vec(),
        frozen_at: None,
        frozen_reason: None,
        radars_max: new.limits.radars.map(i64::from),
        active_radars: 0,
        ended_radars: 0,
        purged_radars: 0,
        endpoint_alert_url: None,
    }
}

/// The row of `known` as a commit leaves it: what operators set is as it was.
pub(crate) fn row(
    known: account::Model,
    state: &AccountState,
    next_expiry_at: Option<DateTime<Utc>>,
) -> account::Model {
    account::Model {
        status: state.status.as_str().to_owned(),
        balance_micros: state.balance.micros(),
        tx_seq: state.tx_seq,
        update_seq: state.update_seq,
        hold_seq: state.hold_seq,
        lot_no: state.lot_no,
        last_at: state.last_at.timestamp_micros(),
        next_expiry_at: next_expiry_at.map(|at| at.timestamp_micros()),
        head_hash: state.head_hash.as_bytes().to_vec(),
        active_radars: state.active_radars,
        ended_radars: state.ended_radars,
        ..known
    }
}

//! Accounts: their settings, what their lock guards, and their API keys.

use chrono::{DateTime, Utc};
use entity::{account, api_key};

use super::stored::{overwritten, stored};
use crate::database::rows;
use crate::{ApiKey, NewAccount, Result};
use domain::{AccountId, AccountState, AccountStatus, BalanceAlerts, ChainHash, MicroUsd};

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

stored! {
    api_key (key_id, account_id, key_hash, key_hint, kind, created_at, scopes, expires_at, revoked_at)
    (AccountId, ApiKey) =
        (account_id, ApiKey { key_id, key_hash, key_hint, kind, created_at, scopes, expires_at, revoked_at })
}

/// What rules know of an account. Rate limits are kept where requests come in, and what else operators set is read where it
/// is needed.
pub(crate) fn state(row: &account::Model) -> Result<AccountState> {
    Ok(AccountState {
        account_id: AccountId(row.account_id),
        status: rows::closed(TABLE, &row.status)?,
        balance: MicroUsd::from_micros(row.balance_micros),
        tx_seq: row.tx_seq,
        update_seq: row.update_seq,
        hold_seq: row.hold_seq,
        lot_no: row.lot_no,
        active_radars: row.active_radars,
        ended_radars: row.ended_radars,
        radars_max: row.radars_max,
        last_at: rows::instant(TABLE, row.last_at)?,
        approval: rows::closed(TABLE, &row.approval)?,
        alerts: balance_alerts(row.alert_url.as_deref(), row.alert_thresholds.as_deref())?,
        spend_cap: row.spend_cap_micros.map(MicroUsd::from_micros),
        head_hash: rows::chain_hash(TABLE, &row.head_hash)?,
        frozen_reason: row.frozen_reason.clone(),
    })
}

/// The receiver of alerts that the balance runs low.
pub(crate) fn balance_alerts(url: Option<&str>, thresholds: Option<&str>) -> Result<Option<BalanceAlerts>> {
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

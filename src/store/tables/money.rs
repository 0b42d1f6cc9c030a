//! Lots, the ledger and the usage of months.
//!
//! Ledger transactions and their entries are only ever added: nothing is declared of rows that are there.

use entity::{ledger_entry, ledger_tx, lot, usage_month};
use uuid::Uuid;

use crate::StoreError;
use crate::database::if_present::{Overwritten, Then};
use crate::database::rows;
use domain::account::UsageDelta;
use domain::ids::{RadarId, UpdateId};
use domain::money::MicroUsd;
use domain::money::ledger::{LedgerEntry, LedgerTx};
use domain::money::lots::Lot;

/// Only what is left of a lot changes.
impl Overwritten for lot::Entity {
    fn then(column: lot::Column) -> Then {
        use lot::Column;
        match column {
            Column::AccountId | Column::LotNo => Then::Key,
            Column::Kind
            | Column::GrantedMicros
            | Column::ExpiresAt
            | Column::OpKey
            | Column::ParentLotNo
            | Column::CreatedAt
            | Column::OriginExpiresAt => Then::Kept,
            Column::RemainingMicros => Then::Replaced,
        }
    }
}

/// Usage is added to what the month has.
impl Overwritten for usage_month::Entity {
    fn then(column: usage_month::Column) -> Then {
        use usage_month::Column;
        match column {
            Column::AccountId | Column::Month => Then::Key,
            Column::RadarsActivated
            | Column::RadarsDeactivated
            | Column::RadarsFailed
            | Column::UpdatesFound
            | Column::UsedMicros => Then::Added,
        }
    }
}

pub(crate) fn lot(row: lot::Model) -> Result<Lot, StoreError> {
    let lot::Model {
        account_id: _,
        lot_no,
        kind,
        granted_micros,
        remaining_micros,
        expires_at,
        op_key,
        parent_lot_no,
        created_at,
        origin_expires_at,
    } = row;
    Ok(Lot {
        lot_no,
        kind: rows::closed("lot", &kind)?,
        granted: MicroUsd::from_micros(granted_micros),
        remaining: MicroUsd::from_micros(remaining_micros),
        expires_at: rows::instant_option("lot", expires_at)?,
        op_key,
        parent_lot_no,
        origin_expires_at: rows::instant_option("lot", origin_expires_at)?,
        created_at: rows::instant("lot", created_at)?,
    })
}

pub(crate) fn lot_row(account_id: Uuid, lot: &Lot) -> lot::Model {
    lot::Model {
        account_id,
        lot_no: lot.lot_no,
        kind: lot.kind.as_str().to_owned(),
        granted_micros: lot.granted.micros(),
        remaining_micros: lot.remaining.micros(),
        expires_at: lot.expires_at.map(|at| at.timestamp_micros()),
        op_key: lot.op_key.clone(),
        parent_lot_no: lot.parent_lot_no,
        created_at: lot.created_at.timestamp_micros(),
        origin_expires_at: lot.origin_expires_at.map(|at| at.timestamp_micros()),
    }
}

/// A ledger transaction without its entries, which are rows of their own.
pub(crate) fn ledger_tx(row: ledger_tx::Model) -> Result<LedgerTx, StoreError> {
    const TABLE: &str = "ledger_tx";
    let ledger_tx::Model {
        account_id: _,
        tx_seq,
        op_key,
        kind,
        amount_micros,
        balance_after_micros,
        at,
        due_at,
        radar_id,
        radar_type,
        update_id,
        hash,
    } = row;
    let radar = match (radar_id, radar_type) {
        (Some(radar_id), Some(radar_type)) => Some((RadarId(radar_id), rows::closed(TABLE, &radar_type)?)),
        _ => None,
    };
    Ok(LedgerTx {
        tx_seq,
        op_key,
        kind: rows::closed(TABLE, &kind)?,
        amount: MicroUsd::from_micros(amount_micros),
        balance_after: MicroUsd::from_micros(balance_after_micros),
        at: rows::instant(TABLE, at)?,
        due_at: rows::instant(TABLE, due_at)?,
        radar,
        update_id: update_id.map(UpdateId),
        entries: Vec::new(),
        hash: rows::chain_hash(TABLE, &hash)?,
    })
}

pub(crate) fn ledger_tx_row(account_id: Uuid, tx: &LedgerTx) -> ledger_tx::Model {
    ledger_tx::Model {
        account_id,
        tx_seq: tx.tx_seq,
        op_key: tx.op_key.clone(),
        kind: tx.kind.as_str().to_owned(),
        amount_micros: tx.amount.micros(),
        balance_after_micros: tx.balance_after.micros(),
        at: tx.at.timestamp_micros(),
        due_at: tx.due_at.timestamp_micros(),
        radar_id: tx.radar.map(|(radar_id, _)| radar_id.0),
        radar_type: tx.radar.map(|(_, radar_type)| radar_type.as_str().to_owned()),
        update_id: tx.update_id.map(|update_id| update_id.0),
        hash: tx.hash.as_bytes().to_vec(),
    }
}

/// An entry, to be read in the order of their numbers.
pub(crate) fn entry(row: &ledger_entry::Model) -> Result<LedgerEntry, StoreError> {
    let ledger_entry::Model { account_id: _, tx_seq: _, entry_no: _, bucket, lot_no, amount_micros } = row;
    Ok(LedgerEntry {
        bucket: rows::closed("ledger_entry", bucket)?,
        lot_no: *lot_no,
        amount: MicroUsd::from_micros(*amount_micros),
    })
}

pub(crate) fn entry_rows(account_id: Uuid, tx: &LedgerTx) -> impl Iterator<Item = ledger_entry::Model> {
    (1..).zip(&tx.entries).map(move |(entry_no, entry)| ledger_entry::Model {
        account_id,
        tx_seq: tx.tx_seq,
        entry_no,
        bucket: entry.bucket.as_str().to_owned(),
        lot_no: entry.lot_no,
        amount_micros: entry.amount.micros(),
    })
}

/// A month, written `YYYY-MM`, and what happened in it.
pub(crate) fn usage(row: usage_month::Model) -> (String, UsageDelta) {
    let usage_month::Model {
        account_id: _,
        month,
        radars_activated,
        radars_deactivated,
        radars_failed,
        updates_found,
        used_micros,
    } = row;
    (month, UsageDelta { radars_activated, radars_deactivated, radars_failed, updates_found, used_micros })
}

pub(crate) fn usage_row(account_id: Uuid, month: String, usage: UsageDelta) -> usage_month::Model {
    usage_month::Model {
        account_id,
        month,
        radars_activated: usage.radars_activated,
        radars_deactivated: usage.radars_deactivated,
        radars_failed: usage.radars_failed,
        updates_found: usage.updates_found,
        used_micros: usage.used_micros,
    }
}

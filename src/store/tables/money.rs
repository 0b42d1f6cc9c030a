//! Lots, the ledger and the usage of months.
//!
//! Ledger transactions and their entries are only ever added: nothing is declared of rows that are there.

use entity::{balance_alert, ledger_entry, ledger_tx, lot, usage_month};

use super::stored::{Stored, overwritten, stored};
use crate::Result;
use domain::account::UsageDelta;
use domain::{AccountId, BalanceAlert, LedgerEntry, LedgerTx, Lot};

stored! {
    /// Only what is left of a lot changes.
    lot {
        Key: account_id, lot_no;
        Kept: kind, granted_micros, expires_at, op_key, parent_lot_no, created_at, origin_expires_at;
        Replaced: remaining_micros;
    }
    (AccountId, Lot) = (account_id, Lot {
        lot_no,
        kind,
        granted: granted_micros,
        remaining: remaining_micros,
        expires_at,
        op_key,
        parent_lot_no,
        origin_expires_at,
        created_at,
    })
}

stored! {
    /// Usage is added to what the month has.
    usage_month {
        Key: account_id, month;
        Added: radars_activated, radars_deactivated, radars_failed, updates_found, used_micros;
    }
    (AccountId, (String, UsageDelta)) = (
        account_id,
        (month, UsageDelta { radars_activated, radars_deactivated, radars_failed, updates_found, used_micros }),
    )
}

// The entries are rows of their own.
stored! {
    ledger_tx (
        account_id, tx_seq, op_key, kind, amount_micros, balance_after_micros, at, due_at, radar_id, radar_type, update_id,
        hash
    )
    (AccountId, LedgerTx) = (account_id, LedgerTx {
        tx_seq,
        op_key,
        kind,
        amount: amount_micros,
        balance_after: balance_after_micros,
        at,
        due_at,
        radar,
        update_id,
        entries,
        hash,
    })
    without entries
    with radar of radar_id and radar_type
}

// To be read in the order of their numbers.
stored! {
    ledger_entry (account_id, tx_seq, entry_no, bucket, lot_no, amount_micros)
    (AccountId, i64, i64, LedgerEntry) =
        (account_id, tx_seq, entry_no, LedgerEntry { bucket, lot_no, amount: amount_micros })
}

stored! {
    balance_alert (alert_id, account_id, tx_seq, threshold_micros, balance_micros, crossed_at, body)
    (BalanceAlert, String) = (
        BalanceAlert {
            alert_id,
            account_id,
            tx_seq,
            threshold: threshold_micros,
            balance: balance_micros,
            crossed_at,
        },
        body,
    )
}

/// A month, written `YYYY-MM`, and what happened in it.
pub(crate) fn usage(row: usage_month::Model) -> Result<(String, UsageDelta)> {
    Ok(usage_month::Entity::value(row)?.1)
}

//! Money comes in (Spec 2.5, decision 4.3).

use chrono::{DateTime, Utc};

use crate::account::posting::NewLedgerTx;
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::ids::AccountId;
use crate::money::MicroUsd;
use crate::money::ledger::{Bucket, LedgerEntry, TxKind, top_up_key};
use crate::money::lots::{Lot, LotKind};

/// Half of what can be counted, so that no refund can ever pass the end.
const BALANCE_MAX: MicroUsd = MicroUsd::from_micros(i64::MAX / 2);

/// A payment.
#[derive(Clone, Debug)]
pub struct TopUp {
    /// What makes the payment count once.
    pub payment_ref: String,
    /// How much.
    pub amount: MicroUsd,
    /// From when on unused money of it is gone.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The payment counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToppedUp {
    /// The balance afterwards.
    pub balance: MicroUsd,
    /// `false` when the payment had been counted before.
    pub is_new: bool,
    /// Whether held findings are left that the balance may cover.
    pub has_more: bool,
}

impl TopUp {
    pub(in crate::account) fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
        read_set.op_keys.insert((account_id, top_up_key(&self.payment_ref)));
        read_set.held_findings = true;
    }

    /// Opens a lot for a payment, once per `payment_ref`, and releases what the balance then covers.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<ToppedUp> {
        let op_key = top_up_key(&self.payment_ref);
        if let Some(known) = account.state.ledger_txs.get(&op_key) {
            let counted = known.entries.iter().find(|entry| entry.bucket == Bucket::Credit).map(|entry| entry.amount);
            return match counted == Some(self.amount) {
                true => Ok(account.topped_up(false)),
                false => Err(CommandRejection::PaymentRefReused),
            };
        }
        let balance = account.state.account.balance.checked_add(self.amount);
        if balance.is_none_or(|balance| balance > BALANCE_MAX) {
            return Err(CommandRejection::BalanceTooLarge);
        }
        account.state.account.lot_no += 1;
        let lot_no = account.state.account.lot_no;
        account.state.lots.push(Lot {
            lot_no,
            kind: LotKind::Paid,
            granted: self.amount,
            remaining: MicroUsd::ZERO,
            expires_at: self.expires_at,
            op_key: op_key.clone(),
            parent_lot_no: None,
            origin_expires_at: None,
            created_at: account.now,
        });
        let entries = vec![
            LedgerEntry { bucket: Bucket::Credit, lot_no: Some(lot_no), amount: self.amount },
            LedgerEntry { bucket: Bucket::Cash, lot_no: None, amount: self.amount.negated() },
        ];
        let tx = NewLedgerTx { op_key, kind: TxKind::TopUp, due_at: account.now, radar: None, update_id: None };
        account.post(tx, entries);
        // A payment may arrive, or be repeated, when its time is over.
        account.settle_overdue();
        account.release_held_findings();
        Ok(account.topped_up(true))
    }
}

impl Account {
    fn topped_up(&self, is_new: bool) -> ToppedUp {
        ToppedUp { balance: self.state.account.balance, is_new, has_more: self.has_more() }
    }
}

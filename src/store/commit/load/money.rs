//! Prices, transactions, lots and what was spent, of the accounts of a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::identity;

use chrono::{DateTime, Utc};
use entity::{ledger_entry, ledger_tx, lot, price};
use uuid::Uuid;

use super::{Of, Reader, of_each};
use crate::database::{List, Run, Statements, in_few_lengths};
use crate::tables::prices;
use crate::tables::stored::Stored;
use crate::{OwnPrice, Result};
use domain::account::KnownTx;
use domain::{AccountId, AccountState, DefaultPrices, LedgerEntry, Lot, MicroUsd, Month, Price, RadarType};

impl Reader<'_> {
    /// The prices that accounts have of their own.
    pub(super) async fn prices(&self, defaults: &DefaultPrices) -> Result<Of<Vec<(RadarType, DateTime<Utc>, Price)>>> {
        let mut own: Of<Vec<_>> = Of::new();
        for row in self.of_accounts::<price::Entity>(&self.ids, "").await? {
            let account_id = AccountId(row.account_id);
            let OwnPrice { radar_type, effective_from, price, .. } = prices::price(row, defaults)?;
            own.entry(account_id).or_default().push((radar_type, effective_from, price));
        }
        Ok(own)
    }

    /// What accounts with a cap have spent in this month.
    pub(super) async fn spent(&self, states: &[AccountState]) -> Result<Of<MicroUsd>> {
        let capped = states.iter().filter(|state| state.spend_cap.is_some());
        let capped: Vec<Uuid> = capped.map(|state| state.account_id.0).collect();
        if capped.is_empty() {
            return Ok(Of::new());
        }
        let spent = "select account_id, used_micros from usage_month where account_id in ? and month = ?";
        let spent = self.transaction.all(spent, (List(capped), Month::of(self.now).to_string())).await?;
        Ok(spent.into_iter().collect())
    }

    pub(super) async fn ledger_txs(
        &self,
        op_keys: BTreeSet<(AccountId, String)>,
    ) -> Result<Of<BTreeMap<String, KnownTx>>> {
        let mut known: Of<BTreeMap<_, _>> = Of::new();
        let found = self.by_pairs([ledger_tx::Column::AccountId, ledger_tx::Column::OpKey], op_keys, "").await?;
        if found.is_empty() {
            return Ok(known);
        }
        let places = found.iter().map(|row| (row.account_id, row.tx_seq)).collect();
        let key = [ledger_entry::Column::AccountId, ledger_entry::Column::TxSeq];
        // The row of a key that was repeated to fill a statement comes more than once.
        let mut of_txs: BTreeMap<(AccountId, i64), BTreeMap<i64, LedgerEntry>> = BTreeMap::new();
        for row in self.by_pairs(key, places, "").await? {
            let (account_id, tx_seq, entry_no, entry) = ledger_entry::Entity::value(row)?;
            of_txs.entry((account_id, tx_seq)).or_default().insert(entry_no, entry);
        }
        for row in found {
            let (account_id, tx) = ledger_tx::Entity::value(row)?;
            let entries = of_txs.get(&(account_id, tx.tx_seq)).into_iter().flat_map(BTreeMap::values);
            let entries = entries.cloned().collect();
            known.entry(account_id).or_default().insert(tx.op_key, KnownTx { at: tx.at, entries });
        }
        Ok(known)
    }

    /// The lots with money left, and those that a refund may go back to.
    pub(super) async fn lots(&self, ledger_txs: &Of<BTreeMap<String, KnownTx>>) -> Result<Of<Vec<Lot>>> {
        let entries = ledger_txs.values().flat_map(BTreeMap::values).flat_map(|known| &known.entries);
        let refundable: Vec<i64> = entries.filter_map(|entry| entry.lot_no).collect();
        let mut sql = self.transaction.rows_of::<lot::Entity>();
        // In these words an index of the lots that are left serves SQLite as well.
        sql.add("account_id in ? and (remaining_micros > 0", List(self.ids.iter().copied()));
        if !refundable.is_empty() {
            sql.add(" or lot_no in ?", List(in_few_lengths(refundable)));
        }
        let found: Vec<lot::Model> = sql.push(") order by lot_no").models(self.transaction).await?;
        of_each(found, identity)
    }
}

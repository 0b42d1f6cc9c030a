//! Prices, transactions, lots and what was spent, of the accounts of a commit.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use entity::{ledger_entry, ledger_tx, lot, price, usage_month};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::Reader;
use crate::database::statement::in_few_lengths;
use crate::tables::prices;
use crate::tables::stored::Stored;
use crate::{OwnPrice, StoreError};
use domain::account::KnownTx;
use domain::ids::AccountId;
use domain::money::MicroUsd;
use domain::money::ledger::LedgerEntry;
use domain::money::month::Month;
use domain::money::pricing::{DefaultPrices, PriceList};

impl Reader<'_> {
    pub(super) async fn prices(&mut self, defaults: &DefaultPrices) -> Result<(), StoreError> {
        let mut own: BTreeMap<Uuid, Vec<_>> = BTreeMap::new();
        for row in self.of_accounts::<price::Entity>(self.ids, "").await? {
            let account_id = row.account_id;
            let OwnPrice { radar_type, effective_from, price, .. } = prices::price(row, defaults)?;
            own.entry(account_id).or_default().push((radar_type, effective_from, price));
        }
        for (account_id, state) in self.loaded.iter_mut() {
            state.prices = PriceList::new(defaults.clone(), own.remove(account_id).unwrap_or_default());
        }
        Ok(())
    }

    /// What accounts with a cap have spent in the month of `now`.
    pub(super) async fn spent(&mut self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let capped = self.loaded.iter().filter(|(_, state)| state.account.spend_cap.is_some());
        let capped: Vec<Uuid> = capped.map(|(&account_id, _)| account_id).collect();
        if capped.is_empty() {
            return Ok(());
        }
        let found = usage_month::Entity::find()
            .filter(usage_month::Column::AccountId.is_in(capped))
            .filter(usage_month::Column::Month.eq(Month::of(now).to_string()))
            .all(self.transaction)
            .await?;
        self.give(found, |state, (_, usage)| state.spent_this_month = MicroUsd::from_micros(usage.used_micros))
    }

    pub(super) async fn ledger_txs(&mut self, op_keys: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        let found = self.by_pairs([ledger_tx::Column::AccountId, ledger_tx::Column::OpKey], op_keys, "").await?;
        if found.is_empty() {
            return Ok(());
        }
        let places = found.iter().fold(Condition::any(), |any, row| {
            any.add(
                Condition::all()
                    .add(ledger_entry::Column::AccountId.eq(row.account_id))
                    .add(ledger_entry::Column::TxSeq.eq(row.tx_seq)),
            )
        });
        let entries = ledger_entry::Entity::find()
            .filter(places)
            .order_by_asc(ledger_entry::Column::EntryNo)
            .all(self.transaction)
            .await?;
        let mut of_txs: BTreeMap<(AccountId, i64), Vec<LedgerEntry>> = BTreeMap::new();
        for row in entries {
            let (account_id, tx_seq, _, entry) = ledger_entry::Entity::value(row)?;
            of_txs.entry((account_id, tx_seq)).or_default().push(entry);
        }
        self.give(found, |state, tx| {
            let entries = of_txs.get(&(state.account.account_id, tx.tx_seq)).cloned().unwrap_or_default();
            state.ledger_txs.insert(tx.op_key, KnownTx { at: tx.at, entries });
        })
    }

    /// The lots with money left, and those that a refund may go back to.
    pub(super) async fn lots(&mut self) -> Result<(), StoreError> {
        let refundable: Vec<i64> = self
            .loaded
            .values()
            .flat_map(|state| state.ledger_txs.values().flat_map(|known| &known.entries))
            .filter_map(|entry| entry.lot_no)
            .collect();
        // In these words an index of the lots that are left serves SQLite as well.
        let wanted = Condition::any()
            .add(Expr::cust("remaining_micros > 0"))
            .add_option((!refundable.is_empty()).then(|| lot::Column::LotNo.is_in(in_few_lengths(refundable))));
        let found = lot::Entity::find()
            .filter(lot::Column::AccountId.is_in(self.ids.to_vec()))
            .filter(wanted)
            .order_by_asc(lot::Column::LotNo)
            .all(self.transaction)
            .await?;
        self.give(found, |state, lot| state.lots.push(lot))
    }
}

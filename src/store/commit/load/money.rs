//! Prices, transactions, lots and what was spent, of the accounts of a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::identity;

use chrono::{DateTime, Utc};
use entity::{ledger_entry, ledger_tx, lot, price, usage_month};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::{Of, Reader, of_each};
use crate::database::statement::in_few_lengths;
use crate::tables::prices;
use crate::tables::stored::Stored;
use crate::{OwnPrice, Result};
use domain::account::{AccountState, KnownTx};
use domain::{AccountId, DefaultPrices, LedgerEntry, Lot, MicroUsd, Month, Price, RadarType};

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
        let found = usage_month::Entity::find()
            .filter(usage_month::Column::AccountId.is_in(capped))
            .filter(usage_month::Column::Month.eq(Month::of(self.now).to_string()))
            .all(self.transaction)
            .await?;
        let spent = found.into_iter().map(|row| (AccountId(row.account_id), MicroUsd::from_micros(row.used_micros)));
        Ok(spent.collect())
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
        for row in found {
            let (account_id, tx) = ledger_tx::Entity::value(row)?;
            // The row of a key that was repeated to fill a statement comes more than once.
            let entries = of_txs.get(&(account_id, tx.tx_seq)).cloned().unwrap_or_default();
            known.entry(account_id).or_default().insert(tx.op_key, KnownTx { at: tx.at, entries });
        }
        Ok(known)
    }

    /// The lots with money left, and those that a refund may go back to.
    pub(super) async fn lots(&self, ledger_txs: &Of<BTreeMap<String, KnownTx>>) -> Result<Of<Vec<Lot>>> {
        let entries = ledger_txs.values().flat_map(BTreeMap::values).flat_map(|known| &known.entries);
        let refundable: Vec<i64> = entries.filter_map(|entry| entry.lot_no).collect();
        // In these words an index of the lots that are left serves SQLite as well.
        let wanted = Condition::any()
            .add(Expr::cust("remaining_micros > 0"))
            .add_option((!refundable.is_empty()).then(|| lot::Column::LotNo.is_in(in_few_lengths(refundable))));
        let found = lot::Entity::find()
            .filter(lot::Column::AccountId.is_in(self.ids.clone()))
            .filter(wanted)
            .order_by_asc(lot::Column::LotNo)
            .all(self.transaction)
            .await?;
        of_each(found, identity)
    }
}

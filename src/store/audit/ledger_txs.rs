//! The ledger transactions of an account, each with its entries, the charge that it gives back and the update that it paid.

use std::collections::HashMap;

use entity::{ledger_entry, ledger_tx};
use uuid::Uuid;

use super::{PAGE, Reader};
use crate::StoreError;
use crate::database::statement::Statements;
use domain::audit::{GivenBack, PaidUpdate, Written};
use domain::money::chain::{ChainHash, StoredEntry, StoredTx};
use domain::money::ledger::{TxKind, refund_key};

impl Reader<'_> {
    /// Hands over every ledger transaction after `after_seq`.
    pub(crate) async fn ledger_txs(&mut self, mut after_seq: i64) -> Result<(), StoreError> {
        loop {
            let mut sql = self.snapshot.rows_of::<ledger_tx::Entity>();
            sql.push("account_id = ").bind(self.account_id).push(" and tx_seq > ").bind(after_seq);
            sql.push(" order by tx_seq limit ").count(PAGE);
            let found: Vec<ledger_tx::Model> = sql.models(self.snapshot).await?;
            let Some(last_seq) = found.last().map(|last| last.tx_seq) else { return Ok(()) };
            let mut entries = self.entries(after_seq, last_seq).await?;
            let given_back = self.given_back(&found).await?;
            let paid = self.paid(&found).await?;
            for row in found {
                let charge = row.op_key.strip_prefix(&refund_key(""));
                let given_back = charge.and_then(|charge| given_back.get(charge).copied());
                let paid = row.update_id.and_then(|update_id| paid.get(&update_id).copied());
                let hash = ChainHash::from_stored(&row.hash);
                let tx = StoredTx {
                    entries: entries.remove(&row.tx_seq).unwrap_or_default(),
                    tx_seq: row.tx_seq,
                    op_key: row.op_key,
                    kind: row.kind,
                    amount_micros: row.amount_micros,
                    balance_after_micros: row.balance_after_micros,
                    at: row.at,
                    due_at: row.due_at,
                    radar_id: row.radar_id,
                    radar_type: row.radar_type,
                    update_id: row.update_id,
                };
                self.audit.ledger_tx(&Written { tx, hash, given_back, paid });
            }
            after_seq = last_seq;
        }
    }

    async fn entries(&self, after_seq: i64, last_seq: i64) -> Result<HashMap<i64, Vec<StoredEntry>>, StoreError> {
        let mut sql = self.snapshot.rows_of::<ledger_entry::Entity>();
        sql.push("account_id = ").bind(self.account_id).push(" and tx_seq > ").bind(after_seq);
        let found =
            sql.push(" and tx_seq <= ").bind(last_seq).push(" order by tx_seq, entry_no").models(self.snapshot).await?;
        let mut entries: HashMap<i64, Vec<StoredEntry>> = HashMap::new();
        for row in found {
            let ledger_entry::Model { account_id: _, tx_seq, entry_no, bucket, lot_no, amount_micros } = row;
            entries.entry(tx_seq).or_default().push(StoredEntry { entry_no, bucket, lot_no, amount_micros });
        }
        Ok(entries)
    }

    /// The charges that the refunds of a page give back, by key.
    async fn given_back(&self, page: &[ledger_tx::Model]) -> Result<HashMap<String, GivenBack>, StoreError> {
        let refunds = page.iter().filter(|row| row.kind == TxKind::Refund.as_str());
        let keys: Vec<String> =
            refunds.filter_map(|row| row.op_key.strip_prefix(&refund_key("")).map(str::to_owned)).collect();
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql =
            self.snapshot.sql("select op_key, tx_seq, amount_micros, radar_id, at from ledger_tx where account_id = ");
        sql.bind(self.account_id).push(" and op_key in ").bind_list(keys);
        let charges: Vec<(String, i64, i64, Option<Uuid>, i64)> = sql.all(self.snapshot).await?;
        let of_key = |(key, tx_seq, amount_micros, radar_id, at): (String, i64, i64, Option<Uuid>, i64)| {
            (key, GivenBack { tx_seq, amount_micros, radar_id, at })
        };
        Ok(charges.into_iter().map(of_key).collect())
    }

    /// The stored updates that the charges of a page paid.
    async fn paid(&self, page: &[ledger_tx::Model]) -> Result<HashMap<Uuid, PaidUpdate>, StoreError> {
        let update_ids: Vec<Uuid> = page.iter().filter_map(|row| row.update_id).collect();
        if update_ids.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = self.snapshot.sql("select update_id, update_seq, tx_seq from radar_update where account_id = ");
        sql.bind(self.account_id).push(" and update_id in ").bind_list(update_ids);
        let found: Vec<(Uuid, i64, Option<i64>)> = sql.all(self.snapshot).await?;
        let of_id = |(update_id, update_seq, tx_seq)| (update_id, PaidUpdate { update_seq, tx_seq });
        Ok(found.into_iter().map(of_id).collect())
    }
}

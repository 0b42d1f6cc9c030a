//! The rows of an account, page by page, each with what other rows say of it.

use std::collections::HashMap;

use entity::ledger_entry;
use sea_orm::{QueryResult, TryGetable, Value};
use uuid::Uuid;

use super::Reader;
use crate::Result;
use crate::database::Statements;
use crate::database::rows::columns;
use domain::ChainHash;
use domain::audit::{Held, Published, Watched, Written};
use domain::money::chain::{StoredEntry, StoredTx};

/// Rows that are read at once.
const PAGE: u64 = 1_000;

/// Ledger transactions: of refunds what the charge was that their key names (it begins with `refund:`), and the update that
/// one paid. Followed by whose they are, as those below.
const LEDGER_TXS: &str = "select t.*,
    case when t.kind = 'refund' then (select c.amount_micros from ledger_tx c where c.account_id = t.account_id
        and c.op_key = substr(t.op_key, 8) and c.tx_seq < t.tx_seq and c.radar_id = t.radar_id) end as given_back_micros,
    case when t.kind = 'refund' then (select c.at from ledger_tx c where c.account_id = t.account_id
        and c.op_key = substr(t.op_key, 8)) end as given_back_at,
    (select update_seq from radar_update u where u.account_id = t.account_id and u.update_id = t.update_id) as paid_seq,
    (select tx_seq from radar_update u where u.account_id = t.account_id and u.update_id = t.update_id) as paid_tx_seq
    from ledger_tx t where t.account_id = ?";

/// Updates without their payloads, which may be long.
const UPDATES: &str = "select update_seq, update_id, radar_id, update_type, discovered_at, tx_seq,
    exists (select 1 from ledger_tx t where t.account_id = u.account_id and t.tx_seq = u.tx_seq
        and t.kind = 'finding' and t.update_id = u.update_id) as is_paid,
    (select model from radar r where r.account_id = u.account_id and r.radar_id = u.radar_id) as model,
    exists (select 1 from radar r where r.radar_id = u.radar_id and r.webhook_url is not null) as has_webhook,
    (select update_seq from delivery d where d.account_id = u.account_id and d.update_id = u.update_id) as delivery_seq
    from radar_update u where u.account_id = ?";

const RADARS: &str = "select * from radar where account_id = ?";

/// Findings that are held.
const HELD: &str = "select hold_seq, radar_id, radar_type, reason,
    exists (select 1 from type_pause p where p.account_id = h.account_id and p.radar_type = h.radar_type) as is_paused,
    (select outcome from finding_seen s where s.radar_id = h.radar_id and s.record_id = h.record_id) as seen
    from held_finding h where h.account_id = ?";

impl Reader<'_> {
    /// Hands over every ledger transaction after `after_seq`.
    pub(crate) async fn ledger_txs(&mut self, mut after_seq: i64) -> Result<()> {
        while let Some((rows, last_seq)) = self.page(LEDGER_TXS, "tx_seq", after_seq).await? {
            let mut entries = self.entries(after_seq, last_seq).await?;
            for row in rows {
                let entries = entries.remove(&row.try_get("", "tx_seq")?).unwrap_or_default();
                let tx = columns!(row => StoredTx {
                    tx_seq, op_key, kind, amount_micros, balance_after_micros, at, due_at, radar_id, radar_type, update_id;
                    entries
                });
                let hash = ChainHash::from_stored(&row.try_get::<Vec<u8>>("", "hash")?);
                let written =
                    columns!(row => Written { given_back_micros, given_back_at, paid_seq, paid_tx_seq; tx, hash });
                self.audit.ledger_tx(&written);
            }
            after_seq = last_seq;
        }
        Ok(())
    }

    /// Hands over every stored update after `after_seq`.
    pub(crate) async fn updates(&mut self, mut after_seq: i64) -> Result<()> {
        while let Some((rows, last_seq)) = self.page(UPDATES, "update_seq", after_seq).await? {
            for row in rows {
                self.audit.update(&columns!(row => Published {
                    update_seq, update_id, radar_id, update_type, discovered_at, tx_seq, is_paid, model, has_webhook,
                    delivery_seq
                }));
            }
            after_seq = last_seq;
        }
        Ok(())
    }

    /// Hands over every radar.
    pub(crate) async fn radars(&mut self) -> Result<()> {
        let mut after = Uuid::nil();
        while let Some((rows, last)) = self.page(RADARS, "radar_id", after).await? {
            for row in rows {
                self.audit.radar(&columns!(row => Watched {
                    radar_id, model, status, status_reason, set_up, created_at, deactivated_at, period_no, next_charge_at,
                    held_beyond_bound
                }));
            }
            after = last;
        }
        Ok(())
    }

    /// Hands over every finding that is held.
    pub(crate) async fn held(&mut self) -> Result<()> {
        let mut after_seq = 0_i64;
        while let Some((rows, last_seq)) = self.page(HELD, "hold_seq", after_seq).await? {
            for row in rows {
                let held = columns!(row => Held { hold_seq, radar_id, radar_type, reason, is_paused, seen });
                self.audit.held(&held);
            }
            after_seq = last_seq;
        }
        Ok(())
    }

    /// The next rows of the account that `select` begins to name, by the column `key`, and the last key; `None` when there are no
    /// more.
    async fn page<K: Into<Value> + TryGetable>(
        &self,
        select: &str,
        key: &str,
        after: K,
    ) -> Result<Option<(Vec<QueryResult>, K)>> {
        let mut sql = self.snapshot.sql_with(select, self.account_id);
        sql.push(&format!(" and {key} > ")).bind(after);
        let rows = sql.add(&format!(" order by {key} limit ?"), PAGE).rows(self.snapshot).await?;
        let last = rows.last().map(|last| last.try_get("", key)).transpose()?;
        Ok(last.map(|last| (rows, last)))
    }

    async fn entries(&self, after_seq: i64, last_seq: i64) -> Result<HashMap<i64, Vec<StoredEntry>>> {
        let mut sql = self.snapshot.rows_of::<ledger_entry::Entity>();
        let between = "account_id = ? and tx_seq > ? and tx_seq <= ? order by tx_seq, entry_no";
        sql.add(between, (self.account_id, after_seq, last_seq));
        let mut entries: HashMap<i64, Vec<StoredEntry>> = HashMap::new();
        for row in sql.rows(self.snapshot).await? {
            let entry = columns!(row => StoredEntry { entry_no, bucket, lot_no, amount_micros });
            entries.entry(row.try_get("", "tx_seq")?).or_default().push(entry);
        }
        Ok(entries)
    }
}

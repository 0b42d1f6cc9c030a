//! Reads the rows of one account for an audit, in one state of the database, page by page.
//!
//! Duty: to hand rows to `domain::audit` in their order, each with what other rows say of it. It checks nothing itself.

pub(super) mod freezing;
mod pages;

use std::collections::BTreeMap;

use entity::{ledger_tx, usage_month};
use sea_orm::{DatabaseTransaction, EntityTrait, QueryResult};
use uuid::Uuid;

use crate::Result;
use crate::database::rows::{self, columns};
use crate::database::{Run, Statements};
use crate::tables::money;
use domain::account::UsageDelta;
use domain::audit::{Audit, Checkpoint, ClaimedLot, Claims, Discrepancy};
use domain::{AccountId, ChainHash, MicroUsd};

/// Entries of ledger transactions that do not exist.
const STRAY_ENTRIES: &str = "select distinct e.tx_seq from ledger_entry e where e.account_id = ? and e.tx_seq > ?
    and not exists (select 1 from ledger_tx t where t.account_id = e.account_id and t.tx_seq = e.tx_seq)
    order by e.tx_seq limit 20";
/// Ledger transactions whose key is there twice, which only a database without its unique index can hold.
const REPEATED_KEYS: &str = "select max(tx_seq), op_key from ledger_tx where account_id = ?
    group by op_key having count(*) > 1 limit 20";
/// Updates whose identifier is there twice, which each partition by itself can be without.
const REPEATED_UPDATES: &str = "select max(update_seq), update_id from radar_update where account_id = ?
    group by update_id having count(*) > 1 limit 20";
/// Deliveries of nothing: neither of an update nor of an alert.
const STRAY_DELIVERIES: &str = "select d.update_seq, d.update_id from delivery d where d.account_id = ?
    and not exists (select 1 from radar_update u where u.update_id = d.update_id)
    and not exists (select 1 from balance_alert a where a.alert_id = d.update_id)
    and not exists (select 1 from bound_alert b where b.alert_id = d.update_id)
    and not exists (select 1 from endpoint_alert e where e.alert_id = d.update_id)
    order by d.update_seq limit 20";

/// What the audit of one account found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedAccount {
    /// The account.
    pub account_id: AccountId,
    /// Ledger transactions of its ledger.
    pub ledger_txs: i64,
    /// Updates that it ever published.
    pub updates: i64,
    /// The balance on its row.
    pub balance: MicroUsd,
    /// What does not add up, the first bad entry first; empty for sound rows.
    pub discrepancies: Vec<Discrepancy>,
}

/// Audits one account: what came after the state that `sound` has noted, or all of it when there is no such state any more.
/// `None` when there is no such account.
pub(crate) async fn audit(
    account_id: AccountId,
    sound: Option<(i64, i64)>,
    snapshot: &DatabaseTransaction,
) -> Result<Option<AuditedAccount>> {
    let id = account_id.0;
    let mut row = snapshot.sql_with("select * from account where account_id = ?", id).rows(snapshot).await?;
    let Some(row) = row.pop() else { return Ok(None) };
    let claims = claims(account_id, &row, snapshot).await?;
    let (ledger_txs, updates, balance) = (claims.tx_seq, claims.update_seq, claims.balance_micros);
    let start = match sound {
        Some(checked) => checkpoint(account_id, checked, snapshot).await?,
        None => None,
    };
    let mut reader = Reader {
        account_id: id,
        audit: match start {
            Some(start) => Audit::after(claims, start),
            None => Audit::whole(claims),
        },
        snapshot,
    };
    let (after_tx, after_update) = start.map_or((0, 0), |start| (start.tx_seq, start.update_seq));
    reader.ledger_txs(after_tx).await?;
    for tx_seq in snapshot.all(STRAY_ENTRIES, (id, after_tx)).await? {
        reader.audit.stray_entry(tx_seq);
    }
    if start.is_none() {
        for (tx_seq, op_key) in snapshot.all::<(i64, String)>(REPEATED_KEYS, id).await? {
            reader.audit.repeated_key(tx_seq, &op_key);
        }
    }
    reader.updates(after_update).await?;
    if start.is_none() {
        for (update_seq, update_id) in snapshot.all(STRAY_DELIVERIES, id).await? {
            reader.audit.stray_delivery(update_seq, update_id);
        }
        for (update_seq, update_id) in snapshot.all(REPEATED_UPDATES, id).await? {
            reader.audit.repeated_update(update_seq, update_id);
        }
        reader.radars().await?;
    }
    reader.held().await?;
    let months = months(id, snapshot).await?;
    Ok(Some(AuditedAccount {
        account_id,
        ledger_txs,
        updates,
        balance: MicroUsd::from_micros(balance),
        discrepancies: reader.audit.finish(&months),
    }))
}

struct Reader<'a> {
    account_id: Uuid,
    audit: Audit,
    snapshot: &'a DatabaseTransaction,
}

async fn claims(account_id: AccountId, row: &QueryResult, snapshot: &DatabaseTransaction) -> Result<Claims> {
    let lots = snapshot.sql_with("select * from lot where account_id = ?", account_id).rows(snapshot).await?;
    let first = "select update_seq, discovered_at from radar_update where account_id = ? order by update_seq limit 1";
    let first_update = snapshot.first(first, account_id).await?;
    let claimed = |lot: &QueryResult| {
        let claimed = columns!(lot => ClaimedLot {
            kind, granted_micros, remaining_micros, expires_at, parent_lot_no, origin_expires_at, created_at
        });
        Ok((lot.try_get("", "lot_no")?, claimed))
    };
    Ok(columns!(row => Claims {
        balance_micros, tx_seq, update_seq, hold_seq, lot_no, active_radars, ended_radars, purged_radars, last_at,
        next_expiry_at;
        account_id,
        head_hash: rows::chain_hash("account", &row.try_get::<Vec<u8>>("", "head_hash")?)?,
        lots: lots.iter().map(claimed).collect::<Result<_>>()?,
        first_update,
    }))
}

/// The state that was noted as sound, read again; `None` when its ledger transaction is not there.
async fn checkpoint(
    account_id: AccountId,
    (tx_seq, update_seq): (i64, i64),
    snapshot: &DatabaseTransaction,
) -> Result<Option<Checkpoint>> {
    if tx_seq == 0 {
        return Ok(Some(Checkpoint { update_seq, ..Checkpoint::beginning(account_id) }));
    }
    let last = ledger_tx::Entity::find_by_id((account_id.0, tx_seq)).one(snapshot).await?;
    Ok(last.and_then(|last| {
        Some(Checkpoint {
            account_id,
            tx_seq: last.tx_seq,
            balance_micros: last.balance_after_micros,
            hash: ChainHash::from_stored(&last.hash)?,
            at: last.at,
            update_seq,
        })
    }))
}

async fn months(account_id: Uuid, snapshot: &DatabaseTransaction) -> Result<BTreeMap<String, UsageDelta>> {
    let found = snapshot.rows_where::<usage_month::Entity>("account_id = ?", account_id).await?;
    found.into_iter().map(money::usage).collect()
}

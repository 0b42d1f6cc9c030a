//! What a commit writes: a fixed number of statements, each for all accounts of the batch, the account rows last.

use entity::held_finding::Column as Held;
use entity::radar_feed;
use entity::type_pause::Column as Pause;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryTrait, Statement, Value};
use uuid::Uuid;

use super::batch::Batch;
use crate::StoreError;
use crate::database::bulk::{execute_all, insertions};
use crate::database::if_present::IfPresent;
use crate::database::statement::{Sql, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;

/// Writes a batch. A unique violation means that another writer ignored the lock; the caller rolls back.
pub(crate) async fn write(transaction: &WriteTransaction, batch: Batch) -> Result<(), StoreError> {
    execute_all(transaction, statements(transaction.get_database_backend(), batch)).await
}

fn statements(backend: DbBackend, batch: Batch) -> impl Iterator<Item = Statement> {
    let wake_feeds = wake_feeds(backend, &batch.new_cursors, batch.now.timestamp_micros());
    insertions(backend, batch.ledger_txs, IfPresent::fail())
        .chain(insertions(backend, batch.entries, IfPresent::fail()))
        .chain(insertions(backend, batch.lots, IfPresent::overwrite()))
        .chain(insertions(backend, batch.radars, IfPresent::overwrite()))
        .chain(insertions(backend, batch.updates, IfPresent::fail()))
        .chain(insertions(backend, batch.endpoints, IfPresent::overwrite()))
        .chain(insertions(backend, batch.balance_alerts, IfPresent::fail()))
        .chain(insertions(backend, batch.bound_alerts, IfPresent::fail()))
        .chain(insertions(backend, batch.deliveries, IfPresent::fail()))
        .chain(insertions(backend, batch.seen, IfPresent::overwrite()))
        .chain(insertions(backend, batch.approvals, IfPresent::overwrite()))
        .chain(insertions(backend, batch.held, IfPresent::overwrite()))
        .chain(insertions(backend, batch.paused, IfPresent::overwrite()))
        .chain(insertions(backend, batch.new_set_ups, IfPresent::fail()))
        .chain(forget_set_ups(backend, batch.settled_set_ups))
        .chain(wake_feeds)
        .chain(insertions(backend, batch.new_cursors, IfPresent::fail()))
        .chain(insertions(backend, batch.moved_cursors, IfPresent::overwrite()))
        .chain(insertions(backend, batch.usage, IfPresent::overwrite()))
        .chain(insertions(backend, batch.answers, IfPresent::overwrite()))
        .chain(remove(backend, [Held::AccountId, Held::HoldSeq], batch.released))
        .chain(remove(backend, [Pause::AccountId, Pause::RadarType], batch.resumed))
        .chain(insertions(backend, batch.accounts, IfPresent::overwrite()))
}

/// Feeds with new readers are polled from now on, even if they were at rest. Their rows are locked in order: a transaction
/// that puts one of them to rest at the same moment must end first.
fn wake_feeds(backend: DbBackend, new_cursors: &[radar_feed::Model], now_micros: i64) -> Option<Statement> {
    if new_cursors.is_empty() {
        return None;
    }
    let mut sql = Sql::new(backend, "update feed set next_poll_at = coalesce(next_poll_at, ");
    sql.bind(now_micros).push(") where feed_id in ");
    let ids = in_few_lengths(new_cursors.iter().map(|cursor| cursor.feed_id));
    if backend == DbBackend::Postgres {
        sql.push("(select feed_id from feed where feed_id in ").bind_list(ids);
        sql.push(" order by feed_id for update)");
    } else {
        sql.bind_list(ids);
    }
    Some(sql.finish())
}

fn forget_set_ups(backend: DbBackend, settled: Vec<Uuid>) -> Option<Statement> {
    let mut sql = Sql::new(backend, "delete from set_up where radar_id in ");
    (!settled.is_empty()).then(|| sql.bind_list(in_few_lengths(settled)).finish())
}

/// Removes rows by their account and their key in it.
fn remove<C: ColumnTrait, K: Into<Value>>(
    backend: DbBackend,
    [account, key]: [C; 2],
    removed: Vec<(Uuid, Vec<K>)>,
) -> Option<Statement>
where
    C::EntityName: EntityTrait,
{
    let of_account = |(account_id, keys): (Uuid, Vec<K>)| account.eq(account_id).and(key.is_in(keys));
    let any = removed.into_iter().map(of_account).reduce(ExprTrait::or)?;
    Some(C::EntityName::delete_many().filter(any).build(backend))
}

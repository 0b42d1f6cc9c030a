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
use crate::database::statement::{Sql, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;
use crate::outbox::new_rows::ENDPOINT;

const LOT: &str = "(account_id, lot_no) do update set remaining_micros = excluded.remaining_micros";
/// The columns that can change in a radar's life; what the customer asked for never does.
const RADAR: &str = "(radar_id) do update set status = excluded.status, status_reason = excluded.status_reason,
    set_up = excluded.set_up, deactivated_at = excluded.deactivated_at, period_no = excluded.period_no,
    next_charge_at = excluded.next_charge_at, wake_at = excluded.wake_at, day_began_at = excluded.day_began_at,
    day_charged = excluded.day_charged, held_beyond_bound = excluded.held_beyond_bound,
    full_since = excluded.full_since, release_at = excluded.release_at";
const SEEN: &str = "(radar_id, record_id) do update set outcome = excluded.outcome";
/// Why a finding is held may change.
const HELD: &str = "(account_id, hold_seq) do update set reason = excluded.reason";
/// A pause that ended and began again.
const PAUSE: &str = "(account_id, radar_type) do update set since = excluded.since, rate_micros = excluded.rate_micros";
const APPROVAL: &str = "(update_id) do update set state = excluded.state, judged_at = excluded.judged_at";
const CURSOR: &str = "(radar_id, feed_id) do update set read_seq = excluded.read_seq,
    filtered_items = radar_feed.filtered_items + excluded.filtered_items";
/// Usage is added to what the month has.
const USAGE: &str = "(account_id, month) do update set
    radars_activated = usage_month.radars_activated + excluded.radars_activated,
    radars_deactivated = usage_month.radars_deactivated + excluded.radars_deactivated,
    radars_failed = usage_month.radars_failed + excluded.radars_failed,
    updates_found = usage_month.updates_found + excluded.updates_found,
    used_micros = usage_month.used_micros + excluded.used_micros";
/// A key that is no longer valid may be used again.
const ANSWER: &str = "(account_id, key_hash) do update set request_hash = excluded.request_hash,
    status = excluded.status, body = excluded.body, used_at = excluded.used_at";
const ACCOUNT: &str = "(account_id) do update set status = excluded.status,
    balance_micros = excluded.balance_micros, tx_seq = excluded.tx_seq,
    update_seq = excluded.update_seq, hold_seq = excluded.hold_seq, lot_no = excluded.lot_no,
    active_radars = excluded.active_radars, ended_radars = excluded.ended_radars,
    last_at = excluded.last_at, next_expiry_at = excluded.next_expiry_at, head_hash = excluded.head_hash";

/// Writes a batch. A unique violation means that another writer ignored the lock; the caller rolls back.
pub(crate) async fn write(transaction: &WriteTransaction, batch: Batch) -> Result<(), StoreError> {
    execute_all(transaction, statements(transaction.get_database_backend(), batch)).await
}

fn statements(backend: DbBackend, batch: Batch) -> impl Iterator<Item = Statement> {
    let wake_feeds = wake_feeds(backend, &batch.new_cursors, batch.now_micros);
    insertions(backend, batch.ledger_txs, None)
        .chain(insertions(backend, batch.entries, None))
        .chain(insertions(backend, batch.lots, Some(LOT)))
        .chain(insertions(backend, batch.radars, Some(RADAR)))
        .chain(insertions(backend, batch.updates, None))
        .chain(insertions(backend, batch.endpoints, Some(ENDPOINT)))
        .chain(insertions(backend, batch.balance_alerts, None))
        .chain(insertions(backend, batch.bound_alerts, None))
        .chain(insertions(backend, batch.deliveries, None))
        .chain(insertions(backend, batch.seen, Some(SEEN)))
        .chain(insertions(backend, batch.approvals, Some(APPROVAL)))
        .chain(insertions(backend, batch.held, Some(HELD)))
        .chain(insertions(backend, batch.paused, Some(PAUSE)))
        .chain(insertions(backend, batch.new_set_ups, None))
        .chain(forget_set_ups(backend, batch.settled_set_ups))
        .chain(wake_feeds)
        .chain(insertions(backend, batch.new_cursors, None))
        .chain(insertions(backend, batch.moved_cursors, Some(CURSOR)))
        .chain(insertions(backend, batch.usage, Some(USAGE)))
        .chain(insertions(backend, batch.answers, Some(ANSWER)))
        .chain(remove(backend, [Held::AccountId, Held::HoldSeq], batch.released))
        .chain(remove(backend, [Pause::AccountId, Pause::RadarType], batch.resumed))
        .chain(insertions(backend, batch.accounts, Some(ACCOUNT)))
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

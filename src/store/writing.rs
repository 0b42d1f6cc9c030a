//! What a commit writes: a fixed number of statements, each for all accounts of the batch, the account rows last.

use entity::{feed, held_finding, radar_feed, type_pause};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, EntityName, EntityTrait, IdenStatic,
    Iterable, ModelTrait, QueryFilter, Statement,
};
use uuid::Uuid;

use super::StoreError;
use super::batch::Batch;
use super::sql::Sql;

/// How many rows one statement inserts at most: a power of two.
const ROWS_MAX: usize = 128;

const LOT: &str = "(account_id, lot_no) do update set remaining_micros = excluded.remaining_micros";
/// The columns that can change in a radar's life; what the customer asked for never does.
const RADAR: &str = "(radar_id) do update set status = excluded.status, status_reason = excluded.status_reason,
    set_up = excluded.set_up, deactivated_at = excluded.deactivated_at, period_no = excluded.period_no,
    next_charge_at = excluded.next_charge_at, wake_at = excluded.wake_at";
const ENDPOINT: &str = "(endpoint_id) do update set head_sequence = excluded.head_sequence";
const SEEN: &str = "(radar_id, record_id) do update set outcome = excluded.outcome";
const JUDGED: &str = "(update_id) do update set state = excluded.state, judged_at = excluded.judged_at";
const READING: &str = "(radar_id, feed_id) do update set read_seq = excluded.read_seq";
/// Usage is added to what the month has.
const USAGE: &str = "(account_id, month) do update set
    radars_activated = usage_month.radars_activated + excluded.radars_activated,
    radars_deactivated = usage_month.radars_deactivated + excluded.radars_deactivated,
    radars_failed = usage_month.radars_failed + excluded.radars_failed,
    updates_found = usage_month.updates_found + excluded.updates_found,
    used_micros = usage_month.used_micros + excluded.used_micros";
/// A key whose answer has had its time is used anew.
const ANSWER: &str = "(account_id, key_hash) do update set request_hash = excluded.request_hash,
    status = excluded.status, body = excluded.body, used_at = excluded.used_at";
const ACCOUNT: &str = "(account_id) do update set balance_micros = excluded.balance_micros, tx_seq = excluded.tx_seq,
    update_seq = excluded.update_seq, hold_seq = excluded.hold_seq, lot_no = excluded.lot_no,
    last_at = excluded.last_at, next_expiry_at = excluded.next_expiry_at, head_hash = excluded.head_hash";

/// Writes a batch. A unique violation here means that somebody ignored the lock; the caller rolls back.
pub(super) async fn write(transaction: &DatabaseTransaction, batch: Batch) -> Result<(), StoreError> {
    insert(transaction, batch.movements, None).await?;
    insert(transaction, batch.entries, None).await?;
    insert(transaction, batch.lots, Some(LOT)).await?;
    insert(transaction, batch.radars, Some(RADAR)).await?;
    insert(transaction, batch.updates, None).await?;
    insert(transaction, batch.endpoints, Some(ENDPOINT)).await?;
    insert(transaction, batch.alerts, None).await?;
    insert(transaction, batch.deliveries, None).await?;
    insert(transaction, batch.seen, Some(SEEN)).await?;
    insert(transaction, batch.judged, Some(JUDGED)).await?;
    insert(transaction, batch.held, None).await?;
    insert(transaction, batch.paused, None).await?;
    wake_feeds(transaction, &batch.new_readings, batch.now_micros).await?;
    insert(transaction, batch.new_readings, None).await?;
    insert(transaction, batch.moved_readings, Some(READING)).await?;
    insert(transaction, batch.usage, Some(USAGE)).await?;
    insert(transaction, batch.answers, Some(ANSWER)).await?;
    remove_holds(transaction, batch.released).await?;
    remove_pauses(transaction, batch.resumed).await?;
    insert(transaction, batch.accounts, Some(ACCOUNT)).await
}

/// Inserts rows, or does with those that exist what `on_conflict` says.
///
/// The rows go in lots of few sizes, so that the statements are the same again and the database has them prepared.
async fn insert<M: ModelTrait>(
    transaction: &DatabaseTransaction,
    rows: Vec<M>,
    on_conflict: Option<&str>,
) -> Result<(), StoreError> {
    let mut rest = rows.as_slice();
    while !rest.is_empty() {
        let (rows, others) = rest.split_at(ROWS_MAX.min(1 << rest.len().ilog2()));
        transaction.execute_raw(insertion(transaction.get_database_backend(), rows, on_conflict)).await?;
        rest = others;
    }
    Ok(())
}

fn insertion<M: ModelTrait>(backend: DbBackend, rows: &[M], on_conflict: Option<&str>) -> Statement {
    let columns: Vec<_> = <M::Entity as EntityTrait>::Column::iter().collect();
    let names: Vec<&str> = columns.iter().map(IdenStatic::as_str).collect();
    let mut sql = Sql::new(backend);
    sql.push("insert into ").push(M::Entity::default().table_name());
    sql.push(" (").push(&names.join(", ")).push(") values ");
    for (index, row) in rows.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind_list(columns.iter().map(|column| row.get(*column)));
    }
    if let Some(on_conflict) = on_conflict {
        sql.push(" on conflict ").push(on_conflict);
    }
    sql.finish()
}

/// A feed that somebody begins to read is polled from now on, even if it was at rest.
async fn wake_feeds(
    transaction: &DatabaseTransaction,
    new_readings: &[radar_feed::Model],
    now_micros: i64,
) -> Result<(), StoreError> {
    if new_readings.is_empty() {
        return Ok(());
    }
    feed::Entity::update_many()
        .col_expr(feed::Column::NextPollAt, Expr::value(now_micros))
        .filter(feed::Column::FeedId.is_in(new_readings.iter().map(|reading| reading.feed_id)))
        .filter(feed::Column::NextPollAt.is_null())
        .exec(transaction)
        .await?;
    Ok(())
}

async fn remove_holds(transaction: &DatabaseTransaction, released: Vec<(Uuid, Vec<i64>)>) -> Result<(), StoreError> {
    if released.is_empty() {
        return Ok(());
    }
    let any = released.into_iter().fold(Condition::any(), |any, (account_id, holds)| {
        any.add(
            Condition::all()
                .add(held_finding::Column::AccountId.eq(account_id))
                .add(held_finding::Column::HoldSeq.is_in(holds)),
        )
    });
    held_finding::Entity::delete_many().filter(any).exec(transaction).await?;
    Ok(())
}

async fn remove_pauses(transaction: &DatabaseTransaction, resumed: Vec<(Uuid, Vec<String>)>) -> Result<(), StoreError> {
    if resumed.is_empty() {
        return Ok(());
    }
    let any = resumed.into_iter().fold(Condition::any(), |any, (account_id, types)| {
        any.add(
            Condition::all()
                .add(type_pause::Column::AccountId.eq(account_id))
                .add(type_pause::Column::RadarType.is_in(types)),
        )
    });
    type_pause::Entity::delete_many().filter(any).exec(transaction).await?;
    Ok(())
}

//! What a commit writes: a fixed number of statements, each for all accounts of the batch, the account rows last.

use entity::{
    account, endpoint, feed, finding_seen, held_finding, judged_finding, lot, radar, radar_feed, type_pause,
    usage_month,
};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, EntityTrait, Insert, IntoActiveModel, Iterable,
    QueryFilter,
};
use uuid::Uuid;

use super::batch::Batch;
use super::{StoreError, kept_answers};

/// SQLite takes at most this many values in one statement; PostgreSQL takes twice as many.
const VALUES_MAX: usize = 32_000;

/// Writes a batch. A unique violation here means that somebody ignored the lock; the caller rolls back.
pub(super) async fn write(transaction: &DatabaseTransaction, batch: Batch) -> Result<(), StoreError> {
    insert(transaction, batch.movements, None).await?;
    insert(transaction, batch.entries, None).await?;
    let lots = on_conflict([lot::Column::AccountId, lot::Column::LotNo], [lot::Column::RemainingMicros]);
    insert(transaction, batch.lots, Some(lots)).await?;
    insert(transaction, batch.radars, Some(changed_radar())).await?;
    insert(transaction, batch.updates, None).await?;
    let endpoints = on_conflict([endpoint::Column::EndpointId], [endpoint::Column::HeadSequence]);
    insert(transaction, batch.endpoints, Some(endpoints)).await?;
    insert(transaction, batch.alerts, None).await?;
    insert(transaction, batch.deliveries, None).await?;
    let seen =
        on_conflict([finding_seen::Column::RadarId, finding_seen::Column::RecordId], [finding_seen::Column::Outcome]);
    insert(transaction, batch.seen, Some(seen)).await?;
    let judged = on_conflict(
        [judged_finding::Column::UpdateId],
        [judged_finding::Column::State, judged_finding::Column::JudgedAt],
    );
    insert(transaction, batch.judged, Some(judged)).await?;
    insert(transaction, batch.held, None).await?;
    insert(transaction, batch.paused, None).await?;
    wake_feeds(transaction, &batch.new_readings, batch.now_micros).await?;
    insert(transaction, batch.new_readings, None).await?;
    let moved = on_conflict([radar_feed::Column::RadarId, radar_feed::Column::FeedId], [radar_feed::Column::ReadSeq]);
    insert(transaction, batch.moved_readings, Some(moved)).await?;
    insert(transaction, batch.usage, Some(added_usage())).await?;
    insert(transaction, batch.answers, Some(kept_answers::replaced())).await?;
    remove_holds(transaction, batch.released).await?;
    remove_pauses(transaction, batch.resumed).await?;
    let accounts = on_conflict(
        [account::Column::AccountId],
        [
            account::Column::BalanceMicros,
            account::Column::TxSeq,
            account::Column::UpdateSeq,
            account::Column::HoldSeq,
            account::Column::LotNo,
            account::Column::LastAt,
            account::Column::NextExpiryAt,
            account::Column::HeadHash,
        ],
    );
    insert(transaction, batch.accounts, Some(accounts)).await
}

/// Inserts rows, or changes those that exist; as few statements as the databases' limits allow.
async fn insert<M, A>(
    transaction: &DatabaseTransaction,
    rows: Vec<M>,
    on_conflict: Option<OnConflict>,
) -> Result<(), StoreError>
where
    M: IntoActiveModel<A>,
    A: ActiveModelTrait + Send,
    <A::Entity as EntityTrait>::Model: Send,
{
    let rows_max = VALUES_MAX / <A::Entity as EntityTrait>::Column::iter().count().max(1);
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let models: Vec<A> = rows.by_ref().take(rows_max).map(IntoActiveModel::into_active_model).collect();
        let mut statement = Insert::many(models);
        if let Some(on_conflict) = &on_conflict {
            statement = statement.on_conflict(on_conflict.clone());
        }
        statement.exec_without_returning(transaction).await?;
    }
    Ok(())
}

fn on_conflict<C: ColumnTrait, const K: usize, const U: usize>(key: [C; K], changed: [C; U]) -> OnConflict {
    OnConflict::columns(key).update_columns(changed).to_owned()
}

/// The columns that can change in a radar's life; what the customer asked for never does.
fn changed_radar() -> OnConflict {
    use radar::Column::{DeactivatedAt, NextChargeAt, PeriodNo, RadarId, SetUp, Status, StatusReason, WakeAt};
    on_conflict([RadarId], [Status, StatusReason, SetUp, DeactivatedAt, PeriodNo, NextChargeAt, WakeAt])
}

/// Usage is added to what the month has.
fn added_usage() -> OnConflict {
    use usage_month::Column::{
        AccountId, Month, RadarsActivated, RadarsDeactivated, RadarsFailed, UpdatesFound, UsedMicros,
    };
    let mut sum = OnConflict::columns([AccountId, Month]);
    for column in [RadarsActivated, RadarsDeactivated, RadarsFailed, UpdatesFound, UsedMicros] {
        let added = Expr::col(("excluded", column));
        sum.value(column, Expr::col((usage_month::Entity, column)).add(added));
    }
    sum
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

//! What happened to a radar, as far as it is kept: its updates with what they cost and how they were delivered, and what
//! it was charged besides.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use entity::{ledger_tx, radar_update};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement};
use uuid::Uuid;

use super::evidence::record_id;
use super::paging::{self, Paged, Stream, crossed};
use super::updates::UPDATE_TYPES;
use crate::database::{List, Sql, in_few_lengths, rows};
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::money::ledger::{refund_key, subscription_key};
use domain::{AccountId, DeliveryFilter, LedgerTx, LoggedDelivery, Radar, RadarId, UpdateId, UpdateType};

/// The updates of a radar, newest first.
const UPDATES: Paged = Paged {
    table: "radar_update",
    columns: "found.*",
    key: "update_seq",
    ordered_by: &["update_seq"],
    direction: "desc",
};
/// The most periods of a subscription whose charges are read: those of ten years.
const PERIODS_MAX: usize = 120;

/// An update of a radar, with what it cost and how it was delivered.
#[derive(Clone, Debug)]
pub struct RadarEvent {
    /// Its number within the account.
    pub update_seq: i64,
    /// The update.
    pub update_id: UpdateId,
    /// A finding or a failure.
    pub update_type: UpdateType,
    /// When it was published.
    pub discovered_at: DateTime<Utc>,
    /// When it was first seen.
    pub detected_at: DateTime<Utc>,
    /// What was found; a failure tells of no record.
    pub record_id: Option<Uuid>,
    /// The payload.
    pub body: String,
    /// What it cost; `None` where nothing was charged.
    pub charge: Option<LedgerTx>,
    /// Its delivery; `None` where the radar has no webhook address, or it is gone.
    pub delivery: Option<LoggedDelivery>,
}

impl RadarEvent {
    /// What a failure says, for customers; `None` of a finding.
    pub fn failure(&self) -> Option<String> {
        let failure = Some(&self.body).filter(|_| self.update_type == UpdateType::Failure)?;
        let payload: serde_json::Value = serde_json::from_str(failure).ok()?;
        Some(payload["content"]["message"].as_str()?.to_owned())
    }
}

/// A page of what happened to a radar.
#[derive(Clone, Debug)]
pub struct RadarEvents {
    /// Its updates, newest first.
    pub updates: Vec<RadarEvent>,
    /// Whether older ones follow.
    pub has_more: bool,
    /// What it was charged as a subscription, and what was given back of that.
    pub charges: Vec<LedgerTx>,
}

impl Store {
    /// A page of what happened to a radar: updates with numbers below `before_seq`, and its charges as a subscription.
    pub async fn radar_events(&self, radar: &Radar, before_seq: Option<i64>, limit: usize) -> Result<RadarEvents> {
        let also = |sql: &mut Sql| {
            sql.push(" and update_seq < ").bind(before_seq.unwrap_or(i64::MAX));
        };
        let (account_id, streams) = (Some(radar.account_id.0), streams_of(radar.radar_id));
        let (found, has_more) = self.read_page(&UPDATES, account_id, &streams, also, limit).await?;
        let rows = found.iter().map(|row| radar_update::Model::from_query_result(row, ""));
        let rows: Vec<radar_update::Model> = rows.collect::<Result<_, _>>()?;
        let mut charges = self.ledger_txs(radar.account_id, rows.iter().filter_map(|row| row.tx_seq)).await?;
        let mut deliveries = self.deliveries_of(rows.iter().map(|row| row.update_id)).await?;
        let event = |row: radar_update::Model| {
            Ok(RadarEvent {
                update_seq: row.update_seq,
                update_id: UpdateId(row.update_id),
                update_type: rows::closed("radar_update", &row.update_type)?,
                discovered_at: rows::instant("radar_update", row.discovered_at)?,
                detected_at: rows::instant("radar_update", row.detected_at)?,
                record_id: record_id(&row.body)?,
                body: row.body,
                charge: row.tx_seq.and_then(|tx_seq| charges.remove(&tx_seq)),
                delivery: deliveries.remove(&row.update_id),
            })
        };
        let updates = rows.into_iter().map(event).collect::<Result<_>>()?;
        Ok(RadarEvents { updates, has_more, charges: self.subscription_charges(radar).await? })
    }

    async fn ledger_txs(
        &self,
        account_id: AccountId,
        tx_seqs: impl Iterator<Item = i64>,
    ) -> Result<HashMap<i64, LedgerTx>> {
        let found =
            ledger_tx::Entity::values_where(&self.read, "account_id = ? and tx_seq in ?", (account_id, List(tx_seqs)));
        Ok(self.deadline.io(found).await?.into_iter().map(|(_, tx)| (tx.tx_seq, tx)).collect())
    }

    /// What a radar was charged as a subscription, the last periods first, and what was given back of that.
    async fn subscription_charges(&self, radar: &Radar) -> Result<Vec<LedgerTx>> {
        let periods = (0..=radar.period_no).rev().take(PERIODS_MAX);
        let keys = periods.flat_map(|period_no| {
            let charge = subscription_key(radar.radar_id, period_no);
            [refund_key(&charge), charge]
        });
        let parameters = (radar.account_id, List(in_few_lengths(keys)));
        let found = ledger_tx::Entity::values_where(&self.read, "account_id = ? and op_key in ?", parameters);
        Ok(self.deadline.io(found).await?.into_iter().map(|(_, tx)| tx).collect())
    }

    /// The deliveries of a radar of an account that `filter` wants, the newest first.
    pub(crate) async fn radar_deliveries(
        &self,
        account_id: AccountId,
        radar_id: RadarId,
        filter: &DeliveryFilter,
        limit: usize,
    ) -> Result<Vec<LoggedDelivery>> {
        let page = delivered_page(self.read.get_database_backend(), account_id, radar_id, filter, limit);
        let found = self.deadline.io(self.read.query_all_raw(page)).await?;
        let found: Vec<Uuid> = found.iter().map(|row| row.try_get("", "update_id")).collect::<Result<_, _>>()?;
        let mut deliveries = self.deliveries_of(found.iter().copied()).await?;
        Ok(found.iter().filter_map(|update_id| deliveries.remove(update_id)).collect())
    }

    async fn deliveries_of(&self, update_ids: impl Iterator<Item = Uuid>) -> Result<HashMap<Uuid, LoggedDelivery>> {
        let found = self.all_deliveries_of(update_ids).await?;
        Ok(found.into_iter().map(|logged| (logged.delivery.update_id.0, logged)).collect())
    }
}

/// The ranges that hold the updates of a radar.
fn streams_of(radar_id: RadarId) -> Vec<Stream> {
    let of_radar = vec![vec![("radar_id", radar_id.0.into())]];
    crossed(of_radar, "update_type", UPDATE_TYPES.map(UpdateType::as_str))
}

/// The statement that reads which updates of a radar have a delivery that `filter` wants: it walks back along the updates and
/// looks up each delivery, so that it reads no more than the page needs where most are wanted.
pub(crate) fn delivered_page(
    backend: DbBackend,
    account_id: AccountId,
    radar_id: RadarId,
    filter: &DeliveryFilter,
    limit: usize,
) -> Statement {
    let also = |sql: &mut Sql| {
        // Not a join, for which PostgreSQL might read all deliveries.
        sql.push(" and 1 = (select 1 from delivery d where d.update_id = radar_update.update_id");
        sql.add_if_some(" and d.state = ?", filter.state);
        sql.add_if_some(" and d.endpoint_id = ?", filter.endpoint_id);
        sql.add_if_some(" and d.created_at >= ?", filter.since);
        sql.add_if_some(" and d.created_at < ?", filter.until);
        sql.push(")");
        let last = filter.before.map(|(_, last)| last);
        sql.add_if_some(" and update_seq < (select u.update_seq from radar_update u where u.update_id = ?)", last);
    };
    let paged = Paged { columns: "found.update_id", ..UPDATES };
    paging::page(backend, &paged, Some(account_id.0), &streams_of(radar_id), also, limit)
}

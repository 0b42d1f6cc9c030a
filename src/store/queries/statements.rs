//! Reading parts of the ledger by time.
//!
//! Ledger transactions are found by their number alone: their instants increase with it, so a search by halves needs no index.

use chrono::{DateTime, Utc};
use entity::{account, ledger_tx};
use sea_orm::EntityTrait;
use uuid::Uuid;

use super::ledger::Ledger;
use crate::database::rows;
use crate::database::statement::{Sql, Statements};
use crate::{Store, StoreError};
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::money::ledger::TxKind;
use domain::money::statement::{KindSum, Spend, SpendByRadar, Statement};

impl Store {
    /// The statement of an account from `from` on and before `to`.
    pub async fn statement(
        &self,
        account_id: AccountId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Statement, StoreError> {
        self.in_snapshot(async |snapshot| {
            let ledger = Ledger { account_id: account_id.0, snapshot };
            let (first_seq, end_seq) = ledger.span(from, to).await?;
            Ok(Statement {
                first_seq,
                end_seq,
                opening: ledger.balance_before(first_seq).await?,
                closing: ledger.balance_before(end_seq).await?,
                by_kind: ledger.sums(first_seq, end_seq).await?,
            })
        })
        .await
    }

    /// For what an account paid from `from` on and before `to`: the newest ledger transactions, at most `summed_max`, are
    /// summed, and at most `radars_max` radars are named.
    pub async fn spend(
        &self,
        account_id: AccountId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        summed_max: i64,
        radars_max: u64,
    ) -> Result<SpendByRadar, StoreError> {
        self.in_snapshot(async |snapshot| {
            let ledger = Ledger { account_id: account_id.0, snapshot };
            let (month_seq, end_seq) = ledger.span(from, to).await?;
            let first_seq = month_seq.max(end_seq - summed_max);
            let mut sql = ledger.spend(first_seq, end_seq, "radar_type");
            let by_type: Vec<(String, i64, i64)> = sql.all(snapshot).await?;
            let mut sql = ledger.spend(first_seq, end_seq, "radar_type, radar_id");
            sql.push(" limit ").count(radars_max);
            let by_radar: Vec<(String, Uuid, i64, i64)> = sql.all(snapshot).await?;
            let by_radar = by_radar.into_iter().map(|(radar_type, radar_id, ledger_txs, micros)| {
                Ok((RadarId(radar_id), spend((radar_type, ledger_txs, micros))?))
            });
            Ok(SpendByRadar {
                by_type: by_type.into_iter().map(spend).collect::<Result<_, StoreError>>()?,
                by_radar: by_radar.collect::<Result<_, StoreError>>()?,
                not_summed: first_seq - month_seq,
            })
        })
        .await
    }

    /// The numbers of the first ledger transaction at or after `from`, and of the first one at or after `to`. Ledger transactions are only
    /// ever added, so what lies between stays as it is.
    pub async fn ledger_span(
        &self,
        account_id: AccountId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<(i64, i64), StoreError> {
        self.in_snapshot(async |snapshot| Ledger { account_id: account_id.0, snapshot }.span(from, to).await).await
    }
}

impl Ledger<'_> {
    async fn span(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<(i64, i64), StoreError> {
        let row = account::Entity::find_by_id(self.account_id).one(self.snapshot).await?;
        let head_seq = row.map_or(0, |row| row.tx_seq);
        Ok((self.first_seq_at(from, head_seq).await?, self.first_seq_at(to, head_seq).await?))
    }

    /// The number of the first ledger transaction at or after `instant`; that of the next one to come when there is none.
    async fn first_seq_at(&self, instant: DateTime<Utc>, head_seq: i64) -> Result<i64, StoreError> {
        let mut low = 1;
        let mut high = head_seq + 1;
        while low < high {
            let middle = low + (high - low) / 2;
            let mut at = self.snapshot.sql("select at from ledger_tx where account_id = ");
            at.bind(self.account_id).push(" and tx_seq = ").bind(middle);
            let at: Option<i64> = at.all(self.snapshot).await?.pop();
            if at.is_some_and(|at| at < instant.timestamp_micros()) { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    async fn balance_before(&self, tx_seq: i64) -> Result<MicroUsd, StoreError> {
        let before = ledger_tx::Entity::find_by_id((self.account_id, tx_seq - 1)).one(self.snapshot).await?;
        Ok(before.map_or(MicroUsd::ZERO, |before| MicroUsd::from_micros(before.balance_after_micros)))
    }

    /// What each group of `columns` cost, the most costly first.
    fn spend(&self, first_seq: i64, end_seq: i64, columns: &str) -> Sql {
        let mut sql = self.snapshot.sql("select ");
        sql.push(columns).push(", count(*), cast(-sum(amount_micros) as bigint) as spent from ledger_tx");
        sql.push(" where radar_id is not null and account_id = ").bind(self.account_id);
        sql.push(" and tx_seq >= ").bind(first_seq).push(" and tx_seq < ").bind(end_seq);
        sql.push(" group by ").push(columns).push(" order by spent desc, ").push(columns);
        sql
    }

    async fn sums(&self, first_seq: i64, end_seq: i64) -> Result<Vec<KindSum>, StoreError> {
        // A sum of bigint is numeric on PostgreSQL.
        let sums = "select kind, count(*), cast(sum(amount_micros) as bigint) from ledger_tx where account_id = ";
        let mut sql = self.snapshot.sql(sums);
        sql.bind(self.account_id).push(" and tx_seq >= ").bind(first_seq).push(" and tx_seq < ").bind(end_seq);
        let found: Vec<(String, i64, i64)> = sql.push(" group by kind").all(self.snapshot).await?;
        let mut by_kind: Vec<KindSum> =
            TxKind::ALL.iter().map(|&kind| KindSum { kind, ledger_txs: 0, amount: MicroUsd::ZERO }).collect();
        for (kind, ledger_txs, micros) in found {
            let kind = rows::closed("ledger_tx", &kind)?;
            if let Some(sum) = by_kind.iter_mut().find(|sum| sum.kind == kind) {
                (sum.ledger_txs, sum.amount) = (ledger_txs, MicroUsd::from_micros(micros));
            }
        }
        Ok(by_kind)
    }
}

fn spend((radar_type, ledger_txs, micros): (String, i64, i64)) -> Result<Spend, StoreError> {
    let radar_type = rows::closed("ledger_tx", &radar_type)?;
    Ok(Spend { radar_type, ledger_txs, amount: MicroUsd::from_micros(micros) })
}

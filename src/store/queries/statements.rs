//! Reading parts of the ledger by time.
//!
//! Ledger transactions are found by their number alone: their instants increase with it, so a search by halves needs no index.

use chrono::{DateTime, Utc};
use entity::{account, ledger_tx};
use sea_orm::EntityTrait;

use super::ledger::Ledger;
use crate::database::{Run, Sql, Statements, in_order};
use crate::{Result, Store};
use domain::{AccountId, KindSum, MicroUsd, Spend, SpendByRadar, Statement, TxKind};

in_order!(Spend { radar_type, ledger_txs, amount });
in_order!(KindSum { kind, ledger_txs, amount });

impl Store {
    /// The statement of an account from `from` on and before `to`.
    pub async fn statement(&self, account_id: AccountId, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Statement> {
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
    ) -> Result<SpendByRadar> {
        self.in_snapshot(async |snapshot| {
            let ledger = Ledger { account_id: account_id.0, snapshot };
            let (month_seq, end_seq) = ledger.span(from, to).await?;
            let first_seq = month_seq.max(end_seq - summed_max);
            let by_type = ledger.spend(first_seq, end_seq, "radar_type").all(snapshot).await?;
            let mut sql = ledger.spend(first_seq, end_seq, "radar_id, radar_type");
            let by_radar = sql.add(" limit ?", radars_max).all(snapshot).await?;
            Ok(SpendByRadar { by_type, by_radar, not_summed: first_seq - month_seq })
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
    ) -> Result<(i64, i64)> {
        self.in_snapshot(async |snapshot| Ledger { account_id: account_id.0, snapshot }.span(from, to).await).await
    }
}

impl Ledger<'_> {
    async fn span(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<(i64, i64)> {
        let row = account::Entity::find_by_id(self.account_id).one(self.snapshot).await?;
        let head_seq = row.map_or(0, |row| row.tx_seq);
        Ok((self.first_seq_at(from, head_seq).await?, self.first_seq_at(to, head_seq).await?))
    }

    /// The number of the first ledger transaction at or after `instant`; that of the next one to come when there is none.
    async fn first_seq_at(&self, instant: DateTime<Utc>, head_seq: i64) -> Result<i64> {
        let mut low = 1;
        let mut high = head_seq + 1;
        while low < high {
            let middle = low + (high - low) / 2;
            let at = "select at from ledger_tx where account_id = ? and tx_seq = ?";
            let at: Option<i64> = self.snapshot.first(at, (self.account_id, middle)).await?;
            if at.is_some_and(|at| at < instant.timestamp_micros()) { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    async fn balance_before(&self, tx_seq: i64) -> Result<MicroUsd> {
        let before = ledger_tx::Entity::find_by_id((self.account_id, tx_seq - 1)).one(self.snapshot).await?;
        Ok(before.map_or(MicroUsd::ZERO, |before| MicroUsd::from_micros(before.balance_after_micros)))
    }

    /// What each group of `columns` cost, the most costly first.
    fn spend(&self, first_seq: i64, end_seq: i64, columns: &str) -> Sql {
        let spend = format!(
            "select {columns}, count(*), cast(-sum(amount_micros) as bigint) as spent from ledger_tx
            where radar_id is not null and account_id = ? and tx_seq >= ? and tx_seq < ?
            group by {columns} order by spent desc, radar_type{}",
            if columns == "radar_type" { "" } else { ", radar_id" }
        );
        self.snapshot.sql_with(&spend, (self.account_id, first_seq, end_seq))
    }

    async fn sums(&self, first_seq: i64, end_seq: i64) -> Result<Vec<KindSum>> {
        // A sum of bigint is numeric on PostgreSQL.
        let sums = "select kind, count(*), cast(sum(amount_micros) as bigint) from ledger_tx
            where account_id = ? and tx_seq >= ? and tx_seq < ? group by kind";
        let found: Vec<KindSum> = self.snapshot.all(sums, (self.account_id, first_seq, end_seq)).await?;
        let sum = |&kind: &TxKind| {
            let none = KindSum { kind, ledger_txs: 0, amount: MicroUsd::ZERO };
            found.iter().find(|sum| sum.kind == kind).copied().unwrap_or(none)
        };
        Ok(TxKind::ALL.iter().map(sum).collect())
    }
}

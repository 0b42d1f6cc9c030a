//! Reading an account's money and counts (Spec 4.1).

use chrono::{DateTime, Utc};
use entity::{ledger_tx, usage_month};
use sea_orm::DatabaseTransaction;
use uuid::Uuid;

use super::paging::cut;
use crate::database::Run;
use crate::tables::money;
use crate::tables::stored::Stored;
use crate::{Result, Store};
use domain::account::UsageDelta;
use domain::{AccountId, LedgerTx, MicroUsd};

/// What happened in a month.
pub type Usage = UsageDelta;

/// The numbers of `GET /v1/account`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountSummary {
    /// The usage of the month that was asked for.
    pub usage: Usage,
    /// Radars that are active.
    pub active_radars: i64,
    /// Radars that ended, failed ones left out.
    pub inactive_radars: i64,
    /// Radars that failed at set-up.
    pub failed_radars: i64,
    /// Findings ever published.
    pub total_updates_found: i64,
    /// Money that can still be spent.
    pub balance: MicroUsd,
}

/// A page of the ledger.
#[derive(Clone, Debug)]
pub struct LedgerPage {
    /// Ledger transactions in order, without their entries.
    pub ledger_txs: Vec<LedgerTx>,
    /// Whether more follow.
    pub has_more: bool,
}

impl Store {
    /// The summary of an account; money that has expired is not counted, swept or not (decision 4.3).
    pub async fn account_summary(
        &self,
        account_id: AccountId,
        month: &str,
        now: DateTime<Utc>,
    ) -> Result<AccountSummary> {
        self.in_snapshot(async |snapshot| {
            let ledger = Ledger { account_id: account_id.0, snapshot };
            let mut summary = AccountSummary::default();
            ledger.count_radars(&mut summary).await?;
            ledger.sum_usage(month, &mut summary).await?;
            Ok(AccountSummary { balance: ledger.live_balance(now).await?, ..summary })
        })
        .await
    }

    /// The ledger of an account from after `after_seq`, oldest first.
    pub async fn ledger(&self, account_id: AccountId, after_seq: i64, limit: usize) -> Result<LedgerPage> {
        let next = "account_id = ? and tx_seq > ? order by tx_seq limit ?";
        let parameters = (account_id, after_seq, limit as u64 + 1);
        let found = self.deadline.io(ledger_tx::Entity::values_where(&self.read, next, parameters)).await?;
        let (found, has_more) = cut(found, limit);
        Ok(LedgerPage { ledger_txs: found.into_iter().map(|(_, tx)| tx).collect(), has_more })
    }
}

/// The ledger of an account, and what is counted beside it, in one state of the database.
pub(super) struct Ledger<'a> {
    pub(super) account_id: Uuid,
    pub(super) snapshot: &'a DatabaseTransaction,
}

impl Ledger<'_> {
    async fn count_radars(&self, summary: &mut AccountSummary) -> Result<()> {
        let counts = "select status, set_up, count(*) from radar where account_id = ? group by status, set_up";
        let counts: Vec<(String, String, i64)> = self.snapshot.all(counts, self.account_id).await?;
        for (status, set_up, radars) in counts {
            match (status.as_str(), set_up.as_str()) {
                ("active", _) => summary.active_radars += radars,
                (_, "failed") => summary.failed_radars += radars,
                _ => summary.inactive_radars += radars,
            }
        }
        Ok(())
    }

    async fn sum_usage(&self, month: &str, summary: &mut AccountSummary) -> Result<()> {
        for row in self.snapshot.rows_where::<usage_month::Entity>("account_id = ?", self.account_id).await? {
            summary.total_updates_found += row.updates_found;
            if row.month == month {
                (_, summary.usage) = money::usage(row)?;
            }
        }
        Ok(())
    }

    async fn live_balance(&self, now: DateTime<Utc>) -> Result<MicroUsd> {
        // A sum of bigint is numeric on PostgreSQL.
        let sum = "select cast(sum(remaining_micros) as bigint) from lot
            where remaining_micros > 0 and account_id = ? and (expires_at is null or expires_at > ?)";
        let balance: Option<Option<MicroUsd>> = self.snapshot.first(sum, (self.account_id, now)).await?;
        Ok(balance.flatten().unwrap_or(MicroUsd::ZERO))
    }
}

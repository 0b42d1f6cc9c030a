//! Looks of previews, each counted before it is made (`domain::scheduling::attempts`).
//!
//! A look that is under way in another process is none that did not end: while that process lives (`nodes`), its looks have
//! the time of a lease.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::accounts::lock_account;
use crate::database::{LeaseNow, Sql, Statements};
use crate::{Result, Store, StoreError};
use domain::AccountId;
use domain::scheduling::attempts::is_to_blame;

/// A look that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewLook {
    account_id: AccountId,
    look_no: i64,
    /// How many before it did not end, and no look since.
    pub open_looks: u32,
}

impl Store {
    /// Notes that a look begins for `account_id`, which takes no longer than `longest`. `None` where those before it are to
    /// blame that began since `remembered_since` and did not end.
    pub async fn begin_preview_look(
        &self,
        account_id: AccountId,
        (now, remembered_since): (DateTime<Utc>, DateTime<Utc>),
        longest: Duration,
    ) -> Result<Option<PreviewLook>> {
        let lease_now = self.leases.now();
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let open = "select count(*) from preview_look where account_id = ? and began_at >= ? and ";
            let mut open = transaction.sql_with(open, (account_id, remembered_since));
            open.is_not_under_way(lease_now);
            let open_looks = open.first(transaction).await?.unwrap_or_default();
            if is_to_blame(open_looks) {
                return Ok(None);
            }
            let begin = "insert into preview_look (account_id, look_no, node_id, began_at, lease_until)
                select ?, coalesce(max(look_no), 0) + 1, ?, ?, ";
            let mut begin = transaction.sql_with(begin, (account_id, self.membership.node_id(), now));
            begin.now_after(lease_now, longest);
            begin.add(" from preview_look where account_id = ? returning look_no", account_id);
            let look_no: Option<i64> = begin.first(transaction).await?;
            let look_no = look_no.ok_or_else(|| StoreError::corrupt("preview_look", "no row was written"))?;
            Ok(Some(PreviewLook { account_id, look_no, open_looks }))
        })
        .await
    }

    /// Notes that a look has ended. Those of its account before it that did not end were not to blame.
    pub async fn end_preview_look(&self, look: PreviewLook) -> Result<()> {
        let end = "delete from preview_look where account_id = ? and (look_no = ? or look_no < ? and ";
        let mut sql = self.sql_with(end, (look.account_id, look.look_no, look.look_no));
        sql.is_not_under_way(self.leases.now()).push(")");
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }

    /// Forgets looks that began before `before` and never ended.
    pub async fn forget_preview_looks(&self, before: DateTime<Utc>) -> Result<usize> {
        self.remove_before("preview_look", "began_at", before).await
    }
}

impl Sql {
    /// Appends that a look has not ended and never will.
    fn is_not_under_way(&mut self, now: LeaseNow) -> &mut Self {
        let is_over = "(lease_until <= ? or not exists (select 1 from node n where n.node_id = preview_look.node_id))";
        self.add(is_over, now)
    }
}

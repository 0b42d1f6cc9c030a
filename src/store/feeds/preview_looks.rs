//! Looks of previews, each counted before it is made (`domain::scheduling::attempts`).
//!
//! A look that is under way in another process is none that did not end: while that process lives (`nodes`), its looks have
//! the time of a lease.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::accounts::lock_account;
use crate::database::leases::LeaseNow;
use crate::database::statement::{Sql, Statements};
use crate::{Store, StoreError};
use domain::ids::AccountId;
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
    ) -> Result<Option<PreviewLook>, StoreError> {
        let lease_now = self.leases.now();
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let mut open = transaction.sql("select count(*) from preview_look where account_id = ");
            open.bind(account_id.0).push(" and began_at >= ").bind(remembered_since.timestamp_micros());
            open.push(" and ").is_not_under_way(lease_now);
            let open_looks = open.first(transaction).await?.unwrap_or_default();
            if is_to_blame(open_looks) {
                return Ok(None);
            }
            let mut begin = transaction.sql("insert into preview_look ");
            begin.push("(account_id, look_no, node_id, began_at, lease_until) select ").bind(account_id.0);
            begin.push(", coalesce(max(look_no), 0) + 1, ").bind(self.membership.node_id());
            begin.push(", ").bind(now.timestamp_micros()).push(", ").now_after(lease_now, longest);
            begin.push(" from preview_look where account_id = ").bind(account_id.0).push(" returning look_no");
            let look_no: Option<i64> = begin.first(transaction).await?;
            let look_no = look_no.ok_or_else(|| StoreError::corrupt("preview_look", "no row was written"))?;
            Ok(Some(PreviewLook { account_id, look_no, open_looks }))
        })
        .await
    }

    /// Notes that a look has ended. Those of its account before it that did not end were not to blame.
    pub async fn end_preview_look(&self, look: PreviewLook) -> Result<(), StoreError> {
        let mut sql = self.sql("delete from preview_look where account_id = ");
        sql.bind(look.account_id.0).push(" and (look_no = ").bind(look.look_no);
        sql.push(" or look_no < ").bind(look.look_no).push(" and ");
        sql.is_not_under_way(self.leases.now()).push(")");
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }

    /// Forgets looks that began before `before` and never ended.
    pub async fn forget_preview_looks(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        self.remove_before("preview_look", "began_at", before).await
    }
}

impl Sql {
    /// Appends that a look has not ended and never will.
    fn is_not_under_way(&mut self, now: LeaseNow) -> &mut Self {
        self.push("(lease_until <= ").now(now);
        self.push(" or not exists (select 1 from node n where n.node_id = preview_look.node_id))")
    }
}

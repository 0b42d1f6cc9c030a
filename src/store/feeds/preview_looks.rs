//! Looks of previews, each counted before it is made (`domain::scheduling::attempts`).

use chrono::{DateTime, Utc};

use crate::domain::ids::AccountId;
use crate::domain::scheduling::attempts::OPEN_ATTEMPTS_MAX;
use crate::store::{Store, StoreError};

impl Store {
    /// Notes that a look begins for `account_id`; answers how many before it, in a row, did not end. `None` where those
    /// are to blame: then none begins until they are older than `forgiven_before`.
    pub async fn begin_preview_look(
        &self,
        account_id: AccountId,
        now: DateTime<Utc>,
        forgiven_before: DateTime<Utc>,
    ) -> Result<Option<u32>, StoreError> {
        let forgiven_before = forgiven_before.timestamp_micros();
        let mut sql = self.sql("insert into preview_look (account_id, open_attempts, began_at) values (");
        sql.bind(account_id.0).push(", 1, ").bind(now.timestamp_micros());
        sql.push(") on conflict (account_id) do update set began_at = excluded.began_at, open_attempts = ");
        sql.push("case when preview_look.began_at < ").bind(forgiven_before);
        sql.push(" then 1 else preview_look.open_attempts + 1 end where preview_look.open_attempts < ");
        sql.bind(i64::from(OPEN_ATTEMPTS_MAX)).push(" or preview_look.began_at < ").bind(forgiven_before);
        sql.push(" returning open_attempts - 1");
        let before: Option<i64> = self.clock.io(sql.all(&self.write)).await?.pop();
        Ok(before.map(|before| u32::try_from(before).unwrap_or(u32::MAX)))
    }

    /// Notes that the look of `account_id` has ended.
    pub async fn end_preview_look(&self, account_id: AccountId) -> Result<(), StoreError> {
        let mut sql = self.sql("delete from preview_look where account_id = ");
        self.clock.io(sql.bind(account_id.0).run(&self.write)).await.map(drop)
    }

    /// Forgets looks that began before `before` and never ended.
    pub async fn forget_preview_looks(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        self.remove_before("preview_look", "began_at", before).await
    }
}

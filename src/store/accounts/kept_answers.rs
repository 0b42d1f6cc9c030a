//! Answers that are given again under the same `Idempotency-Key` (decision 2.9). They are written by the commit alone.

use chrono::{DateTime, Utc};
use entity::kept_answer;
use sea_orm::{ConnectionTrait, Statement};
use uuid::Uuid;

use crate::domain::account::{AnswerText, KeptAnswer};
use crate::store::database::rows;
use crate::store::{Store, StoreError};

/// The account, the key's hash and what is kept under it.
pub(in crate::store) fn kept(row: kept_answer::Model) -> Result<(Uuid, String, KeptAnswer), StoreError> {
    let status =
        u16::try_from(row.status).map_err(|_| StoreError::corrupt("kept_answer", format!("status {}", row.status)))?;
    let answer = AnswerText { status, body: row.body };
    let used_at = rows::instant("kept_answer", row.used_at)?;
    Ok((row.account_id, row.key_hash, KeptAnswer { request_hash: row.request_hash, answer, used_at }))
}

/// The row of an answer.
pub(in crate::store) fn row(account_id: Uuid, key_hash: String, kept: KeptAnswer) -> kept_answer::Model {
    kept_answer::Model {
        account_id,
        key_hash,
        request_hash: kept.request_hash,
        status: i64::from(kept.answer.status),
        body: kept.answer.body,
        used_at: kept.used_at.timestamp_micros(),
    }
}

impl Store {
    /// Removes answers whose keys were first used at `until` or before, oldest first, and answers how many. No account
    /// is locked: rows that a commit is replacing are passed over.
    pub async fn forget_answers(&self, until: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        let passing_over = if self.is_sqlite() { "" } else { "for update skip locked" };
        let sql = format!(
            "delete from kept_answer where used_at <= $1 and (account_id, key_hash) in (
                select account_id, key_hash from kept_answer where used_at <= $1
                order by used_at limit $2 {passing_over})"
        );
        let values = [until.timestamp_micros().into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        let statement = Statement::from_sql_and_values(self.write.get_database_backend(), sql, values);
        let forgotten = self.clock.io(self.write.execute_raw(statement)).await?.rows_affected();
        Ok(usize::try_from(forgotten).unwrap_or(usize::MAX))
    }
}

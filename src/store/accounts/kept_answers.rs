//! Answers that are given again under the same `Idempotency-Key` (decision 2.9). They are written by the commit alone.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::kept_answer;
use uuid::Uuid;

use crate::database::rows;
use crate::{Store, StoreError};
use domain::account::UsedKey;

/// An answer in its final form: what is kept is sent again byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerText {
    /// The status code that it was given with.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// Answers under the keys of a commit, by account and hash of the key.
#[derive(Debug, Default)]
pub struct KeptAnswers(BTreeMap<(Uuid, String), AnswerText>);

impl KeptAnswers {
    /// Adds the answer of a row; returns the key's hash and its first use.
    pub(crate) fn load(&mut self, row: kept_answer::Model) -> Result<(String, UsedKey), StoreError> {
        let kept_answer::Model { account_id, key_hash, request_hash, status, body, used_at } = row;
        let status =
            u16::try_from(status).map_err(|_| StoreError::corrupt("kept_answer", format!("status {status}")))?;
        let used = UsedKey { request_hash, used_at: rows::instant("kept_answer", used_at)? };
        self.insert(account_id, &key_hash, AnswerText { status, body });
        Ok((key_hash, used))
    }

    pub(crate) fn insert(&mut self, account_id: Uuid, key_hash: &str, answer: AnswerText) {
        self.0.insert((account_id, key_hash.to_owned()), answer);
    }

    pub(crate) fn get(&self, account_id: Uuid, key_hash: &str) -> Option<&AnswerText> {
        self.0.get(&(account_id, key_hash.to_owned()))
    }

    /// The row of a key that was used; `None` without an answer that could be given again.
    pub(crate) fn row(&self, account_id: Uuid, key_hash: String, used: UsedKey) -> Option<kept_answer::Model> {
        let AnswerText { status, body } = self.get(account_id, &key_hash)?.clone();
        let UsedKey { request_hash, used_at } = used;
        let (status, used_at) = (i64::from(status), used_at.timestamp_micros());
        Some(kept_answer::Model { account_id, key_hash, request_hash, status, body, used_at })
    }
}

impl Store {
    /// Removes answers whose keys were first used at `until` or before, oldest first, and answers how many. No account
    /// is locked: rows that a commit is replacing are passed over.
    pub async fn forget_answers(&self, until: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        let until = until.timestamp_micros();
        let mut sql = self.sql("delete from kept_answer where used_at <= ");
        sql.bind(until).push(" and (account_id, key_hash) in (");
        sql.push("select account_id, key_hash from kept_answer where used_at <= ").bind(until);
        sql.push(" order by used_at limit ").count(limit).lock_skipping().push(")");
        let forgotten = self.clock.io(sql.run(&self.write)).await?;
        Ok(usize::try_from(forgotten).unwrap_or(usize::MAX))
    }
}

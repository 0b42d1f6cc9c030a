//! Answers that are given again under the same `Idempotency-Key`.

use entity::kept_answer::{self, Column};
use uuid::Uuid;

use crate::StoreError;
use crate::database::if_present::{Overwritten, Then};
use crate::database::rows;
use domain::account::{KeptAnswer, UsedKey};

const TABLE: &str = "kept_answer";

/// A key that is no longer valid may be used again.
impl Overwritten for kept_answer::Entity {
    fn then(column: Column) -> Then {
        match column {
            Column::AccountId | Column::KeyHash => Then::Key,
            Column::RequestHash | Column::Status | Column::Body | Column::UsedAt => Then::Replaced,
        }
    }
}

/// The use of a key: of which account, under which hash.
pub(crate) fn used_key(row: kept_answer::Model) -> Result<(Uuid, String, UsedKey), StoreError> {
    let kept_answer::Model { account_id, key_hash, request_hash, status, body, used_at } = row;
    let status = u16::try_from(status).map_err(|_| StoreError::corrupt(TABLE, format!("status {status}")))?;
    let used_at = rows::instant(TABLE, used_at)?;
    Ok((account_id, key_hash, UsedKey { request_hash, used_at, answer: KeptAnswer { status, body } }))
}

pub(crate) fn used_key_row(account_id: Uuid, key_hash: String, used: UsedKey) -> kept_answer::Model {
    kept_answer::Model {
        account_id,
        key_hash,
        request_hash: used.request_hash,
        status: i64::from(used.answer.status),
        body: used.answer.body,
        used_at: used.used_at.timestamp_micros(),
    }
}

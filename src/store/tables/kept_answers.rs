//! Answers that are given again under the same `Idempotency-Key`.

use entity::kept_answer;

use super::stored::{overwritten, stored};
use domain::AccountId;
use domain::account::{KeptAnswer, UsedKey};

stored! {
    /// A key that is no longer valid may be used again.
    kept_answer {
        Key: account_id, key_hash;
        Replaced: request_hash, status, body, used_at;
    }
    (AccountId, (String, UsedKey)) =
        (account_id, (key_hash, UsedKey { request_hash, used_at, answer: KeptAnswer { status, body } }))
}

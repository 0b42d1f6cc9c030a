//! Creations under an `Idempotency-Key`: they happen once, and are answered alike every time (decision 2.9).
//!
//! A request is new, was answered before, or reuses the key of another one. The answer is kept by the transaction that creates,
//! so there is never the one without the other: not after a crash, not between two requests at the same moment, not between
//! two processes.
//!
//! A key is used only by a request that created something (201, 207). One that created nothing (400, 402, 409, 429, 500, 503,
//! a bulk in which every item failed) moved no money either and leaves its key free: the same request may be tried again, as
//! after a top-up, and so may a corrected one.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::create::{Created, Creation};
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::idempotency_key::{KEPT_FOR, KeyedRequest};
use crate::ids::AccountId;
use crate::redacted;

/// Radars that a request under a key asks for.
#[derive(Clone, Debug)]
pub struct CreateOnce {
    /// The request.
    pub request: KeyedRequest,
    /// The radars; each is decided by itself, in order.
    pub creations: Vec<Creation>,
    /// Writes the answer.
    pub render: RenderAnswer,
}

/// Whether the request is new.
#[derive(Clone, Debug)]
pub enum CreatedOnce {
    /// Its key was free.
    New {
        /// What was decided about each creation.
        decisions: Vec<Decision<Created>>,
        /// The answer, if one of them created a radar: then the key is used now.
        answer: Option<KeptAnswer>,
    },
    /// The same request was answered before, and nothing has happened.
    AnsweredBefore(KeptAnswer),
}

/// An answer in its final form: what is kept is sent again byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The status code that it was given with.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// Turns decided creations into the answer, given the moment of the decision. It must depend on nothing else: a transaction
/// that is tried again asks again.
#[derive(Clone)]
pub struct RenderAnswer(Arc<Render>);

type Render = dyn Fn(&[Decision<Created>], DateTime<Utc>) -> Option<KeptAnswer> + Send + Sync;

impl RenderAnswer {
    /// An answer that `render` writes; `None` where it cannot be written.
    pub fn new(
        render: impl Fn(&[Decision<Created>], DateTime<Utc>) -> Option<KeptAnswer> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(render))
    }

    /// The answer, when a radar was created: others are not kept.
    pub fn render(&self, decisions: &[Decision<Created>], now: DateTime<Utc>) -> Option<KeptAnswer> {
        if decisions.iter().any(Result::is_ok) { (self.0)(decisions, now) } else { None }
    }
}

redacted!(RenderAnswer);

/// Keys that were used, by the hash of the key.
pub type UsedKeys = BTreeMap<String, UsedKey>;

/// The first use of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedKey {
    /// The hash of the request.
    pub request_hash: String,
    /// When the key was first used.
    pub used_at: DateTime<Utc>,
    /// What the request was answered.
    pub answer: KeptAnswer,
}

impl CreateOnce {
    pub(in crate::account) fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
        read_set.key_hashes.insert((account_id, self.request.key_hash.clone()));
        self.creations.iter().for_each(|creation| creation.read(account_id, read_set));
    }

    /// Creates, unless the key was used before.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<CreatedOnce> {
        let KeyedRequest { key_hash, request_hash } = &self.request;
        if let Some(used) = account.state.used_keys.get(key_hash).filter(|used| used.is_valid(account.now)) {
            return match used.request_hash == *request_hash {
                true => Ok(CreatedOnce::AnsweredBefore(used.answer.clone())),
                false => Err(CommandRejection::IdempotencyKeyReused),
            };
        }
        let decisions: Vec<Decision<Created>> =
            self.creations.iter().map(|creation| account.create(creation)).collect();
        let answer = self.render.render(&decisions, account.now);
        if let Some(answer) = answer.clone() {
            let used = UsedKey { request_hash: request_hash.clone(), used_at: account.now, answer };
            account.state.used_keys.insert(key_hash.clone(), used.clone());
            account.changes.used_keys.insert(key_hash.clone(), used);
        }
        Ok(CreatedOnce::New { decisions, answer })
    }
}

impl UsedKey {
    /// Whether the key is still in use; afterwards it is as if it had never been used, removed or not.
    fn is_valid(&self, now: DateTime<Utc>) -> bool {
        now < self.used_at + KEPT_FOR
    }
}

//! Creations under an `Idempotency-Key`: they happen once, and are answered alike every time (decision 2.9).
//!
//! What is decided here is whether a request is new, was answered before, or reuses the key of another one. The answer itself
//! is written by the commit, in the same transaction, so there is never the one without the other: not after a crash, not
//! between two requests at the same moment, not between two processes.
//!
//! A key is used only by a request that created something (201, 207). One that created nothing (400, 402, 409, 429, 500, 503,
//! a bulk in which every item failed) moved no money either and leaves its key free: the same request may be tried again, as
//! after a top-up, and so may a corrected one.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::create::{Created, Creation};
use crate::account::command::{AccountCommand, Overtakes};
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision};
use crate::idempotency_key::{KEPT_FOR, KeyedRequest};

/// Radars that a request under a key asks for.
#[derive(Clone, Debug)]
pub struct CreateOnce {
    /// The request.
    pub request: KeyedRequest,
    /// The radars; each is decided by itself, in order.
    pub creations: Vec<Creation>,
}

/// Whether the request is new.
#[derive(Clone, Debug)]
pub enum CreatedOnce {
    /// Its key was free: the decision about each creation. If one of them created a radar, the key is used now.
    New(Vec<Decision<Created>>),
    /// The same request was answered before, and nothing has happened.
    AnsweredBefore,
}

/// A key that was used, by the hash of the key.
pub type UsedKeys = BTreeMap<String, UsedKey>;

/// The first use of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedKey {
    /// The hash of the request.
    pub request_hash: String,
    /// When the key was first used.
    pub used_at: DateTime<Utc>,
}

impl AccountCommand for CreateOnce {
    type Outcome = CreatedOnce;

    fn read(&self, read_set: &mut ReadSet) {
        read_set.key_hashes.insert(self.request.key_hash.clone());
        self.creations.iter().for_each(|creation| creation.read(read_set));
    }

    fn overtakes(&self, _: &Account) -> Overtakes {
        Overtakes::WhenCovered(None)
    }

    /// Creates, unless the key was used before.
    fn decide(&self, account: &mut Account) -> Decision<CreatedOnce> {
        let KeyedRequest { key_hash, request_hash } = &self.request;
        if let Some(used) = account.state.used_keys.get(key_hash).filter(|used| used.is_valid(account.now)) {
            return match used.request_hash == *request_hash {
                true => Ok(CreatedOnce::AnsweredBefore),
                false => Err(CommandRejection::IdempotencyKeyReused),
            };
        }
        let decisions: Vec<Decision<Created>> =
            self.creations.iter().map(|creation| account.create(creation)).collect();
        if has_created(&decisions) {
            let used = UsedKey { request_hash: request_hash.clone(), used_at: account.now };
            account.state.used_keys.insert(key_hash.clone(), used.clone());
            account.changes.used_keys.insert(key_hash.clone(), used);
        }
        Ok(CreatedOnce::New(decisions))
    }

    fn weight(&self) -> usize {
        self.creations.len().max(1)
    }
}

impl UsedKey {
    /// Whether the key is still in use; afterwards it is as if it had never been used, removed or not.
    fn is_valid(&self, now: DateTime<Utc>) -> bool {
        now < self.used_at + KEPT_FOR
    }
}

/// Whether any of the decisions created a radar.
pub fn has_created(decisions: &[Decision<Created>]) -> bool {
    decisions.iter().any(Result::is_ok)
}

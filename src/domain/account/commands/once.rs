//! Creations under an `Idempotency-Key`: they happen once, and are answered alike every time (decision 2.9).
//!
//! The answer is written in the transaction of the creation, so there is never the one without the other: not after a
//! crash, not between two requests at the same moment, not between two processes.
//!
//! Kept are only answers of requests that created something (201, 207). One that created nothing (400, 402, 409, 429,
//! 500, 503, a bulk in which every item failed) moved no money either and leaves its key free: the same request may be
//! tried again, as after a top-up, and so may a mended one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::create::{Created, Creation};
use crate::domain::account::command::{AccountCommand, Decision, Overtakes};
use crate::domain::account::read_set::ReadSet;
use crate::domain::account::{Account, CommandRejection};
use crate::domain::idempotency_key::{KEPT_FOR, KeyedRequest};

/// Radars that are wanted by a request under a key.
#[derive(Clone, Debug)]
pub struct CreateOnce {
    /// The request.
    pub request: KeyedRequest,
    /// The radars; each is decided by itself, in order.
    pub creations: Vec<Creation>,
    /// Writes the answer.
    pub render: RenderAnswer,
}

/// The request is answered.
#[derive(Clone, Debug)]
pub enum CreatedOnce {
    /// Under a key that had not been used.
    Decided {
        /// What each creation came to.
        decisions: Vec<Decision<Created>>,
        /// The answer, now kept; `None` when nothing was created.
        answer: Option<AnswerText>,
    },
    /// The same request was answered before, with this; nothing has happened.
    AnsweredBefore(AnswerText),
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

    fn decide(&self, account: &mut Account) -> Decision<CreatedOnce> {
        account.create_once(self)
    }

    fn weight(&self) -> usize {
        self.creations.len().max(1)
    }
}

/// An answer in its final form: what is kept is sent again byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerText {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// The answer that was given to a request, kept under the hash of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The hash of the request.
    pub request_hash: String,
    /// What it was answered.
    pub answer: AnswerText,
    /// When its key was first used.
    pub used_at: DateTime<Utc>,
}

/// Kept answers by the hash of their key.
pub type KeptAnswers = BTreeMap<String, KeptAnswer>;

type Render = dyn Fn(&[Decision<Created>], DateTime<Utc>) -> Option<AnswerText> + Send + Sync;

/// Turns decided creations into the answer, given the moment of the decision; `None` when nothing was created. It must
/// depend on nothing else: a transaction that is tried again asks again.
#[derive(Clone)]
pub struct RenderAnswer(Arc<Render>);

impl RenderAnswer {
    /// An answer that `render` writes.
    pub fn new(
        render: impl Fn(&[Decision<Created>], DateTime<Utc>) -> Option<AnswerText> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(render))
    }

    /// The answer.
    pub fn render(&self, decisions: &[Decision<Created>], now: DateTime<Utc>) -> Option<AnswerText> {
        (self.0)(decisions, now)
    }
}

impl fmt::Debug for RenderAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RenderAnswer(..)")
    }
}

impl KeptAnswer {
    /// Whether the answer still counts; afterwards it is as if the key had never been used, swept or not.
    pub fn is_valid(&self, now: DateTime<Utc>) -> bool {
        now < self.used_at + KEPT_FOR
    }
}

impl Account {
    /// Answers what was answered before, or creates and keeps the answer.
    fn create_once(&mut self, once: &CreateOnce) -> Decision<CreatedOnce> {
        let KeyedRequest { key_hash, request_hash } = &once.request;
        if let Some(kept) = self.state.answers.get(key_hash).filter(|kept| kept.is_valid(self.now)) {
            return match kept.request_hash == *request_hash {
                true => Ok(CreatedOnce::AnsweredBefore(kept.answer.clone())),
                false => Err(CommandRejection::IdempotencyKeyReused),
            };
        }
        let decisions: Vec<Decision<Created>> = once.creations.iter().map(|creation| self.create(creation)).collect();
        let answer = once.render.render(&decisions, self.now);
        if let Some(answer) = &answer {
            let kept = KeptAnswer { request_hash: request_hash.clone(), answer: answer.clone(), used_at: self.now };
            self.state.answers.insert(key_hash.clone(), kept.clone());
            self.changes.answers.insert(key_hash.clone(), kept);
        }
        Ok(CreatedOnce::Decided { decisions, answer })
    }
}

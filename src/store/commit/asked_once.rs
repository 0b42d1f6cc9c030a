//! A creation under an `Idempotency-Key` on its way through a commit, with the answer that is kept (decision 2.9).

use std::any::Any;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::asked::{Ask, Asked, Submittable};
use crate::accounts::kept_answers::{AnswerText, KeptAnswers};
use domain::account::{Account, CreateOnce, Created, CreatedOnce, Decision, ReadSet, has_created};
use domain::ids::AccountId;

type Render = dyn Fn(&[Decision<Created>], DateTime<Utc>) -> Option<AnswerText> + Send + Sync;

/// Turns decided creations into the answer, given the moment of the decision. It must depend on nothing else: a transaction
/// that is tried again asks again.
#[derive(Clone)]
pub struct RenderAnswer(Arc<Render>);

impl RenderAnswer {
    /// An answer that `render` writes; `None` where it cannot be written.
    pub fn new(
        render: impl Fn(&[Decision<Created>], DateTime<Utc>) -> Option<AnswerText> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(render))
    }

    /// The answer, when a radar was created: others are not kept.
    pub fn render(&self, decisions: &[Decision<Created>], now: DateTime<Utc>) -> Option<AnswerText> {
        if has_created(decisions) { (self.0)(decisions, now) } else { None }
    }
}

/// A request under a key, what was decided about it, and its answer.
#[derive(Clone)]
pub struct AskedOnce {
    asked: Asked<CreateOnce>,
    render: RenderAnswer,
    answer: Option<AnswerText>,
}

/// What was decided about a request under a key.
#[derive(Clone, Debug)]
pub struct AnsweredOnce {
    /// Whether it was new.
    pub created: CreatedOnce,
    /// The answer, as it is kept; `None` when nothing was created.
    pub answer: Option<AnswerText>,
}

impl AskedOnce {
    /// A request that is not decided yet.
    pub fn new(account_id: AccountId, once: CreateOnce, render: RenderAnswer) -> Self {
        Self { asked: Asked::new(account_id, once), render, answer: None }
    }

    /// The request, and what was decided about it.
    pub fn asked(&self) -> &Asked<CreateOnce> {
        &self.asked
    }

    /// Its answer, once there is one that is kept.
    pub fn answer(&self) -> Option<&AnswerText> {
        self.answer.as_ref()
    }
}

impl Ask for AskedOnce {
    fn account_id(&self) -> AccountId {
        self.asked.account_id()
    }

    fn read(&self, read_set: &mut ReadSet) {
        self.asked.read(read_set);
    }

    fn decide(&mut self, account: Option<&mut Account>) {
        self.asked.decide(account);
    }

    fn keep_answer(&mut self, answers: &mut KeptAnswers, now: DateTime<Utc>) {
        let (account_id, key_hash) = (self.account_id().0, &self.asked.command().request.key_hash);
        self.answer = match self.asked.decision() {
            Some(Ok(CreatedOnce::New(decisions))) => self.render.render(decisions, now),
            Some(Ok(CreatedOnce::AnsweredBefore)) => answers.get(account_id, key_hash).cloned(),
            Some(Err(_)) | None => None,
        };
        if let Some(answer) = &self.answer {
            answers.insert(account_id, key_hash, answer.clone());
        }
    }

    fn weight(&self) -> usize {
        self.asked.weight()
    }

    fn is_overdue(&self) -> bool {
        self.asked.is_overdue()
    }

    fn has_more(&self) -> bool {
        self.asked.has_more()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Submittable for AskedOnce {
    type Answer = Decision<AnsweredOnce>;

    fn into_answer(self) -> Option<Self::Answer> {
        let answer = self.answer;
        self.asked.into_answer().map(|decision| decision.map(|created| AnsweredOnce { created, answer }))
    }
}

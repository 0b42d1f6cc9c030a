//! Answers that serve many feeds: a source that shows the same to everybody is asked once for all of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use tokio::sync::Mutex;
use url::Url;

use crate::outbound::fetch::Validators;

/// Answers of one source that are kept.
const ANSWERS_MAX: usize = 40;

/// An answer that was read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its values.
    pub value: Arc<Value>,
    /// Where it was found.
    pub url: Url,
    /// What tells it from later ones.
    pub validators: Validators,
    /// Whether it is what the last poll of the feed saw.
    pub not_modified: bool,
    /// The `Link` header.
    pub link_header: Option<String>,
}

/// The last answers of one source, by what was asked.
#[derive(Debug, Default)]
pub struct SharedAnswers {
    kept: Mutex<HashMap<String, (DateTime<Utc>, Answer)>>,
}

impl SharedAnswers {
    /// The answer to `question` that is not older than `max_age`, or what `ask` gives, which is asked once for all who wait.
    ///
    /// # Errors
    /// Those of `ask`; they are not kept.
    pub async fn get<E>(
        &self,
        question: &str,
        now: DateTime<Utc>,
        max_age: Duration,
        ask: impl Future<Output = Result<Answer, E>>,
    ) -> Result<Answer, E> {
        let mut kept = self.kept.lock().await;
        let is_fresh = |at: DateTime<Utc>| (now - at).to_std().is_ok_and(|age| age < max_age);
        if let Some((_, answer)) = kept.get(question).filter(|(at, _)| is_fresh(*at)) {
            return Ok(answer.clone());
        }
        let answer = ask.await?;
        kept.retain(|_, (at, _)| is_fresh(*at));
        if kept.len() < ANSWERS_MAX {
            kept.insert(question.to_owned(), (now, answer.clone()));
        }
        Ok(answer)
    }
}

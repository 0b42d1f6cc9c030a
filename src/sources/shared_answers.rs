//! Answers that serve many feeds: a source that shows the same to everybody is asked once for all of them.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::Url;

use super::announced_index::AnnouncedIndex;
use super::feed::PollError;
use outbound::fetch::Validators;

/// What the kept answers of one source may take in memory, about.
const MEMORY_MAX: usize = 16 * 1024 * 1024;

/// What a field of an object takes beside its name and value, about.
const ENTRY_BYTES: usize = 64;

/// An answer that was read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its values.
    pub value: Arc<Value>,
    /// Whom its announcements concern, where feeds go by that.
    pub announced: Option<Arc<AnnouncedIndex>>,
    /// What they take in memory, about; see [`memory_of`].
    pub memory: usize,
    /// Where it was found.
    pub url: Url,
    /// What tells it from later ones.
    pub validators: Validators,
    /// Whether it is what the last poll of the feed saw.
    pub not_modified: bool,
    /// The `Link` header.
    pub link_header: Option<String>,
}

impl Answer {
    /// An answer at `url` of which nothing is known but its value. Meant for a thread for reading, as [`memory_of`] is.
    pub fn of(value: Value, url: Url) -> Self {
        let (memory, validators) = (memory_of(&value), Validators::default());
        let value = Arc::new(value);
        Self { value, announced: None, memory, url, validators, not_modified: false, link_header: None }
    }
}

/// The last answers of one source, by what was asked.
#[derive(Debug, Default)]
pub struct SharedAnswers {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The answers, each with the end of its time.
    kept: HashMap<String, (DateTime<Utc>, Answer)>,
    /// Questions whose request is under way, as long as somebody waits for it.
    asked: HashMap<String, Weak<Asked>>,
}

/// The answer to come of a request that is under way.
type Asked = OnceCell<Result<Answer, PollError>>;

impl SharedAnswers {
    /// The answer to `question` that is kept, or the result of `ask`, which is kept for `max_age`. While one request is under way,
    /// those with the same question wait for its result; those with another one wait for nobody.
    ///
    /// # Errors
    /// Those of the request; they are not kept.
    pub async fn get(
        &self,
        question: &str,
        now: DateTime<Utc>,
        max_age: Duration,
        ask: impl Future<Output = Result<Answer, PollError>>,
    ) -> Result<Answer, PollError> {
        let asked = {
            let mut state = self.state.lock();
            if let Some((_, answer)) = state.kept.get(question).filter(|(until, _)| now < *until) {
                return Ok(answer.clone());
            }
            state.asked(question)
        };
        let asking = async || {
            let answered = ask.await;
            let mut state = self.state.lock();
            state.asked.remove(question);
            if let Ok(answer) = &answered {
                state.kept.retain(|_, (until, _)| now < *until);
                let memory: usize = state.kept.values().map(|(_, answer)| answer.memory).sum();
                if memory.saturating_add(answer.memory) <= MEMORY_MAX {
                    state.kept.insert(question.to_owned(), (now + max_age, answer.clone()));
                }
            }
            answered
        };
        // If the one who asks is dropped, the next one who waits asks.
        asked.get_or_init(asking).await.clone()
    }
}

impl State {
    /// The answer to come to `question`, of the request that is under way or of one that is to be made.
    fn asked(&mut self, question: &str) -> Arc<Asked> {
        // All who waited have given up.
        self.asked.retain(|_, asked| asked.strong_count() > 0);
        let known = self.asked.get(question).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let asked = Arc::default();
            self.asked.insert(question.to_owned(), Arc::downgrade(&asked));
            asked
        })
    }
}

/// What a value takes in memory, about. Meant for a thread for reading: it looks at every part.
fn memory_of(value: &Value) -> usize {
    let own = size_of::<Value>();
    match value {
        Value::String(text) => own + text.len(),
        Value::Array(values) => own + values.iter().map(memory_of).sum::<usize>(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| ENTRY_BYTES + name.len() + memory_of(value);
            own + fields.iter().map(field).sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => own,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::pending;
    use std::time::Duration;

    use chrono::DateTime;
    use futures_util::FutureExt;
    use serde_json::json;
    use tokio::sync::oneshot;

    use super::{Answer, MEMORY_MAX, SharedAnswers, memory_of};
    use crate::feed::PollError;
    use outbound::fetch::FetchError;

    const MINUTE: Duration = Duration::from_secs(60);

    fn answer(memory: usize) -> Answer {
        Answer { memory, ..Answer::of(json!([]), "https://a.example/".parse().unwrap()) }
    }

    #[actix_web::test]
    async fn an_answer_serves_all_for_a_while_unless_it_is_too_large() {
        let (shared, asked) = (SharedAnswers::default(), Cell::new(0));
        let ask = async |question: &str, seconds: i64, memory: usize| {
            let asking = async {
                asked.set(asked.get() + 1);
                Ok(answer(memory))
            };
            shared.get(question, DateTime::from_timestamp(seconds, 0).unwrap(), MINUTE, asking).await.unwrap();
            asked.get()
        };
        assert_eq!(ask("small", 0, MEMORY_MAX / 2).await, 1);
        assert_eq!(ask("small", 59, MEMORY_MAX / 2).await, 1, "kept");
        assert_eq!(ask("large", 59, MEMORY_MAX).await, 2);
        assert_eq!(ask("large", 59, MEMORY_MAX).await, 3, "it would not fit beside the other");
        assert_eq!(ask("small", 60, 1).await, 4, "too old");
    }

    #[actix_web::test]
    async fn a_request_under_way_keeps_only_those_with_the_same_question_waiting() {
        let (shared, now) = (SharedAnswers::default(), DateTime::UNIX_EPOCH);
        let (let_go, held) = oneshot::channel::<()>();
        let slow = async {
            held.await.ok();
            Ok(answer(1))
        };
        let mut first = Box::pin(shared.get("slow", now, MINUTE, slow));
        let mut second = Box::pin(shared.get("slow", now, MINUTE, async { panic!("asked twice") }));
        assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
        let other = shared.get("other", now, MINUTE, async { Ok(answer(2)) }).now_or_never();
        assert_eq!(other.unwrap().unwrap().memory, 2, "another question waits for nobody");
        let_go.send(()).unwrap();
        assert_eq!((first.await.unwrap().memory, second.await.unwrap().memory), (1, 1));
        assert!(shared.state.lock().asked.is_empty());
    }

    #[actix_web::test]
    async fn who_waits_gets_the_error_too_and_asks_when_the_first_is_gone() {
        let (shared, now) = (SharedAnswers::default(), DateTime::UNIX_EPOCH);
        let mut first = Box::pin(shared.get("q", now, MINUTE, pending()));
        assert!(first.as_mut().now_or_never().is_none());
        let mut second = Box::pin(shared.get("q", now, MINUTE, async { Err(FetchError::Status(500).into()) }));
        let mut third = Box::pin(shared.get("q", now, MINUTE, async { panic!("asked twice") }));
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        drop(first);
        let error = PollError::Fetch(FetchError::Status(500));
        assert_eq!((second.await.unwrap_err(), third.await.unwrap_err()), (error.clone(), error));
        assert!(shared.get("q", now, MINUTE, async { Ok(answer(1)) }).await.is_ok(), "an error is not kept");
    }

    #[actix_web::test]
    async fn nothing_is_left_of_a_question_that_all_have_given_up() {
        let (shared, now) = (SharedAnswers::default(), DateTime::UNIX_EPOCH);
        let mut first = Box::pin(shared.get("q", now, MINUTE, pending()));
        let mut second = Box::pin(shared.get("q", now, MINUTE, pending()));
        assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
        drop(first);
        assert_eq!(shared.state.lock().asked.len(), 1, "somebody waits");
        drop(second);
        assert!(shared.get("other", now, MINUTE, pending()).now_or_never().is_none());
        assert!(!shared.state.lock().asked.contains_key("q"), "the next question clears it away");
    }

    #[test]
    fn what_a_value_takes_counts_every_part() {
        assert!(memory_of(&json!("x".repeat(1_000))) >= 1_000);
        assert!(memory_of(&json!(vec![json!({}); 1_000])) >= 16_000);
        assert!(memory_of(&json!({"a": {"b": [1, 2, 3]}})) > memory_of(&json!({"a": {}})));
    }
}

//! The public API as tools see it: one that is in this process, or one that is asked over HTTP.

use std::rc::Rc;

use actix_web::http::Method;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use url::form_urlencoded::Serializer;

use super::schemas::Arguments;

/// Requests that may wait to be begun. An agent waits for its answers.
const QUEUE: usize = 16;

/// A request of a tool.
#[derive(Debug)]
pub struct Request {
    /// Its method.
    pub method: Method,
    /// Its path, with its query.
    pub path: String,
    /// Its body.
    pub body: Option<Value>,
    /// Its `Idempotency-Key`.
    pub idempotency_key: Option<String>,
}

/// The body of a success, or what an agent is told of a failure: the error body of the API where there is one.
pub type Outcome = Result<Value, Value>;

/// The way to the API of one account. What serves agents may move between threads, what answers requests may not.
#[derive(Clone)]
pub struct Api(mpsc::Sender<(Request, oneshot::Sender<Outcome>)>);

impl Api {
    /// An API whose requests `answer` answers on this thread.
    pub fn new(answer: impl AsyncFn(Request) -> Outcome + 'static) -> Self {
        let (sender, mut queue) = mpsc::channel::<(Request, oneshot::Sender<Outcome>)>(QUEUE);
        let answer = Rc::new(answer);
        actix_web::rt::spawn(async move {
            while let Some((request, reply)) = queue.recv().await {
                let answer = answer.clone();
                actix_web::rt::spawn(async move {
                    // The asker may have gone.
                    drop(reply.send(answer(request).await));
                });
            }
        });
        Self(sender)
    }

    /// Reads, with `arguments` as the query.
    pub(super) async fn get(&self, path: &str, arguments: &Arguments) -> Outcome {
        let query = query(arguments);
        let path = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        self.send(Request { method: Method::GET, path, body: None, idempotency_key: None }).await
    }

    /// Does what `arguments` say.
    pub(super) async fn post(&self, path: &str, arguments: Arguments, idempotency_key: Option<String>) -> Outcome {
        let body = Some(Value::Object(arguments));
        self.send(Request { method: Method::POST, path: path.to_owned(), body, idempotency_key }).await
    }

    /// Ends what the path names.
    pub(super) async fn delete(&self, path: &str) -> Outcome {
        self.send(Request { method: Method::DELETE, path: path.to_owned(), body: None, idempotency_key: None }).await
    }

    async fn send(&self, request: Request) -> Outcome {
        let gone = || json!({"message": "The service is stopping."});
        let (reply, answer) = oneshot::channel();
        self.0.send((request, reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Arguments as parameters; what is null is absent.
fn query(arguments: &Arguments) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in arguments.iter().filter(|(_, value)| !value.is_null()) {
        query.append_pair(name, &parameter(value));
    }
    query.finish()
}

fn parameter(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(parameter).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::query;

    #[test]
    fn arguments_become_parameters() {
        for (arguments, expected) in [
            (json!({}), ""),
            (json!({"limit": 5, "cursor": null}), "limit=5"),
            (
                json!({"radar_type": ["company_reviews", "company_mentions"]}),
                "radar_type=company_reviews%2Ccompany_mentions",
            ),
            (json!({"since": "2026-01-31T12:00:00+01:00"}), "since=2026-01-31T12%3A00%3A00%2B01%3A00"),
            (json!({"domain": "a&limit=1"}), "domain=a%26limit%3D1"),
        ] {
            let Value::Object(arguments) = arguments else { panic!("an object") };
            assert_eq!(query(&arguments), expected);
        }
    }
}

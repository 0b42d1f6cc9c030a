//! `/health/live` and `/health/ready`: for whatever keeps the process running or sends it requests.

use std::time::Duration;

use serde::Serialize;

use crate::domain::rejection::Rejection;
use crate::operator::call::Call;
use crate::web::call::Answer;

#[derive(Debug, Serialize)]
struct Nothing {}

/// The thread that all actors live on answers, too: without it nothing is decided, sent or polled.
pub(crate) async fn live(call: Call) -> Answer {
    if !call.state.pulse.is_felt().await {
        tracing::error!("the actors' thread does not answer");
        return Err(Rejection::Overloaded.into());
    }
    call.fields(200, "Live", Nothing {})
}

/// How long the database may take: whoever asks would rather hear no than wait.
const WRITE_MAX: Duration = Duration::from_secs(5);

/// The database takes writes and answers, and the service is neither starting nor stopping.
pub(crate) async fn ready(call: Call) -> Answer {
    if !call.state.is_ready() {
        return Err(Rejection::Overloaded.into());
    }
    let store = &call.state.shared.store;
    let trying = async {
        store.prove_writable().await?;
        store.ping().await
    };
    match call.state.shared.clock.real_timeout(WRITE_MAX, trying).await {
        Some(Ok(())) => call.fields(200, "Ready", Nothing {}),
        Some(Err(error)) => {
            tracing::debug!(%error, "not ready");
            Err(Rejection::DatabaseUnavailable.into())
        }
        None => Err(Rejection::DatabaseUnavailable.into()),
    }
}

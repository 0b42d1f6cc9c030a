//! `/health/live` and `/health/ready`: for whatever keeps the process running or sends it requests.

use serde::Serialize;

use super::call::Call;
use crate::domain::rejection::Rejection;
use crate::http::call::Answer;

#[derive(Debug, Serialize)]
struct Nothing {}

/// The thread that all actors live on answers, too: without it nothing is decided, sent or polled.
pub(super) async fn live(call: Call) -> Answer {
    if !call.state.pulse.is_felt().await {
        tracing::error!("the actors' thread does not answer");
        return Err(Rejection::Overloaded.into());
    }
    call.fields(200, "Live", Nothing {})
}

/// The database answers, and the service is neither starting nor stopping.
pub(super) async fn ready(call: Call) -> Answer {
    if !call.state.is_ready() {
        return Err(Rejection::Overloaded.into());
    }
    if let Err(error) = call.state.store.ping().await {
        tracing::warn!(%error, "the database does not answer");
        return Err(Rejection::DatabaseUnavailable.into());
    }
    call.fields(200, "Ready", Nothing {})
}

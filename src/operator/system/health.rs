//! `/health/live` and `/health/ready`: probes for process managers and load balancers.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use serde_json::json;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::Rejection;

/// Checks that the actors' thread answers: without it nothing is decided, sent or polled.
pub(crate) async fn live(call: Call) -> Answer {
    if !call.state.pulse.is_felt().await {
        tracing::error!("the actors' thread does not answer");
        return Err(Rejection::Overloaded.into());
    }
    call.fields(200, "Live", json!({}))
}

/// How long the database may take to answer a probe.
const WRITE_MAX: Duration = Duration::from_secs(5);

/// Checks that the database takes writes and that the service is neither starting nor stopping.
pub(crate) async fn ready(call: Call) -> Answer {
    if !call.state.readiness.load(SeqCst) {
        return Err(Rejection::Overloaded.into());
    }
    let store = call.store();
    let trying = async {
        store.prove_writable().await?;
        store.ping().await
    };
    match call.shared().clock.real_timeout(WRITE_MAX, trying).await {
        Some(Ok(())) => call.fields(200, "Ready", json!({})),
        Some(Err(error)) => {
            tracing::debug!(%error, "not ready");
            Err(Rejection::DatabaseUnavailable.into())
        }
        None => Err(Rejection::DatabaseUnavailable.into()),
    }
}

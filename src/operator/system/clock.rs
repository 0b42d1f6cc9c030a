//! `/operator/v1/clock`: a simulated clock is shown and moved here; the machine's is nobody's to move.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::domain::rejection::{FieldError, Rejection};
use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::fields::Fields;
use crate::wire::time::Instant;

/// The name of the setting in the store where a simulated clock stands, in microseconds since 1970.
pub(crate) const SIMULATED_NOW: &str = "clock.simulated_now_micros";
/// The furthest that one move goes: ten years.
const SECONDS_MAX: u64 = 10 * 366 * 24 * 60 * 60;

#[derive(Debug, Serialize)]
struct ClockRecord {
    mode: &'static str,
    now: Instant,
}

/// `GET /operator/v1/clock`
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    refuse_system_clock(&call)?;
    call.data(200, "Clock", ClockRecord::at(call.now()))
}

/// `POST /operator/v1/clock/advance`: answers when the system is quiet at the new instant.
pub(crate) async fn advance(mut call: Call) -> Answer {
    refuse_system_clock(&call)?;
    let by = parse(&call.body().await?.value)?;
    let Some(now) = call.state.shared.clock.advance(by).await else {
        return Err(not_simulated());
    };
    call.state.shared.store.set_setting(SIMULATED_NOW, &now.timestamp_micros().to_string()).await?;
    call.data(200, "Clock moved", ClockRecord::at(now))
}

impl ClockRecord {
    fn at(now: DateTime<Utc>) -> Self {
        Self { mode: "simulated", now: Instant(now) }
    }
}

fn refuse_system_clock(call: &Call) -> Result<(), Failure> {
    if call.state.shared.clock.is_simulated() { Ok(()) } else { Err(not_simulated()) }
}

fn not_simulated() -> Failure {
    Rejection::Conflict(FieldError::new("clock", "is the machine's; clock.mode must be simulated")).into()
}

fn parse(body: &Value) -> Result<Duration, Vec<FieldError>> {
    const NAME: &str = "seconds";
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&[NAME]);
    let seconds = fields.get(NAME).and_then(Value::as_u64).filter(|seconds| *seconds <= SECONDS_MAX);
    let by = seconds.and_then(|seconds| Duration::try_seconds(i64::try_from(seconds).ok()?));
    if by.is_none() {
        fields.refuse(NAME, format!("must be an integer from 0 to {SECONDS_MAX}"));
    }
    fields.finish(by)
}

#[cfg(test)]
mod tests {
    use super::{SECONDS_MAX, parse};
    use chrono::Duration;
    use serde_json::json;

    #[test]
    fn a_move_is_a_number_of_whole_seconds() {
        assert_eq!(parse(&json!({"seconds": 90})), Ok(Duration::seconds(90)));
        for body in [json!({}), json!({"seconds": -1}), json!({"seconds": 1.5}), json!({"seconds": SECONDS_MAX + 1})] {
            assert!(parse(&body).is_err(), "{body}");
        }
        assert!(parse(&json!({"seconds": 1, "days": 1})).is_err());
    }
}

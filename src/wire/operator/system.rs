//! Actors and the clock, as operators see and move them.

use chrono::Duration;
use serde::Serialize;
use serde_json::Value;

use crate::parameters::Parameters;
use domain::{FieldError, Fields};

/// The furthest that one move goes: ten years.
const SECONDS_MAX: u64 = 10 * 366 * 24 * 60 * 60;

/// The figures of one kind of actor at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ActorFigures {
    /// Actors alive.
    pub resident: i64,
    /// Messages that wait.
    pub queued: usize,
    /// Messages handled since the start.
    pub handled: u64,
    /// Messages refused because the queue was full.
    pub refused: u64,
    /// Restarts after a panic.
    pub restarts: u64,
    /// Actors that keep crashing and are left alone for a while.
    pub poisoned: i64,
    /// How long the oldest message has waited.
    pub oldest_message_ms: i64,
}

/// Reads the query of `GET /operator/v1/sources`: whether those alone are asked for that fail.
pub fn is_failing(raw: &str) -> Result<bool, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["failing"]);
    let is_failing = parameters.flag("failing");
    parameters.finish(is_failing)
}

/// Reads by how much to move the clock.
pub fn parse_advance(body: &Value) -> Result<Duration, Vec<FieldError>> {
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
    use super::{SECONDS_MAX, parse_advance};
    use chrono::Duration;
    use serde_json::json;

    #[test]
    fn a_move_is_a_number_of_whole_seconds() {
        assert_eq!(parse_advance(&json!({"seconds": 90})), Ok(Duration::seconds(90)));
        for body in [json!({}), json!({"seconds": -1}), json!({"seconds": 1.5}), json!({"seconds": SECONDS_MAX + 1})] {
            assert!(parse_advance(&body).is_err(), "{body}");
        }
        assert!(parse_advance(&json!({"seconds": 1, "days": 1})).is_err());
    }
}

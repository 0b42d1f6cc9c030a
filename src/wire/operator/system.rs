//! Radars, actors and the clock, as operators see them.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::fields::Fields;
use crate::public::radar_health::DailyBoundRecord;
use crate::public::radar_record::RadarRecord;
use crate::time::Instant;
use domain::rejection::FieldError;
use domain::targets::profile::ProfileEntry;

/// The furthest that one move goes: ten years.
const SECONDS_MAX: u64 = 10 * 366 * 24 * 60 * 60;

/// Everything that is known of a radar.
#[derive(Debug, Serialize)]
pub struct RadarDetailRecord<'a> {
    #[serde(flatten)]
    pub radar: RadarRecord<'a>,
    pub account_id: Uuid,
    pub set_up: &'static str,
    pub model: &'static str,
    pub grace_period: &'static str,
    pub period_no: i64,
    pub wake_at: Option<Instant>,
    /// Absent where findings are not charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub daily_bound: Option<DailyBoundRecord>,
    pub crashes: i64,
    pub last_error: Option<&'a str>,
    pub feeds: Vec<FeedRecord<'a>>,
    /// What is known of the company that it watches; null where nothing was needed.
    pub profile: Option<ProfileRecord<'a>>,
    pub updates: Vec<Box<RawValue>>,
}

/// What is known of a company beside its domain.
#[derive(Debug, Serialize)]
pub struct ProfileRecord<'a> {
    pub looked_at: Option<Instant>,
    pub refresh_at: Instant,
    pub last_error: Option<&'a str>,
    /// What the company's name also is, so that a mention needs a second sign; null for names that mean only it.
    pub name_is_also: Option<&'static str>,
    pub entries: &'a [ProfileEntry],
}

/// A feed, and how far the radar has read it.
#[derive(Debug, Serialize)]
pub struct FeedRecord<'a> {
    pub feed_id: Uuid,
    pub source: &'a str,
    pub token: &'a str,
    pub head_seq: i64,
    pub read_seq: i64,
    pub filtered_items: i64,
    pub silent_seconds: i64,
    pub polled_at: Option<Instant>,
    pub succeeded_at: Option<Instant>,
    pub next_poll_at: Option<Instant>,
    pub last_error: Option<&'a str>,
}

/// A kind of actor.
#[derive(Debug, Serialize)]
pub struct KindRecord {
    pub kind: &'static str,
    #[serde(flatten)]
    pub figures: ActorFigures,
}

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

/// A simulated clock.
#[derive(Debug, Serialize)]
pub struct ClockRecord {
    pub mode: &'static str,
    pub now: Instant,
}

impl ClockRecord {
    pub fn at(now: DateTime<Utc>) -> Self {
        Self { mode: "simulated", now: Instant(now) }
    }
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

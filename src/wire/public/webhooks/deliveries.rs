//! Deliveries and webhook secrets as customers see them (decisions 5.2, 5.7).

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::openapi::schema::ObjectBuilder;
use uuid::Uuid;

use crate::cursor::DeliveryCursor;
use crate::object;
use crate::parameters::{NOT_A_CURSOR, Parameters, instant, uuid_text};
use crate::record::records;
use crate::shapes::{integer, or_null, text, uri, word};
use crate::time::Instant;
use domain::delivery::RESPONSE_BYTES_MAX;
use domain::field_limits::{DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX};
use domain::{
    DeliveryFilter, DeliveryState, FieldError, LoggedAttempt, LoggedDelivery, Outcome, Outlook, RadarId, RadarType,
    UpdateId, WaitingReason,
};

records! {
    /// An update on its way to an endpoint.
    #[derive(Debug)]
    pub struct DeliveryRecord {
        /// The update, and the `webhook-id` of every attempt.
        update_id: Uuid,
        /// The radar; null for an alert.
        radar_id: Option<Uuid>,
        /// The type of the radar; null for an alert.
        radar_type: Option<RadarType>,
        /// Where it goes.
        endpoint: EndpointName,
        /// `pending` until it is delivered, given up or held.
        state: DeliveryState,
        /// Why it has not arrived yet; null once it has.
        reason: Option<WaitingReason>,
        /// Attempts of the schedule that are used up; a resend begins anew.
        attempts: u32,
        /// When it is attempted next, as far as that is known.
        next_attempt_at: Option<Instant>,
        /// How the last attempt ended; null before the first.
        last_outcome: Option<&'static str> = |about| or_null(outcome(about)),
        /// When the update was published.
        created_at: Instant,
        /// When it was delivered or given up.
        finished_at: Option<Instant>,
    }

    /// An endpoint, as far as a delivery names it.
    #[derive(Debug)]
    struct EndpointName {
        /// The endpoint.
        endpoint_id: Uuid,
        /// Its address.
        url: String = uri,
    }
}

records! {
    /// An attempt.
    #[derive(Debug)]
    pub struct AttemptRecord {
        /// Its number.
        attempt_no: usize = |about| integer(about).minimum(Some(1)),
        /// When it began.
        started_at: Instant,
        /// How long it took, in milliseconds.
        duration_ms: i64,
        /// How it ended.
        outcome: &'static str = outcome,
        /// The status of the answer; null without an answer.
        http_status: Option<i64> = |about| or_null(integer(about)),
        /// The beginning of the answer.
        response: Option<String> = |about| or_null(text(about).max_length(Some(RESPONSE_BYTES_MAX))),
        /// Whether the answer was longer.
        response_truncated: bool,
    }

    /// The secret.
    pub struct SecretRecord {
        /// The secret in force: verify with it.
        pub webhook_secret: String = |about| text(about).pattern(Some("^whsec_[A-Za-z0-9+/=]+$")),
        /// Until when secrets before it sign too, each for 24 hours after it was replaced; null when none does.
        pub previous_signs_until: Option<Instant>,
    }
}

/// An outcome as customers see it.
fn outcome(description: &str) -> ObjectBuilder {
    let shown = Outcome::ALL.iter().filter(|outcome| outcome.disclosed() == **outcome);
    word(&shown.map(|outcome| outcome.as_str()).collect::<Vec<_>>(), description)
}

impl DeliveryRecord {
    /// The delivery as it is at `now`.
    pub fn of(logged: LoggedDelivery, now: DateTime<Utc>) -> Self {
        let outcome = logged.last_outcome.map(|outcome| outcome.disclosed().as_str());
        Self::with_outcome(logged, outcome, now)
    }

    pub fn with_outcome(logged: LoggedDelivery, outcome: Option<&'static str>, now: DateTime<Utc>) -> Self {
        let Outlook { reason, next_attempt_at } = logged.outlook(now);
        Self {
            update_id: logged.delivery.update_id.0,
            radar_id: logged.radar.map(|(radar_id, _)| radar_id.0),
            radar_type: logged.radar.map(|(_, radar_type)| radar_type),
            endpoint: EndpointName { endpoint_id: logged.endpoint_id.0, url: logged.url },
            state: logged.delivery.state,
            reason,
            attempts: logged.delivery.attempts,
            next_attempt_at: next_attempt_at.map(Instant),
            last_outcome: outcome,
            created_at: Instant(logged.created_at),
            finished_at: logged.finished_at.map(Instant),
        }
    }
}

/// The delivery with all its attempts as it is at `now`; they are numbered as they follow each other.
pub fn delivery_detail(logged: LoggedDelivery, attempts: Vec<LoggedAttempt>, now: DateTime<Utc>) -> impl Serialize {
    let attempts = (1..).zip(attempts).map(|(attempt_no, attempt)| AttemptRecord::of(attempt_no, attempt));
    object! { #[serde(flatten)] delivery: DeliveryRecord::of(logged, now), attempt_log: attempts.collect::<Vec<_>>() }
}

impl AttemptRecord {
    fn of(attempt_no: usize, attempt: LoggedAttempt) -> Self {
        let outcome = attempt.outcome.disclosed().as_str();
        Self::with_outcome(attempt_no, attempt, outcome)
    }

    pub fn with_outcome(attempt_no: usize, attempt: LoggedAttempt, outcome: &'static str) -> Self {
        Self {
            attempt_no,
            started_at: Instant(attempt.started_at),
            duration_ms: attempt.duration_ms,
            outcome,
            http_status: attempt.status,
            response: attempt.response,
            response_truncated: attempt.response_truncated,
        }
    }
}

/// The parameters that every list of deliveries takes.
pub const PARAMETERS: [&str; 7] = ["state", "radar_id", "update_id", "since", "until", "cursor", "limit"];

/// Reads the query of `GET /v1/webhooks/deliveries`: which ones, and how many at most.
pub fn list(raw: &str) -> Result<(DeliveryFilter, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &PARAMETERS);
    let filter = filter(&mut parameters);
    let limit = parameters.limit(DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX);
    parameters.finish((filter, limit))
}

/// Reads the parameters that every list of deliveries takes, but for `limit`.
pub fn filter(parameters: &mut Parameters) -> DeliveryFilter {
    let cursor = parameters.one("cursor", |text| DeliveryCursor::decode(text).ok_or(NOT_A_CURSOR));
    DeliveryFilter {
        account_id: None,
        endpoint_id: None,
        radar_id: parameters.one("radar_id", |text| uuid_text(text).map(RadarId)),
        update_id: parameters.one("update_id", |text| uuid_text(text).map(UpdateId)),
        state: parameters.one("state", str::parse::<DeliveryState>),
        since: parameters.one("since", instant),
        until: parameters.one("until", instant),
        before: cursor.map(|cursor| (cursor.at, UpdateId(cursor.id))),
    }
}

/// Where the page after `last` begins.
pub fn next_cursor(last: &LoggedDelivery) -> String {
    DeliveryCursor { at: last.created_at, id: last.delivery.update_id.0 }.encode()
}

#[cfg(test)]
mod tests {
    use super::list;
    use domain::{DeliveryState, FieldError};

    fn offending<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<String> {
        read.expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_list_is_filtered_strictly() {
        let (filter, limit) = list("state=held&limit=7&since=2026-01-01T00:00:00Z").expect("a query");
        assert_eq!((filter.state, limit, filter.since.is_some()), (Some(DeliveryState::Held), 7, true));
        let wrong = "state=lost&radar_id=1&update_id=2&since=3&until=4&cursor=5&limit=0";
        assert_eq!(offending(list(wrong)), ["cursor", "radar_id", "update_id", "state", "since", "until", "limit"]);
        assert_eq!(offending(list("account_id=1")), ["account_id"]);
    }
}

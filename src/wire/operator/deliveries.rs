//! Deliveries, endpoints and recoveries of every account, with what is kept from customers.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::object;
use crate::parameters::{Parameters, uuid_text};
use crate::public::webhooks::deliveries::{AttemptRecord, DeliveryRecord, PARAMETERS, filter};
use crate::public::webhooks::endpoints::{EndpointRecord, endpoint_filter};
use crate::public::webhooks::recoveries::{RecoveryRecord, RecoveryRequest, recovery_fields};
use domain::{
    AccountId, DeliveryFilter, EndpointFilter, EndpointId, FieldError, Fields, LoggedAttempt, LoggedDelivery,
    LoggedEndpoint, Recovery,
};

/// The delivery as it is at `now`.
pub fn delivery_record(logged: LoggedDelivery, now: DateTime<Utc>) -> impl Serialize {
    let (account_id, outcome) = (logged.account_id, logged.last_outcome.map(|outcome| outcome.as_str()));
    object! { account_id, #[serde(flatten)] record: DeliveryRecord::with_outcome(logged, outcome, now) }
}

/// The delivery with all its attempts, which are numbered as they follow each other.
pub fn delivery_detail(logged: LoggedDelivery, attempts: Vec<LoggedAttempt>, now: DateTime<Utc>) -> impl Serialize {
    let attempts = (1..).zip(attempts).map(|(attempt_no, attempt)| attempt_record(attempt_no, attempt));
    object! { #[serde(flatten)] delivery: delivery_record(logged, now), attempt_log: attempts.collect::<Vec<_>>() }
}

fn attempt_record(attempt_no: usize, mut attempt: LoggedAttempt) -> impl Serialize {
    let remote = attempt.remote.take();
    let outcome = attempt.outcome.as_str();
    object! { #[serde(flatten)] attempt: AttemptRecord::with_outcome(attempt_no, attempt, outcome), remote }
}

/// The endpoint as it is at `now`.
pub fn endpoint_record(logged: LoggedEndpoint, now: DateTime<Utc>) -> impl Serialize {
    object! { account_id: logged.account_id, #[serde(flatten)] record: EndpointRecord::of(logged, now) }
}

/// The recovery; of no account where it is of all.
pub fn recovery_record(recovery: Recovery) -> impl Serialize {
    object! { account_id: recovery.work.account_id, #[serde(flatten)] record: RecoveryRecord::from(recovery) }
}

/// Reads the query of `GET /operator/v1/deliveries`: which ones, and how many at most.
pub fn list(raw: &str) -> Result<(DeliveryFilter, u32), Vec<FieldError>> {
    let known = [["account_id", "endpoint_id"].as_slice(), PARAMETERS.as_slice()].concat();
    let mut parameters = Parameters::of(raw, &known);
    let filter = DeliveryFilter {
        account_id: parameters.one("account_id", |text| uuid_text(text).map(AccountId)),
        endpoint_id: parameters.one("endpoint_id", |text| uuid_text(text).map(EndpointId)),
        ..filter(&mut parameters)
    };
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish((filter, limit))
}

/// Reads the query of `GET /operator/v1/endpoints`: which ones, and how many at most.
pub fn endpoints(raw: &str) -> Result<(EndpointFilter, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["account_id", "state", "cursor", "limit"]);
    let account_id = parameters.one("account_id", |text| uuid_text(text).map(AccountId));
    endpoint_filter(parameters, account_id, LIMIT_DEFAULT, LIMIT_MAX)
}

/// Reads the body of `POST /operator/v1/deliveries/recover`.
pub fn recovery(body: &Value, now: DateTime<Utc>) -> Result<RecoveryRequest, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["account_id", "since", "until", "radar_type", "include_delivered", "dry_run"]);
    let account_id = fields.parsed("account_id", |text| uuid_text(text).map(AccountId));
    recovery_fields(fields, account_id, now)
}

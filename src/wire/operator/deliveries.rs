//! Deliveries, endpoints and recoveries of every account, with what is kept from customers.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::fields::{Fields, RequestFields};
use crate::parameters::{Parameters, uuid_text};
use crate::public::webhooks::deliveries::{AttemptRecord, DeliveryRecord, PARAMETERS, filter};
use crate::public::webhooks::endpoints::{EndpointRecord, endpoint_filter};
use crate::public::webhooks::recoveries::{RecoveryRecord, RecoveryRequest, recovery_fields};
use domain::delivery::log::{DeliveryFilter, EndpointFilter, LoggedAttempt, LoggedDelivery, LoggedEndpoint};
use domain::delivery::recovery::Recovery;
use domain::ids::{AccountId, EndpointId};
use domain::rejection::FieldError;

/// A record of an account.
#[derive(Debug, Serialize)]
pub struct OfAccount<T> {
    account_id: Option<Uuid>,
    #[serde(flatten)]
    record: T,
}

/// A delivery with all its attempts.
#[derive(Debug, Serialize)]
pub struct DeliveryDetail {
    #[serde(flatten)]
    delivery: OfAccount<DeliveryRecord>,
    attempt_log: Vec<RemoteAttempt>,
}

#[derive(Debug, Serialize)]
struct RemoteAttempt {
    #[serde(flatten)]
    attempt: AttemptRecord,
    remote: Option<String>,
}

/// The delivery as it is at `now`.
pub fn delivery_record(logged: LoggedDelivery, now: DateTime<Utc>) -> OfAccount<DeliveryRecord> {
    let outcome = logged.last_outcome.map(|outcome| outcome.as_str());
    let account_id = Some(logged.account_id.0);
    OfAccount { account_id, record: DeliveryRecord::with_outcome(logged, outcome, now) }
}

/// The endpoint as it is at `now`.
pub fn endpoint_record(logged: LoggedEndpoint, now: DateTime<Utc>) -> OfAccount<EndpointRecord> {
    OfAccount { account_id: Some(logged.account_id.0), record: EndpointRecord::of(logged, now) }
}

/// The recovery; of no account where it is of all.
pub fn recovery_record(recovery: Recovery) -> OfAccount<RecoveryRecord> {
    let account_id = recovery.range.account_id.map(|account_id| account_id.0);
    OfAccount { account_id, record: recovery.into() }
}

impl DeliveryDetail {
    /// The delivery as it is at `now`; its attempts are numbered as they follow each other.
    pub fn of(logged: LoggedDelivery, attempts: Vec<LoggedAttempt>, now: DateTime<Utc>) -> Self {
        let attempt = |(attempt_no, mut attempt): (usize, LoggedAttempt)| {
            let (remote, outcome) = (attempt.remote.take(), attempt.outcome.as_str());
            RemoteAttempt { attempt: AttemptRecord::with_outcome(attempt_no, attempt, outcome), remote }
        };
        let attempt_log = (1..).zip(attempts).map(attempt).collect();
        Self { delivery: delivery_record(logged, now), attempt_log }
    }
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

//! Endpoints as customers see them (decisions 5.5, 5.6).

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::record::records;
use crate::shapes::uri;
use crate::time::Instant;
use domain::delivery::endpoint_health::EndpointState;
use domain::field_limits::{DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX};
use domain::{AccountId, DisabledReason, EndpointFilter, EndpointId, FieldError, LoggedEndpoint};

records! {
    /// An address that webhooks go to.
    #[derive(Debug)]
    pub struct EndpointRecord {
        /// The endpoint.
        endpoint_id: Uuid,
        /// Its address, normalised.
        url: String = uri,
        /// While it is disabled, deliveries to it are held.
        state: EndpointState,
        /// Why it is disabled.
        disabled_reason: Option<DisabledReason>,
        /// Since when it is disabled.
        disabled_at: Option<Instant>,
        /// Until when it is left alone after failures in a row.
        breaker_open_until: Option<Instant>,
        /// Until when it asked for a pause by `Retry-After`.
        next_allowed_at: Option<Instant>,
        /// Failures since the last success.
        consecutive_failures: u32,
        /// The first of them.
        failing_since: Option<Instant>,
        /// The last success, to within a minute.
        last_success_at: Option<Instant>,
    }
}

impl EndpointRecord {
    /// The endpoint as it is at `now`: instants that are over are left out.
    pub fn of(logged: LoggedEndpoint, now: DateTime<Utc>) -> Self {
        let health = logged.health;
        let to_come = |at: Option<DateTime<Utc>>| at.filter(|at| *at > now).map(Instant);
        Self {
            endpoint_id: logged.endpoint_id.0,
            url: logged.url,
            state: health.state(),
            disabled_reason: health.disabled.map(|(reason, _)| reason),
            disabled_at: health.disabled.map(|(_, at)| Instant(at)),
            breaker_open_until: to_come(health.breaker_open_until),
            next_allowed_at: to_come(health.next_allowed_at),
            consecutive_failures: health.consecutive_failures,
            failing_since: health.failing_since.map(Instant),
            last_success_at: health.last_success_at.map(Instant),
        }
    }
}

/// Reads the query of `GET /v1/webhooks/endpoints`: which ones, and how many at most.
pub fn endpoints(raw: &str) -> Result<(EndpointFilter, u32), Vec<FieldError>> {
    let parameters = Parameters::of(raw, &["state", "cursor", "limit"]);
    endpoint_filter(parameters, None, DELIVERIES_LIMIT_DEFAULT, DELIVERIES_LIMIT_MAX)
}

/// Reads the parameters that every list of endpoints takes.
pub fn endpoint_filter(
    mut parameters: Parameters,
    account_id: Option<AccountId>,
    limit_default: u32,
    limit_max: u32,
) -> Result<(EndpointFilter, u32), Vec<FieldError>> {
    let filter = EndpointFilter {
        account_id,
        endpoint_id: None,
        state: parameters.one("state", str::parse::<EndpointState>),
        after: parameters.one("cursor", |text| uuid_text(text).map(EndpointId).map_err(|_| NOT_A_CURSOR)),
    };
    let limit = parameters.limit(limit_default, limit_max);
    parameters.finish((filter, limit))
}

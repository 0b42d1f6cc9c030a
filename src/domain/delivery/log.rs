//! The log of deliveries and endpoints as it is read: what is asked for, and what is found (decisions 5.5, 5.7).

use chrono::{DateTime, Utc};

use crate::delivery::endpoint_health::{EndpointHealth, EndpointState};
use crate::delivery::waiting_reason::Outlook;
use crate::delivery::{Delivery, DeliveryState, Outcome};
use crate::ids::{AccountId, EndpointId, RadarId, UpdateId};
use crate::radar_type::RadarType;

/// Which deliveries are wanted. What is `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeliveryFilter {
    /// Of this account.
    pub account_id: Option<AccountId>,
    /// To this endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// Of this radar.
    pub radar_id: Option<RadarId>,
    /// Of this update.
    pub update_id: Option<UpdateId>,
    /// In this state.
    pub state: Option<DeliveryState>,
    /// Published from this instant on.
    pub since: Option<DateTime<Utc>>,
    /// Published before this instant.
    pub until: Option<DateTime<Utc>>,
    /// Older than the last one of the page before.
    pub before: Option<(DateTime<Utc>, UpdateId)>,
}

/// A delivery in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDelivery {
    /// The account.
    pub account_id: AccountId,
    /// Whether the account is active; nothing is sent for others.
    pub is_account_active: bool,
    /// The radar whose update it is; `None` for an alert.
    pub radar: Option<(RadarId, RadarType)>,
    /// The endpoint that it goes to.
    pub endpoint_id: EndpointId,
    /// The endpoint's address.
    pub url: String,
    /// Its number at the endpoint.
    pub sequence: i64,
    /// Its state. While an attempt is under way, `due_at` is the end of its lease.
    pub delivery: Delivery,
    /// Set while an attempt is under way, and after one that was cut off.
    pub lease_until: Option<DateTime<Utc>>,
    /// When it was published.
    pub created_at: DateTime<Utc>,
    /// When it was delivered or given up.
    pub finished_at: Option<DateTime<Utc>>,
    /// The outcome of the last attempt, also of one before it was sent again.
    pub last_outcome: Option<Outcome>,
    /// The health of the endpoint.
    pub health: EndpointHealth,
}

/// An attempt in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedAttempt {
    /// The number of its claim: increasing, from 1, with gaps.
    pub attempt_no: i64,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How long it took.
    pub duration_ms: i64,
    /// How it ended.
    pub outcome: Outcome,
    /// The status, if there was an answer.
    pub status: Option<i64>,
    /// The address that was dialled.
    pub remote: Option<String>,
    /// The beginning of the answer.
    pub response: Option<String>,
    /// Whether the answer was longer.
    pub response_truncated: bool,
}

/// Which endpoints are wanted. What is `None` does not filter.
#[derive(Clone, Copy, Debug, Default)]
pub struct EndpointFilter {
    /// Of this account.
    pub account_id: Option<AccountId>,
    /// This one.
    pub endpoint_id: Option<EndpointId>,
    /// In this state.
    pub state: Option<EndpointState>,
    /// After the last one of the page before.
    pub after: Option<EndpointId>,
}

/// An endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedEndpoint {
    /// Which one.
    pub endpoint_id: EndpointId,
    /// The account.
    pub account_id: AccountId,
    /// The address, normalised.
    pub url: String,
    /// Its health.
    pub health: EndpointHealth,
}

impl LoggedDelivery {
    /// Why it has not been sent yet, and when it is attempted next.
    pub fn outlook(&self, now: DateTime<Utc>) -> Outlook {
        let is_under_way = self.lease_until.is_some_and(|until| until > now);
        Outlook::of(&self.delivery, &self.health, is_under_way, self.is_account_active, now)
    }
}

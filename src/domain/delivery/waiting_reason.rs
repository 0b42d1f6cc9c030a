//! Why a delivery has not been sent yet, and when it will be attempted next.

use chrono::{DateTime, Utc};

use crate::closed;
use crate::delivery::endpoint_health::{EndpointHealth, Gate};
use crate::delivery::{Delivery, DeliveryState};

closed! {
    /// Why a delivery has not been sent yet.
    WaitingReason {
        /// Its next attempt is due later, by the schedule of retries.
        Scheduled = "scheduled",
        /// It is sent as soon as its endpoint and its account have a place.
        Due = "due",
        /// An attempt is being made.
        UnderWay = "under_way",
        /// The endpoint has failed several times in a row and is left alone for a while.
        BreakerOpen = "breaker_open",
        /// The endpoint asked for a pause by `Retry-After`.
        PauseRequested = "pause_requested",
        /// The endpoint is disabled: the delivery is held until it is enabled.
        EndpointDisabled = "endpoint_disabled",
        /// The account is stopped.
        AccountInactive = "account_inactive",
        /// All attempts have failed: it is sent again only when somebody asks for it.
        AttemptsExhausted = "attempts_exhausted",
    }
}

impl WaitingReason {
    /// The reason in a sentence about an update.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Scheduled => "An attempt has failed, and the next is due later by the schedule of retries.",
            Self::Due => "It is sent as soon as its endpoint and its account have a place.",
            Self::UnderWay => "An attempt to send it is being made.",
            Self::BreakerOpen => "Its endpoint has failed several times in a row and is left alone for a while.",
            Self::PauseRequested => "Its endpoint asked for a pause.",
            Self::EndpointDisabled => "Its endpoint is disabled: it is held until somebody enables the endpoint.",
            Self::AccountInactive => "Its account is stopped.",
            Self::AttemptsExhausted => "All attempts have failed: it is sent again only when somebody asks for it.",
        }
    }
}

/// What is to be expected of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Why it has not been sent yet; `None` once it is delivered.
    pub reason: Option<WaitingReason>,
    /// When it is attempted next, as far as that is known.
    pub next_attempt_at: Option<DateTime<Utc>>,
}

impl Outlook {
    /// Why an update has not arrived, in a sentence for operators.
    pub const fn why(&self) -> &'static str {
        match self.reason {
            Some(reason) => reason.sentence(),
            None => "It was delivered.",
        }
    }

    /// The outlook of `delivery` at `now`; `health` is that of its endpoint.
    pub fn of(
        delivery: &Delivery,
        health: &EndpointHealth,
        is_under_way: bool,
        is_account_active: bool,
        now: DateTime<Utc>,
    ) -> Self {
        use WaitingReason::{AccountInactive, AttemptsExhausted, EndpointDisabled, UnderWay};
        let without_instant = |reason| Self { reason: Some(reason), next_attempt_at: None };
        match (delivery.state, delivery.due_at) {
            (DeliveryState::Delivered, _) => Self { reason: None, next_attempt_at: None },
            (DeliveryState::Exhausted, _) => without_instant(AttemptsExhausted),
            (DeliveryState::Pending, _) if is_under_way => without_instant(UnderWay),
            _ if !is_account_active => without_instant(AccountInactive),
            (DeliveryState::Pending, Some(due_at)) => Self::of_pending(due_at, health, now),
            (DeliveryState::Pending, None) | (DeliveryState::Held, _) => without_instant(EndpointDisabled),
        }
    }

    fn of_pending(due_at: DateTime<Utc>, health: &EndpointHealth, now: DateTime<Utc>) -> Self {
        let (reason, next_attempt_at) = match health.gate(now) {
            Gate::Disabled(_) => (WaitingReason::EndpointDisabled, None),
            Gate::Wait(until) if until > due_at => {
                let is_breaker = health.breaker_open_until == Some(until);
                (if is_breaker { WaitingReason::BreakerOpen } else { WaitingReason::PauseRequested }, Some(until))
            }
            _ if due_at > now => (WaitingReason::Scheduled, Some(due_at)),
            _ => (WaitingReason::Due, Some(due_at)),
        };
        Self { reason: Some(reason), next_attempt_at }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    use super::{Outlook, WaitingReason};
    use crate::delivery::endpoint_health::{DisabledReason, EndpointHealth};
    use crate::delivery::{Delivery, DeliveryState};
    use crate::ids::UpdateId;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    fn outlook(
        state: DeliveryState,
        due_at: Option<i64>,
        health: &EndpointHealth,
    ) -> (Option<WaitingReason>, Option<i64>) {
        let delivery = Delivery { update_id: UpdateId(Uuid::nil()), state, attempts: 1, due_at: due_at.map(at) };
        let Outlook { reason, next_attempt_at } = Outlook::of(&delivery, health, false, true, at(0));
        (reason, next_attempt_at.map(|next_at| (next_at - at(0)).num_seconds()))
    }

    #[test]
    fn every_delivery_that_is_not_delivered_has_one_reason() {
        use DeliveryState::{Delivered, Exhausted, Held, Pending};
        use WaitingReason::{AttemptsExhausted, BreakerOpen, Due, EndpointDisabled, PauseRequested, Scheduled};
        let well = EndpointHealth::default();
        let broken = EndpointHealth { breaker_open_until: Some(at(30)), ..well.clone() };
        let paused = EndpointHealth { next_allowed_at: Some(at(40)), ..broken.clone() };
        let disabled = well.clone().disabled(DisabledReason::Gone, at(-1));
        assert_eq!(outlook(Delivered, None, &disabled), (None, None));
        assert_eq!(outlook(Exhausted, None, &well), (Some(AttemptsExhausted), None));
        assert_eq!(outlook(Held, None, &disabled), (Some(EndpointDisabled), None));
        assert_eq!(outlook(Pending, Some(0), &disabled), (Some(EndpointDisabled), None));
        assert_eq!(outlook(Pending, Some(0), &well), (Some(Due), Some(0)));
        assert_eq!(outlook(Pending, Some(5), &well), (Some(Scheduled), Some(5)));
        assert_eq!(outlook(Pending, Some(5), &broken), (Some(BreakerOpen), Some(30)));
        assert_eq!(outlook(Pending, Some(50), &broken), (Some(Scheduled), Some(50)));
        assert_eq!(outlook(Pending, Some(5), &paused), (Some(PauseRequested), Some(40)));
    }

    #[test]
    fn an_attempt_under_way_comes_before_a_stopped_account_and_that_before_the_endpoint() {
        let health = EndpointHealth { breaker_open_until: Some(at(30)), ..EndpointHealth::default() };
        let (update_id, state) = (UpdateId(Uuid::nil()), DeliveryState::Pending);
        let delivery = Delivery { update_id, state, attempts: 1, due_at: Some(at(0)) };
        let reason = |is_under_way| Outlook::of(&delivery, &health, is_under_way, false, at(0)).reason;
        assert_eq!(reason(false), Some(WaitingReason::AccountInactive));
        assert_eq!(reason(true), Some(WaitingReason::UnderWay));
    }
}

//! A radar and its states (Spec 2.2, 3).

pub mod custom_fields;
pub mod daily_bound;
pub mod feedback;
pub mod filter;
pub mod health;
pub mod presence;
pub mod preview;
pub mod renewal;
pub mod request;
pub mod search;
pub mod set_up;
pub mod title_expression;
pub mod update;
pub mod why;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::closed;
use crate::content;
use crate::delivery::webhook_format::WebhookFormat;
use crate::delivery::webhook_url;
use crate::ids::{AccountId, RadarId};
use crate::radar::daily_bound::DailyBound;
use crate::radar::filter::{Filter, Role};
use crate::radar_type::RadarType;
use crate::targets::{CountryCode, Target};

pub use crate::money::pricing::{GracePeriod, PricingModel};
pub use crate::radar_type;

closed! {
    /// `radar_status` on the wire: a closed pair, a failed radar shows `inactive` (decision 1.1).
    Status {
        /// Entered by creation; left by deactivation or failure, never returned to.
        Active = "active",
        /// Entered by DELETE, by a renewal that the balance does not cover, or by a set-up that fails. Final.
        Inactive = "inactive",
    }
}

closed! {
    /// How far the search for the target's sources has come (decision 1.3).
    SetUp {
        /// Entered by creation: sources are being looked for.
        Pending = "pending",
        /// Entered when at least one source serves the radar.
        Ready = "ready",
        /// Entered when the target cannot be tracked: refunded, counted apart, never left.
        Failed = "failed",
    }
}

closed! {
    /// Why a radar could not be set up or was ended for lack of funds (Spec 6.1).
    FailureReason {
        /// Required accounts or sources were not found.
        MissingPrerequisites = "missing_prerequisites",
        /// Anything unexpected.
        SetupFailure = "setup_failure",
        /// The balance did not cover a renewal.
        InsufficientFunds = "insufficient_funds",
        /// The target is private, forbids us or does not answer.
        SourceInaccessible = "source_inaccessible",
    }
}

closed! {
    /// Why a radar is not plainly active (Spec 6.1, decision 1.1).
    StatusReason {
        /// DELETE by the customer.
        UserDeactivated = "user_deactivated",
        /// A renewal that the balance did not cover.
        InsufficientFunds = "insufficient_funds",
        /// The paid period after a DELETE is over (decision 1.4).
        GracePeriodEnded = "grace_period_ended",
        /// Ended by the operator or the system.
        SystemDeactivated = "system_deactivated",
        /// Set-up found no source.
        MissingPrerequisites = "missing_prerequisites",
        /// Set-up broke.
        SetupFailure = "setup_failure",
        /// Set-up was kept out.
        SourceInaccessible = "source_inaccessible",
    }
}

impl From<FailureReason> for StatusReason {
    fn from(reason: FailureReason) -> Self {
        match reason {
            FailureReason::MissingPrerequisites => Self::MissingPrerequisites,
            FailureReason::SetupFailure => Self::SetupFailure,
            FailureReason::InsufficientFunds => Self::InsufficientFunds,
            FailureReason::SourceInaccessible => Self::SourceInaccessible,
        }
    }
}

/// Which radars are wanted. An empty list does not filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RadarFilter {
    /// In this state.
    pub status: Option<Status>,
    /// Of these types.
    pub radar_types: Vec<RadarType>,
    /// These.
    pub radar_ids: Vec<RadarId>,
    /// Created before this one: its creation and itself.
    pub before: Option<(DateTime<Utc>, RadarId)>,
}

/// A checked request for a radar: what a customer asks for (Spec 2.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRadar {
    /// The signal to report.
    pub radar_type: RadarType,
    /// What to watch.
    pub target: Target,
    /// Which findings are wanted.
    pub filter: Filter,
    /// Where to push updates to, as it was given.
    pub webhook_url: Option<String>,
    /// In which form, where the customer has said so (decision 5.10).
    pub webhook_format: Option<WebhookFormat>,
    /// Echoed back in every finding.
    pub custom_fields: BTreeMap<String, String>,
}

impl NewRadar {
    /// The address of the endpoint that updates are pushed to: radars whose addresses differ only in how they are
    /// written share one (decision 5.5).
    pub fn endpoint_url(&self) -> Option<String> {
        self.webhook_url.as_deref().map(webhook_url::normalised)
    }

    /// The form in which updates are pushed.
    pub fn push_format(&self) -> WebhookFormat {
        self.webhook_format.unwrap_or(WebhookFormat::Standard)
    }

    /// Whether a finding about `role` with this content, the JSON text of an object, is wanted (Spec 2.7).
    pub fn wants(&self, role: &Role, content: &str) -> bool {
        self.filter.matches(role)
            && (self.countries().is_empty() || self.is_in_countries(content::country_of(content).as_deref()))
    }

    /// Whether a finding from this country is wanted. Where countries are asked for, one from nowhere is not.
    pub fn is_in_countries(&self, country: Option<&str>) -> bool {
        let wanted = self.countries();
        wanted.is_empty() || wanted.iter().any(|wanted| Some(wanted.as_str()) == country)
    }

    fn countries(&self) -> &[CountryCode] {
        match &self.target {
            Target::Industry { countries, .. } => countries,
            Target::Company { .. } | Target::Contact { .. } => &[],
        }
    }
}

/// A radar as the store holds it (Spec 2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Radar {
    /// Assigned at creation.
    pub radar_id: RadarId,
    /// Whose radar it is.
    pub account_id: AccountId,
    /// What the customer asked for.
    pub wanted: NewRadar,
    /// `active` or `inactive`.
    pub status: Status,
    /// Present whenever the radar is not plainly active.
    pub status_reason: Option<StatusReason>,
    /// How far set-up has come.
    pub set_up: SetUp,
    /// How the radar is paid.
    pub model: PricingModel,
    /// What a DELETE leaves of a paid period.
    pub grace_period: GracePeriod,
    /// Creation, and the origin of the 30-day grid.
    pub created_at: DateTime<Utc>,
    /// `None` while active.
    pub deactivated_at: Option<DateTime<Utc>>,
    /// The last period that was charged or missed; 0 is the one that creation paid.
    pub period_no: i64,
    /// The next renewal; `None` after deactivation and for update-based radars (decision 4.8).
    pub next_charge_at: Option<DateTime<Utc>>,
    /// Where it stands against the bound of its day (decision 4.14).
    pub daily: DailyBound,
}

impl Radar {
    /// Whether a pause of its type concerns it: subscriptions are paid ahead (decision 1.2).
    pub fn can_be_paused(&self) -> bool {
        self.status == Status::Active && self.model == PricingModel::UpdateBased
    }

    /// The end of the paid period that a DELETE has left; `None` while active, and once nothing is left (decision 1.4).
    pub fn grace_ends_at(&self) -> Option<DateTime<Utc>> {
        let is_left = self.status_reason == Some(StatusReason::UserDeactivated)
            && self.model == PricingModel::Subscription
            && self.grace_period == GracePeriod::PaidPeriod;
        is_left.then(|| renewal::next_charge_at(self.created_at, self.period_no))
    }

    /// Whether findings arrive at `now`: while active, and until the paid period ends that a DELETE has left.
    pub fn is_watching(&self, now: DateTime<Utc>) -> bool {
        self.status == Status::Active || self.grace_ends_at().is_some_and(|ends_at| now < ends_at)
    }

    /// When something is next due for the radar: its renewal, or the release of what it holds beyond the bound of a day, else
    /// the end of its grace. Its set-up has a timer of its own.
    pub fn wake_at(&self) -> Option<DateTime<Utc>> {
        match self.status {
            Status::Active => self.next_charge_at.into_iter().chain(self.daily.release_at).min(),
            Status::Inactive => self.grace_ends_at(),
        }
    }
}

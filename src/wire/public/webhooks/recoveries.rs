//! Recoveries as customers ask for them and see them (decision 5.8).

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::parameters::instant;
use crate::record::records;
use crate::time::Instant;
use domain::{AccountId, FieldError, Fields, RadarType, Recovery, RecoveryRange};

records! {
    /// A range of time whose failed deliveries are sent again.
    #[derive(Debug)]
    pub struct RecoveryRecord {
        /// The recovery.
        recovery_id: Uuid,
        /// Published from here on.
        since: Instant,
        /// Published before.
        until: Instant,
        /// Of this type only; null for all.
        radar_type: Option<RadarType>,
        /// Whether what was delivered is sent once more as well.
        include_delivered: bool,
        /// Deliveries in the range when it was asked for.
        count: u64,
        /// Deliveries that were made due so far.
        resent: u64,
        /// When it was asked for.
        created_at: Instant,
        /// When it was done; null while it goes on.
        finished_at: Option<Instant>,
        /// When it goes on, where it waits: for the next day of the account, or for its turn at a host; null otherwise.
        resumes_at: Option<Instant>,
    }

    /// A count.
    #[derive(Debug)]
    pub struct DryRun {
        /// Deliveries that would be sent again.
        pub count: u64,
    }
}

impl From<Recovery> for RecoveryRecord {
    fn from(recovery: Recovery) -> Self {
        Self {
            recovery_id: recovery.job_id.0,
            since: Instant(recovery.work.since),
            until: Instant(recovery.work.until),
            radar_type: recovery.work.radar_type,
            include_delivered: recovery.work.with_delivered,
            count: recovery.count,
            resent: recovery.done,
            created_at: Instant(recovery.created_at),
            finished_at: recovery.finished_at.map(Instant),
            resumes_at: recovery.resumes_at.map(Instant),
        }
    }
}

/// What is asked for by a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryRequest {
    /// What is to be sent again.
    pub range: RecoveryRange,
    /// Whether to count only.
    pub is_dry_run: bool,
}

/// Reads the body of `POST /v1/webhooks/recover` of an account.
pub fn recovery(body: &Value, account_id: AccountId, now: DateTime<Utc>) -> Result<RecoveryRequest, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["since", "until", "radar_type", "include_delivered", "dry_run"]);
    recovery_fields(fields, Some(account_id), now)
}

/// Reads the fields that every recovery has.
pub fn recovery_fields(
    mut fields: Fields<'_>,
    account_id: Option<AccountId>,
    now: DateTime<Utc>,
) -> Result<RecoveryRequest, Vec<FieldError>> {
    let since = fields.required("since", instant);
    let until = fields.required("until", instant);
    let radar_type = fields.parsed("radar_type", str::parse::<RadarType>);
    let with_delivered = fields.flag("include_delivered");
    let is_dry_run = fields.flag("dry_run");
    let bounds = since.zip(until);
    if bounds.is_some_and(|(since, until)| until <= since) {
        fields.refuse("until", "must be after since");
    } else if until.is_some_and(|until| until > now) {
        fields.refuse("until", "must not be in the future");
    }
    fields.finish(bounds.map(|(since, until)| RecoveryRequest {
        range: RecoveryRange { account_id, since, until, radar_type, with_delivered: with_delivered == Some(true) },
        is_dry_run: is_dry_run == Some(true),
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::recovery;
    use domain::{AccountId, FieldError, RadarType};

    fn offending<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<String> {
        read.expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_recovery_needs_a_range() {
        let account_id = AccountId(Uuid::nil());
        let now = "2026-01-02T00:00:00Z".parse().expect("an instant");
        let read = |body: Value| recovery(&body, account_id, now);
        let range = json!({"since": "2026-01-01T00:00:00Z", "until": "2026-01-02T00:00:00Z"});
        let plain = read(range.clone()).expect("a range");
        assert_eq!((plain.is_dry_run, plain.range.with_delivered, plain.range.radar_type), (false, false, None));
        let mut whole = range.clone();
        whole["radar_type"] = json!("company_reviews");
        whole["dry_run"] = json!(true);
        let whole = read(whole).expect("a range");
        assert_eq!((whole.is_dry_run, whole.range.radar_type), (true, Some(RadarType::CompanyReviews)));
        assert_eq!(offending(read(json!({}))), ["since", "until"]);
        let backwards = json!({"since": range["until"], "until": range["since"]});
        assert_eq!(offending(read(backwards)), ["until"]);
        let future = json!({"since": range["since"], "until": "2026-01-02T00:00:00.000001Z"});
        assert_eq!(offending(read(future)), ["until"]);
        let mut wrong = range;
        wrong["radar_type"] = json!("x");
        wrong["dry_run"] = json!("yes");
        wrong["account_id"] = json!(Uuid::nil());
        assert_eq!(offending(read(wrong)), ["account_id", "radar_type", "dry_run"]);
    }
}

//! The radar record (Spec 2.2, decisions 1.1, 1.2, 1.7, 1.9).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::record::{Maybe, records};
use crate::shapes::{departments, http_url, list, seniorities, text, uri};
use crate::time::Instant;
use domain::field_limits::{
    COUNTRIES_MAX, DOMAIN_MAX, EMAIL_MAX, FULL_NAME_MAX, KEYWORD_MAX, KEYWORD_MIN, PROFILE_URL_MAX,
    TITLE_EXPRESSION_MAX,
};
use domain::{
    CountryCode, Department, FilterFields, Radar, RadarType, Seniority, Status, StatusReason, TargetFields,
    WebhookFormat,
};

/// The name of the radar record's schema.
pub const RADAR: &str = "Radar";

records! {
    /// A radar. What is not set is absent, but for the last two instants, which are null.
    #[derive(Debug, PartialEq, Eq)]
    pub struct RadarRecord<'a> {
        /// Identifier assigned at creation.
        radar_id: Uuid,
        /// The signal that it reports.
        radar_type: RadarType,
        /// The bare domain that it watches.
        domain: Maybe<&'a str> = |about| text(about).max_length(Some(DOMAIN_MAX)),
        /// Where updates are pushed to, as it was given.
        webhook_url: Maybe<&'a str> = http_url,
        /// In which form, if that was said.
        webhook_format: Maybe<WebhookFormat>,
        /// A radar that failed is inactive, too.
        radar_status: Status,
        /// Why it is not plainly active.
        status_reason: Maybe<StatusReason>,
        /// Since when findings are held back for lack of money; absent otherwise.
        paused_since: Maybe<Instant>,
        /// Findings match one of these.
        departments: Maybe<Vec<Department>> = departments,
        /// Findings match one of these.
        seniorities: Maybe<Vec<Seniority>> = seniorities,
        /// The expression that titles satisfy.
        job_titles: Maybe<&'a str> = |about| text(about).max_length(Some(TITLE_EXPRESSION_MAX)),
        /// The person's profile, normalised.
        profile_url: Maybe<&'a str> = |about| uri(about).max_length(Some(PROFILE_URL_MAX)),
        /// The person's address.
        email: Maybe<&'a str> = |about| text(about).max_length(Some(EMAIL_MAX)),
        /// The person's name.
        full_name: Maybe<&'a str> = |about| text(about).min_length(Some(1)).max_length(Some(FULL_NAME_MAX)),
        /// The theme.
        keyword: Maybe<&'a str> = |about| text(about).min_length(Some(KEYWORD_MIN)).max_length(Some(KEYWORD_MAX)),
        /// Only there.
        countries: Maybe<Vec<&'a str>> = |about| {
            let code = text("An ISO 3166-1 alpha-2 code.").pattern(Some("^[A-Z]{2}$"));
            list(code, about).min_items(Some(1)).max_items(Some(COUNTRIES_MAX))
        },
        /// Your labels.
        custom_fields: &'a BTreeMap<String, String>,
        /// When it was created.
        created_at: Instant,
        /// When it ended; null while it is active.
        deactivated_at: Option<Instant>,
        /// When it renews; null once it is inactive or if it is paid per finding.
        next_charge_at: Option<Instant>,
    }
}

impl<'a> RadarRecord<'a> {
    /// The record of `radar`; `paused_since` is when its type was paused for the account, shown while it is active.
    pub fn of(radar: &'a Radar, paused_since: Option<DateTime<Utc>>) -> Self {
        let wanted = &radar.wanted;
        let TargetFields { domain, profile_url, email, full_name, keyword, countries } = wanted.target.fields();
        let FilterFields { departments, seniorities, job_titles } = wanted.filter.fields();
        Self {
            radar_id: radar.radar_id.0,
            radar_type: wanted.radar_type,
            domain: Maybe(domain),
            webhook_url: Maybe(wanted.webhook_url.as_deref()),
            webhook_format: Maybe(wanted.webhook_format),
            radar_status: radar.status,
            status_reason: Maybe(radar.status_reason),
            paused_since: Maybe(paused_since.filter(|_| radar.status == Status::Active).map(Instant)),
            departments: listed(departments.to_vec()),
            seniorities: listed(seniorities.to_vec()),
            job_titles: Maybe(job_titles),
            profile_url: Maybe(profile_url),
            email: Maybe(email),
            full_name: Maybe(full_name),
            keyword: Maybe(keyword),
            countries: listed(countries.iter().map(CountryCode::as_str).collect()),
            custom_fields: &wanted.custom_fields,
            created_at: Instant(radar.created_at),
            deactivated_at: radar.deactivated_at.map(Instant),
            next_charge_at: radar.next_charge_at.map(Instant),
        }
    }
}

fn listed<T>(values: Vec<T>) -> Maybe<Vec<T>> {
    Maybe(Some(values).filter(|values| !values.is_empty()))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;

    use super::RadarRecord;
    use crate::sample_radar::company;
    use domain::{
        CountryCode, Department, Email, Filter, ProfileUrl, Seniority, Status, StatusReason, Target, TitleExpression,
        WebhookFormat,
    };

    #[test]
    fn decision_1_9_a_plain_radar_has_only_what_is_set() {
        let record = serde_json::to_string(&RadarRecord::of(&company(), None)).expect("JSON");
        assert_eq!(
            record,
            concat!(
                r#"{"radar_id":"00000000-0000-0000-0000-000000000007","radar_type":"company_job_openings","#,
                r#""domain":"example.com","radar_status":"active","custom_fields":{},"#,
                r#""created_at":"1970-01-01T00:00:00.000000Z","deactivated_at":null,"#,
                r#""next_charge_at":"1970-01-31T00:00:00.000000Z"}"#
            )
        );
    }

    #[test]
    fn decision_1_1_a_deactivated_radar_says_why_and_is_never_paused() {
        let mut radar = company();
        radar.status = Status::Inactive;
        radar.status_reason = Some(StatusReason::UserDeactivated);
        radar.deactivated_at = Some(DateTime::UNIX_EPOCH);
        radar.next_charge_at = None;
        let record = serde_json::to_value(RadarRecord::of(&radar, Some(DateTime::UNIX_EPOCH))).expect("JSON");
        assert_eq!(record["radar_status"], "inactive");
        assert_eq!(record["status_reason"], "user_deactivated");
        assert_eq!(record["deactivated_at"], "1970-01-01T00:00:00.000000Z");
        assert_eq!((&record["next_charge_at"], record.get("paused_since")), (&json!(null), None));
    }

    #[test]
    fn spec_2_2_filters_and_identifiers_stand_flat_at_the_top() {
        let mut radar = company();
        radar.wanted.webhook_url = Some("https://hooks.example.com/".into());
        radar.wanted.webhook_format = Some(WebhookFormat::Teams);
        radar.wanted.filter =
            Filter::Persona { departments: vec![Department::HumanResources], seniorities: vec![Seniority::Cxo] };
        let record = serde_json::to_value(RadarRecord::of(&radar, Some(DateTime::UNIX_EPOCH))).expect("JSON");
        assert_eq!(record["departments"], json!(["Human Resources"]));
        assert_eq!(record["seniorities"], json!(["CXO"]));
        assert_eq!(record["paused_since"], "1970-01-01T00:00:00.000000Z");
        assert_eq!(
            (&record["webhook_url"], &record["webhook_format"]),
            (&json!("https://hooks.example.com/"), &json!("teams"))
        );

        radar.wanted.filter = Filter::JobTitles(TitleExpression::parse("cto OR  cio").expect("an expression"));
        radar.wanted.target = Target::Contact {
            domain: None,
            profile_url: Some(ProfileUrl::from_stored("https://x.com/ada".into())),
            email: Some(Email::from_stored("ada@example.com".into())),
            full_name: Some("Ada L".into()),
        };
        let record = serde_json::to_value(RadarRecord::of(&radar, None)).expect("JSON");
        assert_eq!(record["job_titles"], "cto OR  cio");
        assert_eq!((&record["profile_url"], &record["full_name"]), (&json!("https://x.com/ada"), &json!("Ada L")));
        assert_eq!((&record["email"], record.get("domain")), (&json!("ada@example.com"), None));

        radar.wanted.target =
            Target::Industry { keyword: Some("steel".into()), countries: vec![CountryCode::from_stored("SE".into())] };
        let record = serde_json::to_value(RadarRecord::of(&radar, None)).expect("JSON");
        assert_eq!((&record["keyword"], &record["countries"]), (&json!("steel"), &json!(["SE"])));
        assert_eq!((record.get("domain"), record.get("email")), (None, None));
    }
}

//! The queries of the public API (Spec 4.1, 4.6, 4.9, 4.11).

use chrono::{DateTime, Utc};

use super::update_events::LAST_EVENT_ID;
use super::updates_export::ExportFormat;
use crate::cursor::{RadarCursor, UpdatesCursor};
use crate::parameters::{NOT_A_CURSOR, Parameters, instant, uuid_text};
use domain::{
    DomainName, FieldError, Month, RadarFilter, RadarId, RadarType, Status, UpdateFilter, UpdateOrder, UpdateType,
    field_limits,
};

/// Reads the query of `GET /v1/account`: the month to count, the current one when absent.
pub fn account(raw: &str) -> Result<Option<Month>, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["month"]);
    let month = parameters.one("month", |text| Month::parse(text).ok_or("must be a month such as 2026-01"));
    parameters.finish(month)
}

/// Reads the query of `GET /v1/radars`: which radars, and how many at most.
pub fn radars(raw: &str) -> Result<(RadarFilter, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["limit", "radar_status", "radar_type", "radar_id", "cursor"]);
    let limit = parameters.limit(field_limits::RADARS_LIMIT_DEFAULT, field_limits::RADARS_LIMIT_MAX);
    let filter = RadarFilter {
        status: parameters.one("radar_status", str::parse::<Status>),
        radar_types: radar_types(&mut parameters),
        radar_ids: parameters.list("radar_id", Some(field_limits::RADARS_RADAR_IDS_MAX), radar_id_text),
        before: parameters.one("cursor", |text| {
            RadarCursor::decode(text).map(|cursor| (cursor.at, RadarId(cursor.id))).ok_or(NOT_A_CURSOR)
        }),
    };
    parameters.finish((filter, limit))
}

/// Reads the query of `GET /v1/updates`: which updates, and how many at most.
pub fn updates(raw: &str) -> Result<(UpdateFilter, u32), Vec<FieldError>> {
    let known = ["radar_id", "radar_type", "domain", "since", "order", "cursor", "limit", "update_type"];
    let mut parameters = Parameters::of(raw, &known);
    let mut filter = update_filter(&mut parameters);
    filter.is_newest_first = parameters.one("order", str::parse) == Some(UpdateOrder::NewestFirst);
    match cursor(&mut parameters) {
        before_seq if filter.is_newest_first => filter.before_seq = before_seq,
        after_seq => filter.after_seq = after_seq.unwrap_or_default(),
    }
    let limit = parameters.limit(field_limits::UPDATES_LIMIT_DEFAULT, field_limits::UPDATES_LIMIT_MAX);
    parameters.finish((filter, limit))
}

/// Reads what is asked of `GET /v1/updates/stream`. A client that comes back says in a header which event it saw last: that
/// counts, since it repeats its query as it was.
pub fn stream(raw: &str, last_event_id: Option<&[u8]>) -> Result<UpdateFilter, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &[&UPDATES[..], &["cursor"]].concat());
    let mut filter = update_filter(&mut parameters);
    filter.after_seq = cursor(&mut parameters).unwrap_or_default();
    if let Some(id) = last_event_id {
        match std::str::from_utf8(id).ok().and_then(UpdatesCursor::decode) {
            Some(last) => filter.after_seq = last.sequence,
            None => parameters.refuse(LAST_EVENT_ID, "must be the id of an event of this stream"),
        }
    }
    parameters.finish(filter)
}

/// What is asked of `GET /v1/updates/export`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportQuery {
    /// Which updates.
    pub filter: UpdateFilter,
    /// What the file looks like.
    pub format: ExportFormat,
    /// Only what was discovered at this instant or before.
    pub until: Option<DateTime<Utc>>,
}

/// Reads the query of `GET /v1/updates/export`.
pub fn export(raw: &str) -> Result<ExportQuery, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &[&UPDATES[..], &["until", "format"]].concat());
    let query = ExportQuery {
        filter: update_filter(&mut parameters),
        format: parameters.one("format", str::parse).unwrap_or(ExportFormat::Jsonl),
        until: parameters.one("until", instant),
    };
    if query.until.is_some() && query.until <= query.filter.since {
        parameters.refuse("until", "must be later than since");
    }
    parameters.finish(query)
}

/// The parameters that say which updates.
const UPDATES: [&str; 5] = ["radar_id", "radar_type", "domain", "since", "update_type"];

fn update_filter(parameters: &mut Parameters) -> UpdateFilter {
    let mut update_types = parameters.list("update_type", None, str::parse::<UpdateType>);
    if update_types.is_empty() {
        update_types.push(UpdateType::Finding);
    }
    UpdateFilter {
        radar_ids: parameters.list("radar_id", Some(field_limits::UPDATES_RADAR_IDS_MAX), radar_id_text),
        radar_types: radar_types(parameters),
        domains: parameters.list("domain", Some(field_limits::UPDATES_DOMAINS_MAX), DomainName::parse),
        since: parameters.one("since", instant),
        after_seq: 0,
        before_seq: None,
        is_newest_first: false,
        update_types,
    }
}

fn cursor(parameters: &mut Parameters) -> Option<i64> {
    let after = |text: &str| UpdatesCursor::decode(text).map(|cursor| cursor.sequence).ok_or(NOT_A_CURSOR);
    parameters.one("cursor", after)
}

/// Reads the query of `GET /v1/webhooks/schema`: the types to describe, all when empty (decision 3.10).
pub fn schema(raw: &str) -> Result<Vec<RadarType>, Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["radar_type"]);
    let radar_types = radar_types(&mut parameters);
    parameters.finish(radar_types)
}

fn radar_id_text(text: &str) -> Result<RadarId, &'static str> {
    uuid_text(text).map(RadarId)
}

fn radar_types(parameters: &mut Parameters) -> Vec<RadarType> {
    parameters.list("radar_type", None, str::parse)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{account, export, radars, schema, stream, updates};
    use crate::cursor::{RadarCursor, UpdatesCursor};
    use crate::parameters::{none, path_id};
    use crate::public::updates_export::ExportFormat;
    use domain::{DomainName, FieldError, RadarFilter, RadarId, RadarType, Status, UpdateFilter, UpdateType};
    const ID: &str = "00000000-0000-0000-0000-000000000007";

    fn fields<T: std::fmt::Debug>(answer: Result<T, Vec<FieldError>>) -> Vec<String> {
        answer.expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn spec_4_6_and_4_9_defaults_are_those_of_the_tables() {
        assert_eq!(account(""), Ok(None));
        assert_eq!(radars(""), Ok((RadarFilter::default(), 50)));
        let findings = UpdateFilter { update_types: vec![UpdateType::Finding], ..UpdateFilter::default() };
        assert_eq!(updates(""), Ok((findings, 25)));
    }

    #[test]
    fn a_stream_goes_on_behind_the_last_event_that_was_seen() {
        let [early, late] = [3, 9].map(|sequence| UpdatesCursor { sequence }.encode());
        let query = format!("cursor={early}&radar_type=company_reviews");
        let after = |last: Option<&str>| stream(&query, last.map(str::as_bytes)).map(|filter| filter.after_seq);
        assert_eq!((after(None), after(Some(&late))), (Ok(3), Ok(9)));
        assert_eq!(fields(after(Some("7"))), ["last-event-id"]);
        assert_eq!(fields(stream("limit=5", None)), ["limit"]);
    }

    #[test]
    fn an_export_is_of_a_span_and_in_one_of_two_formats() {
        let query = export("format=csv&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z").expect("a query");
        assert_eq!((query.format, query.until.is_some()), (ExportFormat::Csv, true));
        assert_eq!(export("").expect("a query").format, ExportFormat::Jsonl);
        for (query, field) in [
            ("format=xml", "format"),
            ("since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z", "until"),
            ("cursor=AXU", "cursor"),
        ] {
            assert_eq!(fields(export(query)), [field], "{query}");
        }
    }

    #[test]
    fn spec_4_6_and_4_9_every_parameter_is_read() {
        let cursor = RadarCursor { at: chrono::DateTime::UNIX_EPOCH, id: Uuid::nil() };
        let query = format!(
            "limit=1000&radar_status=inactive&radar_type=company_reviews,contact_social_posts&radar_id={ID}%2C{ID}&cursor={}",
            cursor.encode()
        );
        let (query, limit) = radars(&query).expect("a query");
        let before = Some((cursor.at, RadarId(cursor.id)));
        assert_eq!((limit, query.status, query.before), (1000, Some(Status::Inactive), before));
        assert_eq!(query.radar_types, [RadarType::CompanyReviews, RadarType::ContactSocialPosts]);
        assert_eq!(query.radar_ids, [RadarId(Uuid::from_u128(7))]);
        let repeated = radars("radar_type=company_reviews&limit=7&radar_type=contact_social_posts").expect("a query");
        assert_eq!(repeated.0.radar_types, query.radar_types, "as generated clients send a list");

        let cursor = UpdatesCursor { sequence: 3 };
        let query = format!(
            "since=2026-01-31T12:00:00+02:00&domain=https%3A%2F%2Fwww.Example.com,b.de&cursor={}&update_type=radar_failure",
            cursor.encode()
        );
        let (query, _) = updates(&query).expect("a query");
        assert_eq!(query.since.map(crate::time::text).as_deref(), Some("2026-01-31T10:00:00.000000Z"));
        assert_eq!(query.domains.iter().map(DomainName::as_str).collect::<Vec<_>>(), ["example.com", "b.de"]);
        assert_eq!((query.after_seq, query.update_types), (3, vec![UpdateType::Failure]));
        let newest = updates(&format!("order=newest_first&cursor={}", cursor.encode())).expect("a query").0;
        assert_eq!((newest.is_newest_first, newest.before_seq, newest.after_seq), (true, Some(3), 0));
        assert_eq!(schema("radar_type=company_reviews"), Ok(vec![RadarType::CompanyReviews]));
    }

    #[test]
    fn decision_2_5_nothing_is_clamped_or_overlooked() {
        for (query, offending) in [
            ("limit=0", &["limit"][..]),
            ("limit=1001", &["limit"]),
            ("limit=%2B5", &["limit"]),
            ("limit=", &["limit"]),
            ("limit=5&limit=6", &["limit"]),
            ("radar_type=company_reviews&radar_type=", &["radar_type"]),
            ("radar_state=active", &["radar_state"]),
            ("radar_status=failed&radar_type=x&radar_id=7", &["radar_status", "radar_type", "radar_id"]),
            ("radar_type=", &["radar_type"]),
            ("radar_type=company_reviews,", &["radar_type"]),
            ("cursor=x", &["cursor"]),
            ("radar_id=00000000000000000000000000000007", &["radar_id"]),
        ] {
            assert_eq!(fields(radars(query)), offending, "{query}");
        }
        for query in
            ["limit=101", "since=2026-01-31", "domain=localhost", "update_type=radar_created", "since=", "order=x"]
        {
            assert_eq!(fields(updates(query)).len(), 1, "{query}");
        }
        let ids = |count| format!("radar_id={}", vec![ID; count].join(","));
        assert!(radars(&ids(50)).is_ok() && updates(&ids(10)).is_ok());
        assert_eq!(
            (fields(radars(&ids(51))), fields(updates(&ids(11)))),
            (vec!["radar_id".into()], vec!["radar_id".into()])
        );
        let repeated = |count| vec![format!("radar_id={ID}"); count].join("&");
        assert!(updates(&repeated(10)).is_ok() && updates(&repeated(11)).is_err());
        let domains = |count| format!("domain={}", vec!["example.com"; count].join(","));
        assert!(updates(&domains(10)).is_ok() && updates(&domains(11)).is_err());
        assert_eq!(fields(account("month=2026-1")), ["month"]);
        assert_eq!(fields(none("a=1")), ["a"]);
        assert_eq!(none(""), Ok(()));
        assert_eq!(fields(path_id("7")), ["id"]);
        assert_eq!(path_id(ID), Ok(Uuid::from_u128(7)));
    }

    proptest! {
        #[test]
        fn never_panics(raw in "[a-z_=&%,+0-9]{0,60}|.{0,40}") {
            radars(&raw).ok();
            updates(&raw).ok();
            account(&raw).ok();
        }
    }
}

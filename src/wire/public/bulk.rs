//! The request and the answers of `POST /v1/radars/bulk` (Spec 4.5, decision 3.2).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::ObjectBuilder;
use uuid::Uuid;

use super::new_radar;
use super::radar_record::{RADAR, RadarRecord};
use crate::envelope::{self, Envelope};
use crate::error::{self, FIELD_REASON, FieldReason};
use crate::object;
use crate::record::records;
use crate::shapes::{count, integer, list, named, word};
use crate::time::Instant;
use domain::field_limits::BULK_ITEMS_MAX;
use domain::radar::custom_fields;
use domain::{FieldError, Fields, IsForbidden, NewRadar, Rejection};

/// A bulk with a valid envelope. Its items may be invalid.
#[derive(Debug, PartialEq, Eq)]
pub struct BulkRequest {
    /// The labels of the envelope, echoed in the answer and nowhere else.
    pub custom_fields: BTreeMap<String, String>,
    /// Each item in order, with the envelope's `webhook_url` and `webhook_format` where it has none of its own.
    pub items: Vec<Result<NewRadar, Vec<FieldError>>>,
}

/// The outcome of one item: the radar that was created, or why nothing was created or billed, and what to quote to
/// support.
pub type ItemOutcome<'a> = Result<RadarRecord<'a>, (Rejection, Uuid)>;

records! {
    /// How many items came to what.
    #[derive(Debug)]
    pub struct BulkSummary {
        /// Items of the bulk.
        total: usize,
        /// Radars created.
        created: usize,
        /// Items refused.
        failed: usize,
        /// Refused items that can succeed later without a change.
        retryable: usize,
    }

    /// An item that became a radar.
    #[derive(Debug)]
    pub struct CreatedItem<'a> {
        /// The position in `radars`, from 0.
        index: usize = position,
        /// What became of the item.
        status: &'static str = |about| word(&[CREATED], about),
        /// As the HTTP status of a single create.
        code: u16 = |about| integer(about).enum_values(Some([CREATED_CODE])),
        /// The radar.
        data: RadarRecord<'a> = |_| named(RADAR),
    }

    /// An item of which nothing was created or billed.
    #[derive(Debug)]
    pub struct RefusedItem {
        /// The position in `radars`, from 0.
        index: usize = position,
        /// What became of the item.
        status: &'static str = |about| word(&[REFUSED], about),
        /// As the HTTP status of a single create.
        code: u16 = |about| integer(about).minimum(Some(400)).maximum(Some(599)),
        /// One sentence for people.
        message: &'static str,
        /// Whether the same item can succeed later without a change.
        retryable: bool,
        /// Every offending field; empty where the fault is not the request's.
        errors: Vec<FieldReason> = |about| list(named(FIELD_REASON), about),
        /// Quote it to support.
        error_id: Uuid,
        /// When the item was refused.
        timestamp: Instant,
    }
}

/// The result of an item, at its place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ItemResult<'a> {
    Created(Box<CreatedItem<'a>>),
    Refused(RefusedItem),
}

const CREATED: &str = "success";
const CREATED_CODE: u16 = 201;
const REFUSED: &str = "error";

fn position(about: &str) -> ObjectBuilder {
    count(about).maximum(Some(BULK_ITEMS_MAX - 1))
}

/// Reads a bulk.
///
/// # Errors
/// Every offending field of the envelope; the items are not looked at then.
pub fn parse(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<BulkRequest, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["webhook_url", "webhook_format", "custom_fields", "radars"]);
    let webhook_url = fields.webhook_url(is_forbidden);
    let webhook_format = fields.parsed("webhook_format", str::parse);
    let custom_fields = custom_fields::read(&mut fields);
    let items = fields.items("radars", BULK_ITEMS_MAX);
    let (items, custom_fields) = fields.finish(items.map(|items| (items, custom_fields)))?;
    let items = items.iter().map(|item| {
        let new_radar = new_radar::read(item, None, is_forbidden)?;
        let webhook_url = new_radar.webhook_url.or_else(|| webhook_url.clone());
        let webhook_format = new_radar.webhook_format.or(webhook_format);
        Ok(NewRadar { webhook_url, webhook_format, ..new_radar })
    });
    Ok(BulkRequest { custom_fields, items: items.collect() })
}

/// The HTTP status and body for the outcomes of the items; `error_id` is used when all of them failed.
pub fn answer<'a>(
    custom_fields: &'a BTreeMap<String, String>,
    outcomes: Vec<ItemOutcome<'a>>,
    error_id: Uuid,
    now: DateTime<Utc>,
) -> (u16, Envelope<impl Serialize>) {
    let summary = summary(&outcomes);
    let results: Vec<ItemResult<'a>> =
        outcomes.into_iter().enumerate().map(|(index, outcome)| result(index, outcome, now)).collect();
    let (code, status, message) = match (summary.created, summary.failed) {
        (_, 0) => (201, "success", "All radars created"),
        (0, _) => (400, "error", "No radar created"),
        (_, _) => (207, "partial_success", "Some radars created"),
    };
    let error = (code == 400).then(|| {
        object! { errors: results.iter().flat_map(prefixed_errors).collect::<Vec<_>>(), error_id }
    });
    let body = object! { #[serde(flatten)] error, custom_fields, summary, results };
    (code, Envelope { status, ..envelope::success(code, message, now, body) })
}

fn summary(outcomes: &[ItemOutcome<'_>]) -> BulkSummary {
    let rejections = || outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    let failed = rejections().count();
    let retryable = rejections().filter(|(rejection, _)| rejection.retryable()).count();
    BulkSummary { total: outcomes.len(), created: outcomes.len() - failed, failed, retryable }
}

fn result(index: usize, outcome: ItemOutcome<'_>, now: DateTime<Utc>) -> ItemResult<'_> {
    match outcome {
        Ok(data) => ItemResult::Created(Box::new(CreatedItem { index, status: CREATED, code: CREATED_CODE, data })),
        Err((rejection, error_id)) => {
            let (code, message, errors) = error::parts(&rejection);
            let retryable = rejection.retryable();
            let timestamp = Instant(now);
            let refused = RefusedItem { index, status: REFUSED, code, message, retryable, errors, error_id, timestamp };
            ItemResult::Refused(refused)
        }
    }
}

/// The errors of an item, under the place of the item.
fn prefixed_errors(result: &ItemResult<'_>) -> Vec<FieldReason> {
    let ItemResult::Refused(RefusedItem { index, errors, .. }) = result else { return Vec::new() };
    let prefixed = |error: &FieldReason| FieldReason {
        field: format!("radars[{index}].{}", error.field),
        reason: error.reason.clone(),
    };
    errors.iter().map(prefixed).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::{answer, parse};
    use crate::public::radar_record::RadarRecord;
    use crate::sample_radar::company;
    use domain::{RadarId, Rejection};

    fn offending(body: &Value) -> Vec<String> {
        parse(body, &|_| false).expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn spec_4_5_the_envelope_is_checked_whole_and_before_the_items() {
        assert_eq!(offending(&json!({})), ["radars"]);
        assert_eq!(
            offending(&json!({"radars": [], "x": 1, "webhook_url": "y", "custom_fields": 3})),
            ["x", "webhook_url", "custom_fields", "radars"]
        );
        assert_eq!(offending(&json!({"radars": {}})), ["radars"]);
        assert_eq!(offending(&json!({"radars": vec![1; 101]})), ["radars"]);
        assert_eq!(parse(&json!({"radars": vec![1; 100]}), &|_| false).map(|bulk| bulk.items.len()), Ok(100));
    }

    #[test]
    fn spec_4_5_an_item_keeps_its_own_address_and_labels() {
        let bulk = parse(
            &json!({
                "webhook_url": "https://all.example.com/",
                "custom_fields": {"batch": "1"},
                "radars": [
                    {"radar_type": "industry_funding_rounds"},
                    {"radar_type": "company_reviews", "domain": "example.com", "webhook_url": "https://own.example.com/"},
                    {"radar_type": "company_reviews"},
                    7,
                ],
            }),
            &|_| false,
        )
        .expect("a sound envelope");
        assert_eq!(bulk.custom_fields, BTreeMap::from([("batch".to_owned(), "1".to_owned())]));
        let addresses: Vec<Option<&str>> = bulk
            .items
            .iter()
            .map(|item| item.as_ref().ok().and_then(|new_radar| new_radar.webhook_url.as_deref()))
            .collect();
        assert_eq!(addresses, [Some("https://all.example.com/"), Some("https://own.example.com/"), None, None]);
        assert!(bulk.items[0].as_ref().is_ok_and(|new_radar| new_radar.custom_fields.is_empty()));
        assert!(bulk.items[3].as_ref().is_err_and(|errors| errors[0].field == "body"));
    }

    #[test]
    fn spec_4_5_the_three_answers() {
        let radar = company();
        let labels = BTreeMap::from([("batch".to_owned(), "1".to_owned())]);
        let created = || Ok(RadarRecord::of(&radar, None));
        let refused = |rejection| Err((rejection, Uuid::from_u128(9)));
        let exists = || refused(Rejection::RadarExists { field: "domain", radar_id: RadarId(Uuid::from_u128(7)) });
        let poor = || refused(Rejection::InsufficientBalance);
        let body = |outcomes| {
            let (code, body) = answer(&labels, outcomes, Uuid::from_u128(5), DateTime::UNIX_EPOCH);
            let body = serde_json::to_value(body).expect("JSON");
            assert_eq!((&body["code"], &body["custom_fields"]["batch"]), (&json!(code), &json!("1")));
            (code, body)
        };

        let (code, all) = body(vec![created(), created()]);
        assert_eq!((code, &all["status"]), (201, &json!("success")));
        assert_eq!(all["summary"], json!({"total": 2, "created": 2, "failed": 0, "retryable": 0}));
        assert_eq!((all.get("errors"), all.get("error_id")), (None, None));
        assert_eq!((&all["results"][1]["index"], &all["results"][1]["code"]), (&json!(1), &json!(201)));
        assert_eq!(all["results"][1]["data"]["domain"], "example.com");

        let (code, some) = body(vec![exists(), created(), poor()]);
        assert_eq!((code, &some["status"]), (207, &json!("partial_success")));
        assert_eq!(some["summary"], json!({"total": 3, "created": 1, "failed": 2, "retryable": 1}));
        assert_eq!(
            some["results"][2],
            json!({
                "index": 2, "status": "error", "code": 402, "message": "Insufficient balance", "retryable": true,
                "errors": [{"field": "balance", "reason": "does not cover the charge"}],
                "error_id": "00000000-0000-0000-0000-000000000009", "timestamp": "1970-01-01T00:00:00.000000Z",
            })
        );

        let (code, none) = body(vec![exists(), poor()]);
        assert_eq!((code, &none["status"]), (400, &json!("error")));
        assert_eq!(
            none["errors"],
            json!([
                {"field": "radars[0].domain", "reason": "00000000-0000-0000-0000-000000000007"},
                {"field": "radars[1].balance", "reason": "does not cover the charge"},
            ])
        );
        assert_eq!(none["error_id"], "00000000-0000-0000-0000-000000000005");
        assert_eq!(none["results"].as_array().map(Vec::len), Some(2));
    }
}

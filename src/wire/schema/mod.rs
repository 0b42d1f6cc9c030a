//! JSON Schemas (2020-12) of what this room reads and writes.
//!
//! Duty: bounds come from `domain::field_limits`, vocabularies from the closed lists of the domain, the keys of `content`
//! from `domain::content`, the fields of records from the records. A schema of an answer leaves room for keys that are
//! added later; one of a request does not. Never here: paths, methods.

pub mod answers;
pub mod bulk;
pub mod deliveries;
pub mod payload;
mod radar_health;
pub mod requests;
pub mod webhook_schema;

use utoipa::openapi::{RefOr, Schema};

use super::error::{FIELD_REASON, FieldReason};
use super::public::account::AccountData;
use super::public::api_keys::{API_KEY, ApiKeyRecord};
use super::public::bulk::{BulkSummary, CreatedItem, RefusedItem};
use super::public::findings::evidence::{EVIDENCE, EvidenceRecord};
use super::public::preview::PreviewRecord;
use super::public::radar_record::{RADAR, RadarRecord};
use super::public::radar_types::RadarTypeRecord;
use super::public::webhooks::deliveries::DeliveryRecord;
use super::public::webhooks::endpoints::EndpointRecord;
use super::public::webhooks::recoveries::RecoveryRecord;
use super::record::schema_of;

/// A schema under the name by which others refer to it.
type Named = (String, RefOr<Schema>);

/// Every schema that others refer to by its name.
pub fn named_schemas() -> Vec<Named> {
    let objects = [
        (RADAR, schema_of::<RadarRecord<'_>>()),
        (answers::ACCOUNT, schema_of::<AccountData>()),
        (answers::RADAR_TYPE, schema_of::<RadarTypeRecord<'_>>()),
        (answers::RADAR_HEALTH, radar_health::health()),
        (API_KEY, schema_of::<ApiKeyRecord>()),
        (EVIDENCE, schema_of::<EvidenceRecord>()),
        (answers::PREVIEW, schema_of::<PreviewRecord<'_>>()),
        (answers::ERROR, answers::error_with_id()),
        (answers::RATE_LIMIT_ERROR, answers::error("A rate limit; it has no `error_id`, waiting helps.")),
        (FIELD_REASON, schema_of::<FieldReason>()),
        (bulk::CREATED_ITEM, schema_of::<CreatedItem<'_>>()),
        (bulk::REFUSED_ITEM, schema_of::<RefusedItem>()),
        (bulk::SUMMARY, schema_of::<BulkSummary>()),
        (bulk::REFUSED, bulk::refused()),
        (deliveries::DELIVERY, schema_of::<DeliveryRecord>()),
        (deliveries::ENDPOINT, schema_of::<EndpointRecord>()),
        (deliveries::RECOVERY, schema_of::<RecoveryRecord>()),
        (deliveries::NEW_RECOVERY, deliveries::new_recovery()),
    ];
    let objects = objects.map(|(name, schema)| (name.to_owned(), schema.into()));
    [objects.into(), payload::named_schemas(), requests::named_schemas()].concat()
}

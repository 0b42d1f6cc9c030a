//! What findings stand on: single updates, and where what they tell was read.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::database::{List, in_few_lengths, in_order, rows};
use crate::{Result, Store};
use domain::{AccountId, RadarId, RadarType, UpdateId};

const TABLE: &str = "radar_update";

/// A published finding.
#[derive(Clone, Debug)]
pub struct PublishedFinding {
    /// Its update.
    pub update_id: UpdateId,
    /// The radar.
    pub radar_id: RadarId,
    /// The radar's type.
    pub radar_type: RadarType,
    /// What was found.
    pub record_id: Uuid,
    /// When it was first seen.
    pub detected_at: DateTime<Utc>,
    /// What is told of it.
    pub content: Value,
}

/// What is read of a payload; that of a failure tells of no record.
#[derive(Deserialize)]
struct Payload {
    record_id: Option<Uuid>,
    content: Value,
}

/// Where a finding was read. All of it is unknown of one whose radar is gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The source.
    pub source_id: Option<String>,
    /// The address that was read; of what a provider handed in there is none.
    pub page_url: Option<String>,
    /// SHA-256 of what was answered there, in hexadecimal.
    pub body_hash: Option<String>,
    /// What stood there, where the content does not say all of it.
    pub excerpt: Option<String>,
}

in_order!(Evidence { source_id, page_url, body_hash, excerpt });

impl Store {
    /// A finding of an account that was published at `since` or later.
    pub async fn published_finding(
        &self,
        account_id: AccountId,
        update_id: UpdateId,
        since: DateTime<Utc>,
    ) -> Result<Option<PublishedFinding>> {
        let published = "select radar_id, radar_type, detected_at, body from radar_update
            where update_id = ? and account_id = ? and discovered_at >= ?";
        let found: Option<(_, _, _, String)> = self.first(published, (update_id, account_id, since)).await?;
        let Some((radar_id, radar_type, detected_at, body)) = found else { return Ok(None) };
        let Payload { record_id: Some(record_id), content } = rows::json(TABLE, &body)? else { return Ok(None) };
        Ok(Some(PublishedFinding { update_id, radar_id, radar_type, record_id, detected_at, content }))
    }

    /// Where findings of a radar were read, by their records.
    pub async fn evidence(&self, radar_id: RadarId, record_ids: &[Uuid]) -> Result<HashMap<Uuid, Evidence>> {
        let read = "select s.record_id, coalesce(f.source_id, s.source_id), i.page_url, i.body_hash, i.excerpt
            from finding_seen s left join feed f on f.feed_id = s.feed_id
            left join feed_item i on i.feed_id = s.feed_id and i.seq = s.item_seq
            where s.radar_id = ? and s.record_id in ?";
        let records = List(in_few_lengths(record_ids.iter().copied()));
        Ok(self.all(read, (radar_id, records)).await?.into_iter().collect())
    }
}

/// The record that a payload tells of.
pub(super) fn record_id(body: &str) -> Result<Option<Uuid>> {
    Ok(rows::json::<Payload>(TABLE, body)?.record_id)
}

//! What findings stand on: single updates, and where what they tell was read.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use entity::radar_update;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use crate::database::rows;
use crate::database::statement::in_few_lengths;
use crate::{Store, StoreError};
use domain::ids::{AccountId, RadarId, UpdateId};
use domain::radar_type::RadarType;

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

/// A record, and the fields of its [`Evidence`].
type Row = (Uuid, Option<String>, Option<String>, Option<String>, Option<String>);

impl Store {
    /// A finding of an account that was published at `since` or later.
    pub async fn published_finding(
        &self,
        account_id: AccountId,
        update_id: UpdateId,
        since: DateTime<Utc>,
    ) -> Result<Option<PublishedFinding>, StoreError> {
        let query = radar_update::Entity::find()
            .filter(radar_update::Column::UpdateId.eq(update_id.0))
            .filter(radar_update::Column::AccountId.eq(account_id.0))
            .filter(radar_update::Column::DiscoveredAt.gte(since.timestamp_micros()));
        let Some(row) = self.deadline.io(query.one(&self.read)).await? else { return Ok(None) };
        let Payload { record_id: Some(record_id), content } = rows::json(TABLE, &row.body)? else { return Ok(None) };
        Ok(Some(PublishedFinding {
            update_id,
            radar_id: RadarId(row.radar_id),
            radar_type: rows::closed(TABLE, &row.radar_type)?,
            record_id,
            detected_at: rows::instant(TABLE, row.detected_at)?,
            content,
        }))
    }

    /// Where findings of a radar were read, by their records.
    pub async fn evidence(
        &self,
        radar_id: RadarId,
        record_ids: &[Uuid],
    ) -> Result<HashMap<Uuid, Evidence>, StoreError> {
        let mut sql =
            self.sql("select s.record_id, coalesce(f.source_id, s.source_id), i.page_url, i.body_hash, i.excerpt ");
        sql.push("from finding_seen s left join feed f on f.feed_id = s.feed_id ");
        sql.push("left join feed_item i on i.feed_id = s.feed_id and i.seq = s.item_seq where s.radar_id = ");
        sql.bind(radar_id.0).push(" and s.record_id in ").bind_list(in_few_lengths(record_ids.iter().copied()));
        let found: Vec<Row> = self.deadline.io(sql.all(&self.read)).await?;
        let evidence = |(record_id, source_id, page_url, body_hash, excerpt): Row| {
            (record_id, Evidence { source_id, page_url, body_hash, excerpt })
        };
        Ok(found.into_iter().map(evidence).collect())
    }
}

/// The record that a payload tells of.
pub(super) fn record_id(body: &str) -> Result<Option<Uuid>, StoreError> {
    Ok(rows::json::<Payload>(TABLE, body)?.record_id)
}

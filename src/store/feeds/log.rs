//! The logs of feeds, and who has not read them to the end.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use entity::feed_item;
use uuid::Uuid;

use super::watching::{NOT_ENDED, NOT_FROZEN, has_reader, is_reading};
use crate::database::{Parameters, Statements, rows};
use crate::{Result, Store, StoreError};
use domain::{AccountId, Department, FeedId, RadarId, Role, Seniority};

/// An item of a feed's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogItem {
    /// Its number in the log.
    pub seq: i64,
    /// The source's name for it.
    pub native_id: String,
    /// The `content` of the finding as JSON text.
    pub content: String,
    /// What the filters look at.
    pub role: Role,
    /// When it was first seen.
    pub detected_at: DateTime<Utc>,
    /// When it happened by its own date.
    pub dated_at: Option<DateTime<Utc>>,
}

/// An item to be added to a feed's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLogItem {
    /// The source's name for it.
    pub native_id: String,
    /// The `content` of the finding as JSON text.
    pub content: String,
    /// What the filters look at.
    pub role: Role,
    /// When it happened by its own date, of a day alone the end.
    pub dated_at: Option<DateTime<Utc>>,
    /// Where it was read.
    pub page_url: Option<String>,
    /// SHA-256 of what was answered there, in hexadecimal.
    pub body_hash: Option<String>,
    /// What stood there, where the content does not say all of it.
    pub excerpt: Option<String>,
}

impl Store {
    /// Every name that the feed has shown so far.
    pub async fn known_items(&self, feed_id: FeedId) -> Result<HashSet<String>> {
        let shown = self.all("select native_id from feed_item where feed_id = ?", feed_id).await?;
        Ok(shown.into_iter().collect())
    }

    /// The items of a feed from after `after_seq`, in order.
    pub async fn items_after(&self, feed_id: FeedId, after_seq: i64, limit: u64) -> Result<Vec<LogItem>> {
        self.items("feed_id = ? and seq > ? order by seq limit ?", (feed_id, after_seq, limit)).await
    }

    /// The last items of a feed up to `upto_seq`, newest first.
    pub async fn last_items(&self, feed_id: FeedId, upto_seq: i64, limit: u64) -> Result<Vec<LogItem>> {
        self.items("feed_id = ? and seq <= ? order by seq desc limit ?", (feed_id, upto_seq, limit)).await
    }

    async fn items(&self, which: &str, parameters: (FeedId, i64, u64)) -> Result<Vec<LogItem>> {
        let mut sql = self.read.rows_of::<feed_item::Entity>();
        let found = self.deadline.io(sql.add(which, parameters).models(&self.read)).await?;
        found.into_iter().map(log_item).collect()
    }

    /// The radars that have not read all of a feed yet.
    pub async fn lagging_radars_of_feed(&self, feed_id: FeedId) -> Result<Vec<(AccountId, RadarId)>> {
        self.lagging("f.feed_id = ?", feed_id).await
    }

    /// Radars that have not read all of some feed, such as those that a crash left behind or that were paused.
    pub async fn all_lagging_radars(&self, limit: u64) -> Result<Vec<(AccountId, RadarId)>> {
        self.lagging("f.head_seq > f.fanned_seq limit ?", limit.min(1 << 20)).await
    }

    /// Readers that are behind the logs of those feeds.
    async fn lagging(&self, feeds: &str, of: impl Parameters) -> Result<Vec<(AccountId, RadarId)>> {
        let behind = format!(
            "select rf.account_id, rf.radar_id from feed f
            join radar_feed rf on rf.feed_id = f.feed_id and rf.read_seq < f.head_seq
            join radar r on r.radar_id = rf.radar_id where {} and {NOT_FROZEN} and {feeds}",
            is_reading()
        );
        self.all(&behind, of).await
    }

    /// Marks the feeds that every watching radar has read to the end.
    pub async fn settle_feeds(&self) -> Result<()> {
        // Readers of stopped accounts count here: they go on where they left off.
        let behind = format!("rf.read_seq < f.head_seq and {NOT_ENDED}");
        let mut sql = self.sql(&format!(
            "update feed set fanned_seq = head_seq where feed_id in (
            select f.feed_id from feed f where f.head_seq > f.fanned_seq and not {}",
            has_reader(&behind)
        ));
        self.deadline.io(sql.lock_skipping().push(")").run(&self.write)).await.map(drop)
    }
}

pub(super) fn item_row(feed_id: Uuid, seq: i64, item: NewLogItem, now: DateTime<Utc>) -> feed_item::Model {
    let Role { title, departments, seniorities } = item.role;
    let departments: Vec<&str> = departments.iter().map(|department| department.as_str()).collect();
    let seniorities: Vec<&str> = seniorities.iter().map(|seniority| seniority.as_str()).collect();
    feed_item::Model {
        seq: Some(seq),
        content: Some(item.content),
        role: Some(serde_json::json!([title, departments, seniorities]).to_string()),
        dated_at: item.dated_at.map(|dated_at| dated_at.timestamp_micros()),
        page_url: item.page_url,
        body_hash: item.body_hash,
        excerpt: item.excerpt,
        ..looked_at_row(feed_id, item.native_id, now)
    }
}

pub(super) fn looked_at_row(feed_id: Uuid, native_id: String, now: DateTime<Utc>) -> feed_item::Model {
    feed_item::Model {
        feed_id,
        native_id,
        seq: None,
        content: None,
        role: None,
        detected_at: now.timestamp_micros(),
        dated_at: None,
        page_url: None,
        body_hash: None,
        excerpt: None,
    }
}

fn log_item(row: feed_item::Model) -> Result<LogItem> {
    let corrupt = |what: &str| StoreError::corrupt("feed_item", what);
    let role = row.role.as_deref().unwrap_or("[\"\",[],[]]");
    let (title, departments, seniorities): (String, Vec<String>, Vec<String>) =
        serde_json::from_str(role).map_err(|error| corrupt(&error.to_string()))?;
    Ok(LogItem {
        seq: row.seq.ok_or_else(|| corrupt("no sequence number"))?,
        native_id: row.native_id,
        content: row.content.ok_or_else(|| corrupt("no content"))?,
        role: Role {
            title,
            departments: departments.iter().filter_map(|word| word.parse::<Department>().ok()).collect(),
            seniorities: seniorities.iter().filter_map(|word| word.parse::<Seniority>().ok()).collect(),
        },
        detected_at: rows::instant("feed_item", row.detected_at)?,
        dated_at: rows::instant_option("feed_item", row.dated_at)?,
    })
}

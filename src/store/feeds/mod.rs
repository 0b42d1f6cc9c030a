//! Feeds: their state, their logs, who polls them and who reads them (decision 7.3).

pub(super) mod attaching;
pub(super) mod claims;
pub(super) mod log;
pub(super) mod polls;
pub(super) mod preview_looks;
pub(super) mod profiles;
pub(super) mod readers;
pub(super) mod set_ups;
pub(super) mod source_health;
pub(super) mod unreachable;
pub(super) mod watching;

use chrono::{DateTime, Duration, Utc};
use entity::feed;
use sea_orm::EntityTrait;

use crate::database::{IfPresent, bulk, rows};
use crate::{Result, Store};
use domain::FeedId;
use domain::scheduling::polling::Validators;
use domain::scheduling::shards::shard_of_host;

/// A feed as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedRow {
    /// The feed.
    pub feed_id: FeedId,
    /// The source that gives it.
    pub source_id: String,
    /// The source's word for the target.
    pub token: String,
    /// The last item of its log.
    pub head_seq: i64,
    /// When it was last polled with success; `None` before its baseline.
    pub succeeded_at: Option<DateTime<Utc>>,
    /// When it was last polled.
    pub polled_at: Option<DateTime<Utc>>,
    /// How long it has been polled without success.
    pub silent_for: Duration,
    /// How long after the last poll with success the next one follows; `None` before its baseline.
    pub poll_interval: Option<std::time::Duration>,
    /// How often in a row polls have failed.
    pub failures: i64,
    /// Whether a lease is open: a process is polling the feed, or died while polling it.
    pub has_lease: bool,
    /// What makes the next request conditional.
    pub validators: Validators,
}

impl Store {
    /// Stores a feed unless it exists, so that it can be claimed. Feeds of set-ups that run side by side are stored together.
    /// `host` is the one that its polls ask.
    pub async fn ensure_feed(&self, source_id: &str, token: &str, host: &str, now: DateTime<Utc>) -> Result<FeedId> {
        let feed_id = FeedId::of(source_id, token);
        let row = feed::Model {
            feed_id: feed_id.0,
            source_id: source_id.to_owned(),
            token: token.to_owned(),
            shard: shard_of_host(host),
            created_at: now.timestamp_micros(),
            head_seq: 0,
            fanned_seq: 0,
            next_poll_at: None,
            polled_at: None,
            succeeded_at: None,
            failures: 0,
            last_error: None,
            etag: None,
            last_modified: None,
            body_hash: None,
            lease_until: None,
            lease_no: 0,
            claimed_by: None,
            open_attempts: 0,
            silent_micros: 0,
            failure_message: None,
            poll_interval_micros: None,
            failure_class: None,
        };
        self.deadline.io(self.new_feeds.run(row, async |rows| self.store_feeds(rows).await)).await?;
        Ok(feed_id)
    }

    async fn store_feeds(&self, mut rows: Vec<feed::Model>) -> Result<Vec<()>> {
        let done = vec![(); rows.len()];
        // In one order, so that two processes never wait for one another.
        rows.sort_by_key(|row| row.feed_id);
        rows.dedup_by_key(|row| row.feed_id);
        let transaction = self.begin().await?;
        bulk::insert(&transaction, rows, IfPresent::leave()).await?;
        transaction.commit().await?;
        Ok(done)
    }

    /// A feed; `None` when there is none with this identifier.
    pub async fn feed(&self, feed_id: FeedId) -> Result<Option<FeedRow>> {
        self.deadline.io(feed::Entity::find_by_id(feed_id.0).one(&self.read)).await?.map(feed_row).transpose()
    }
}

fn feed_row(row: feed::Model) -> Result<FeedRow> {
    Ok(FeedRow {
        feed_id: FeedId(row.feed_id),
        source_id: row.source_id,
        token: row.token,
        head_seq: row.head_seq,
        succeeded_at: rows::instant_option("feed", row.succeeded_at)?,
        polled_at: rows::instant_option("feed", row.polled_at)?,
        silent_for: Duration::microseconds(row.silent_micros),
        poll_interval: row.poll_interval_micros.and_then(|micros| Duration::microseconds(micros).to_std().ok()),
        failures: row.failures,
        has_lease: row.lease_until.is_some(),
        validators: Validators { etag: row.etag, last_modified: row.last_modified, body_hash: row.body_hash },
    })
}

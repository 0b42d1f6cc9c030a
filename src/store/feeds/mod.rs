//! Feeds, and what came of their polls (decision 7.3).

pub(super) mod claims;
pub(super) mod log;
pub(super) mod next_due;
pub(super) mod set_ups;
pub(super) mod watching;

use std::time::Duration;

use chrono::{DateTime, Utc};
use entity::{feed, feed_item};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::domain::ids::FeedId;
use crate::store::database::rows;
use crate::store::{Store, StoreError};
use claims::ClaimedFeed;
use log::{NewLogItem, item_row, looked_at_row};

/// A feed, as it is known.
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
    /// How often in a row polls have failed.
    pub failures: i64,
    /// How many polls in a row have begun and not ended.
    pub open_attempts: u32,
    /// Whether a lease was written that nobody has ended: somebody polls the feed, or died while polling it.
    pub has_lease: bool,
    /// What makes the next request conditional.
    pub validators: FeedValidators,
}

/// What a server said about the state that it last served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedValidators {
    /// The ETag.
    pub etag: Option<String>,
    /// The Last-Modified date, as it was sent.
    pub last_modified: Option<String>,
    /// The hash of the body, for servers whose validators lie.
    pub body_hash: Option<String>,
}

/// How a poll went.
#[derive(Clone, Debug)]
pub enum PollRecord {
    /// The source answered.
    Succeeded {
        /// What is new, oldest first.
        items: Vec<NewLogItem>,
        /// What is to be remembered but never reported.
        looked_at: Vec<String>,
        /// What makes the next request conditional.
        validators: FeedValidators,
    },
    /// The source did not answer well.
    Failed {
        /// What went wrong, in a sentence.
        error: String,
    },
    /// The source was not asked: its polls end the process. What is counted of them stays.
    Rests {
        /// That it is so, in a sentence.
        error: String,
    },
}

impl Store {
    /// Makes a feed known, so that it can be claimed.
    pub async fn ensure_feed(&self, source_id: &str, token: &str, now: DateTime<Utc>) -> Result<FeedId, StoreError> {
        let feed_id = FeedId::of(source_id, token);
        let row = feed::Model {
            feed_id: feed_id.0,
            source_id: source_id.to_owned(),
            token: token.to_owned(),
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
            open_attempts: 0,
        };
        let insert = feed::Entity::insert(row.into_active_model()).on_conflict_do_nothing_on([feed::Column::FeedId]);
        self.clock.io(insert.exec_without_returning(&self.write)).await?;
        Ok(feed_id)
    }

    /// A feed, as it is known.
    pub async fn sweep_feed(&self, feed_id: FeedId) -> Result<Option<FeedRow>, StoreError> {
        self.clock.io(feed::Entity::find_by_id(feed_id.0).one(&self.read)).await?.map(feed_row).transpose()
    }

    /// Ends a claim with its result; `None` when the claim had been lost, so that nothing was written. Otherwise the
    /// number of the last item of the log.
    pub async fn sweep_record_poll(
        &self,
        claimed: &ClaimedFeed,
        record: PollRecord,
        now: DateTime<Utc>,
        next_poll_in: Duration,
    ) -> Result<Option<i64>, StoreError> {
        self.clock.io(self.record_poll(claimed, record, now, next_poll_in)).await
    }

    async fn record_poll(
        &self,
        claimed: &ClaimedFeed,
        record: PollRecord,
        now: DateTime<Utc>,
        next_poll_in: Duration,
    ) -> Result<Option<i64>, StoreError> {
        let feed_id = claimed.feed.feed_id.0;
        let is_at_rest = matches!(record, PollRecord::Rests { .. });
        let still_open = if is_at_rest { i64::from(claimed.feed.open_attempts) } else { 0 };
        let mut update = feed::Entity::update_many()
            .col_expr(feed::Column::LeaseUntil, Expr::value(Option::<i64>::None))
            .col_expr(feed::Column::PolledAt, Expr::value(now.timestamp_micros()))
            .col_expr(feed::Column::NextPollAt, self.leases.now().expr_after(next_poll_in))
            .col_expr(feed::Column::OpenAttempts, Expr::value(still_open));
        let mut head_seq = claimed.feed.head_seq;
        let mut new_rows = Vec::new();
        match record {
            PollRecord::Rests { error } | PollRecord::Failed { error } => {
                update = update
                    .col_expr(feed::Column::Failures, Expr::cust("failures + 1"))
                    .col_expr(feed::Column::LastError, Expr::value(error));
            }
            PollRecord::Succeeded { items, looked_at, validators } => {
                for item in items {
                    head_seq += 1;
                    new_rows.push(item_row(feed_id, head_seq, item, now));
                }
                new_rows.extend(looked_at.into_iter().map(|native_id| looked_at_row(feed_id, native_id, now)));
                update = update
                    .col_expr(feed::Column::HeadSeq, Expr::value(head_seq))
                    .col_expr(feed::Column::Failures, Expr::value(0))
                    .col_expr(feed::Column::LastError, Expr::value(Option::<String>::None))
                    .col_expr(feed::Column::SucceededAt, Expr::value(now.timestamp_micros()))
                    .col_expr(feed::Column::Etag, Expr::value(validators.etag))
                    .col_expr(feed::Column::LastModified, Expr::value(validators.last_modified))
                    .col_expr(feed::Column::BodyHash, Expr::value(validators.body_hash));
            }
        }
        let transaction = self.begin().await?;
        let owned = update
            .filter(feed::Column::FeedId.eq(feed_id))
            .filter(feed::Column::LeaseNo.eq(claimed.lease_no))
            .exec(&transaction)
            .await?;
        if owned.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(None);
        }
        for rows in new_rows.chunks(4_000) {
            let models = rows.iter().cloned().map(IntoActiveModel::into_active_model);
            feed_item::Entity::insert_many(models).exec_without_returning(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(Some(head_seq))
    }
}

fn feed_row(row: feed::Model) -> Result<FeedRow, StoreError> {
    Ok(FeedRow {
        feed_id: FeedId(row.feed_id),
        source_id: row.source_id,
        token: row.token,
        head_seq: row.head_seq,
        succeeded_at: rows::instant_option("feed", row.succeeded_at)?,
        failures: row.failures,
        open_attempts: u32::try_from(row.open_attempts).unwrap_or(u32::MAX),
        has_lease: row.lease_until.is_some(),
        validators: FeedValidators { etag: row.etag, last_modified: row.last_modified, body_hash: row.body_hash },
    })
}

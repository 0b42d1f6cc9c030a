//! How polls end: in groups, since most of them find nothing new and write one row each (decision 7.3).

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use entity::{feed, feed_item};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use uuid::Uuid;

use crate::domain::radar::health;
use crate::domain::source_health::FailureClass;
use crate::store::database::statement::Sql;
use crate::store::database::write_transaction::WriteTransaction;
use crate::store::feeds::FeedValidators;
use crate::store::feeds::claims::ClaimedFeed;
use crate::store::feeds::log::{NewLogItem, item_row, looked_at_row};
use crate::store::{Store, StoreError};

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
        /// How often the feed is to be polled from now on.
        interval: Duration,
    },
    /// The source did not answer well.
    Failed {
        /// What went wrong, in a sentence for the customer.
        message: String,
        /// The same for the operator.
        error: String,
        /// In which way.
        class: FailureClass,
    },
    /// The source was not asked: its polls end the process. What is counted of them stays.
    Rests {
        /// That it is so, in a sentence.
        message: String,
    },
}

impl PollRecord {
    /// In which way the source failed; a feed at rest says nothing of its source.
    const fn failure_class(&self) -> Option<FailureClass> {
        match self {
            Self::Failed { class, .. } => Some(*class),
            Self::Succeeded { .. } | Self::Rests { .. } => None,
        }
    }

    /// How often the feed is to be polled from now on; `None` leaves it as it was.
    const fn interval(&self) -> Option<Duration> {
        match self {
            Self::Succeeded { interval, .. } => Some(*interval),
            Self::Failed { .. } | Self::Rests { .. } => None,
        }
    }
}

/// A poll that has ended, as it is recorded.
#[derive(Clone, Debug)]
pub(in crate::store) struct EndedPoll {
    claimed: ClaimedFeed,
    record: PollRecord,
    at: DateTime<Utc>,
    next_poll_in: Duration,
}

impl Store {
    /// Ends a claim with its result; `None` when the claim had been lost, so that nothing was written. Otherwise the
    /// number of the last item of the log. Polls that end while others are written are written together.
    pub async fn record_poll(
        &self,
        claimed: &ClaimedFeed,
        record: PollRecord,
        now: DateTime<Utc>,
        next_poll_in: Duration,
    ) -> Result<Option<i64>, StoreError> {
        let ended = EndedPoll { claimed: claimed.clone(), record, at: now, next_poll_in };
        let recording = self.ended_polls.run(ended, async |ended| self.record_polls(ended).await);
        Ok(self.clock.io(recording).await?.flatten())
    }

    async fn record_polls(&self, ended: Vec<EndedPoll>) -> Result<Vec<Option<i64>>, StoreError> {
        let transaction = self.begin().await?;
        let (unchanged, mut order): (Vec<usize>, Vec<usize>) =
            (0..ended.len()).partition(|index| ended[*index].is_unchanged());
        // In one order, so that two processes never wait for one another.
        order.sort_by_key(|index| ended[*index].claimed.feed.feed_id);
        let mut head_seqs = vec![None; ended.len()];
        let recorded = self.record_unchanged(&transaction, unchanged.iter().map(|index| &ended[*index])).await?;
        for index in unchanged {
            let feed = &ended[index].claimed.feed;
            head_seqs[index] = recorded.contains(&feed.feed_id.0).then_some(feed.head_seq);
        }
        let mut rows = Vec::new();
        for index in order {
            let next_poll_at = self.leases.now().expr_after(ended[index].next_poll_in);
            head_seqs[index] = record_poll(&transaction, &ended[index], next_poll_at, &mut rows).await?;
        }
        for rows in rows.chunks(4_000) {
            let models = rows.iter().cloned().map(IntoActiveModel::into_active_model);
            feed_item::Entity::insert_many(models).exec_without_returning(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(head_seqs)
    }

    /// Ends the claims of polls that found everything as it was, all that wait equally long together; answers the feeds
    /// whose claims were not lost. Most polls are such ones.
    async fn record_unchanged(
        &self,
        transaction: &WriteTransaction,
        ended: impl Iterator<Item = &EndedPoll>,
    ) -> Result<HashSet<Uuid>, StoreError> {
        let mut by_wait: BTreeMap<_, Vec<&EndedPoll>> = BTreeMap::new();
        ended.for_each(|ended| by_wait.entry((ended.next_poll_in, ended.record.interval())).or_default().push(ended));
        let mut recorded = HashSet::new();
        for ((wait, interval), ended) in by_wait {
            let at = ended.iter().map(|ended| ended.at.timestamp_micros()).max().unwrap_or_default();
            let mut sql = Sql::new(transaction.get_database_backend());
            sql.push("update feed set lease_until = null, open_attempts = 0, failures = 0, silent_micros = 0");
            sql.push(", failure_message = null, last_error = null, failure_class = null, polled_at = ").bind(at);
            sql.push(", succeeded_at = ").bind(at).push(", poll_interval_micros = ").bind(interval.map(micros));
            sql.push(", next_poll_at = ").now_after(self.leases.now(), wait);
            sql.push(" where ").claims(ended.iter().map(|ended| ended.claimed.claim())).push(" returning feed_id");
            for row in transaction.query_all_raw(sql.finish()).await? {
                recorded.insert(row.try_get("", "feed_id")?);
            }
        }
        Ok(recorded)
    }
}

impl EndedPoll {
    /// Whether there is nothing to write of it but that it was made.
    fn is_unchanged(&self) -> bool {
        matches!(&self.record, PollRecord::Succeeded { items, looked_at, validators, .. }
            if items.is_empty() && looked_at.is_empty() && *validators == self.claimed.feed.validators)
    }
}

fn micros(interval: Duration) -> i64 {
    i64::try_from(interval.as_micros()).unwrap_or(i64::MAX)
}

/// Ends the claim, and adds the rows that the log gains; answers the number of its last item unless the claim was lost.
async fn record_poll(
    transaction: &WriteTransaction,
    ended: &EndedPoll,
    next_poll_at: SimpleExpr,
    rows: &mut Vec<feed_item::Model>,
) -> Result<Option<i64>, StoreError> {
    let EndedPoll { claimed, record, at, .. } = ended;
    let feed_id = claimed.feed.feed_id.0;
    let is_at_rest = matches!(record, PollRecord::Rests { .. });
    let still_open = if is_at_rest { i64::from(claimed.feed.open_attempts) } else { 0 };
    let mut update = feed::Entity::update_many()
        .col_expr(feed::Column::LeaseUntil, Expr::value(Option::<i64>::None))
        .col_expr(feed::Column::PolledAt, Expr::value(at.timestamp_micros()))
        .col_expr(feed::Column::NextPollAt, next_poll_at)
        .col_expr(feed::Column::OpenAttempts, Expr::value(still_open));
    let mut head_seq = claimed.feed.head_seq;
    let mut new_rows = Vec::new();
    match record {
        PollRecord::Rests { message: error @ message } | PollRecord::Failed { message, error, .. } => {
            let silent_for = health::silent_for(claimed.feed.silent_for, claimed.feed.polled_at, *at);
            update = update
                .col_expr(feed::Column::Failures, Expr::cust("failures + 1"))
                .col_expr(feed::Column::SilentMicros, Expr::value(silent_for.num_microseconds().unwrap_or(i64::MAX)))
                .col_expr(feed::Column::FailureMessage, Expr::value(message.clone()))
                .col_expr(feed::Column::LastError, Expr::value(error.clone()))
                .col_expr(feed::Column::FailureClass, Expr::value(record.failure_class().map(FailureClass::as_str)));
        }
        PollRecord::Succeeded { items, looked_at, validators, interval } => {
            for item in items {
                head_seq += 1;
                new_rows.push(item_row(feed_id, head_seq, item.clone(), *at));
            }
            new_rows.extend(looked_at.iter().map(|native_id| looked_at_row(feed_id, native_id.clone(), *at)));
            update = update
                .col_expr(feed::Column::HeadSeq, Expr::value(head_seq))
                .col_expr(feed::Column::PollIntervalMicros, Expr::value(micros(*interval)))
                .col_expr(feed::Column::Failures, Expr::value(0))
                .col_expr(feed::Column::SilentMicros, Expr::value(0_i64))
                .col_expr(feed::Column::FailureMessage, Expr::value(Option::<String>::None))
                .col_expr(feed::Column::LastError, Expr::value(Option::<String>::None))
                .col_expr(feed::Column::FailureClass, Expr::value(Option::<String>::None))
                .col_expr(feed::Column::SucceededAt, Expr::value(at.timestamp_micros()))
                .col_expr(feed::Column::Etag, Expr::value(validators.etag.clone()))
                .col_expr(feed::Column::LastModified, Expr::value(validators.last_modified.clone()))
                .col_expr(feed::Column::BodyHash, Expr::value(validators.body_hash.clone()));
        }
    }
    let owned = update
        .filter(feed::Column::FeedId.eq(feed_id))
        .filter(feed::Column::LeaseNo.eq(claimed.lease_no))
        .exec(transaction)
        .await?;
    if owned.rows_affected == 0 {
        return Ok(None);
    }
    rows.extend(new_rows);
    Ok(Some(head_seq))
}

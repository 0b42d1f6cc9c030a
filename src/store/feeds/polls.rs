//! How polls end: in groups, since most of them find nothing new and write one row each (decision 7.3).

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use entity::feed_item;
use sea_orm::{EntityTrait, IntoActiveModel};
use uuid::Uuid;

use crate::claims::DueTable;
use crate::database::leases::micros;
use crate::database::{Sql, WriteTransaction};
use crate::feeds::claims::ClaimedFeed;
use crate::feeds::log::{NewLogItem, item_row, looked_at_row};
use crate::{Result, Store};
use domain::FailureClass;
use domain::radar::health;
use domain::scheduling::polling::Validators;

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
        validators: Validators,
        /// How often the feed is to be polled from now on.
        interval: Duration,
    },
    /// The source did not answer well.
    Failed {
        /// What went wrong, in a sentence for the customer.
        message: String,
        /// The same for the operator.
        error: String,
        /// In which way; `None` where the source was not asked, because its polls end the process. What is counted of
        /// those stays.
        class: Option<FailureClass>,
    },
}

/// The columns of a feed whose source answered.
const ANSWERED: &str =
    ", failures = 0, silent_micros = 0, failure_message = null, last_error = null, failure_class = null,
    succeeded_at = ?, poll_interval_micros = ?";
/// The same where it did not answer well.
const FAILED: &str =
    ", failures = failures + 1, silent_micros = ?, failure_message = ?, last_error = ?, failure_class = ?";

/// A poll that has ended, as it is recorded.
#[derive(Clone, Debug)]
pub(crate) struct EndedPoll {
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
    ) -> Result<Option<i64>> {
        let ended = EndedPoll { claimed: claimed.clone(), record, at: now, next_poll_in };
        let recording = self.ended_polls.run(ended, async |ended| self.record_polls(ended).await);
        Ok(self.deadline.io(recording).await?.flatten())
    }

    async fn record_polls(&self, ended: Vec<EndedPoll>) -> Result<Vec<Option<i64>>> {
        let transaction = self.begin().await?;
        let (unchanged, mut order): (Vec<usize>, Vec<usize>) =
            (0..ended.len()).partition(|index| ended[*index].unchanged().is_some());
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
            head_seqs[index] = self.record_poll_alone(&transaction, &ended[index], &mut rows).await?;
        }
        for rows in rows.chunks(3_000) {
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
    ) -> Result<HashSet<Uuid>> {
        let mut by_wait: BTreeMap<_, Vec<&EndedPoll>> = BTreeMap::new();
        ended.for_each(|ended| by_wait.entry((ended.next_poll_in, ended.unchanged())).or_default().push(ended));
        let mut recorded = HashSet::new();
        for ((wait, interval), ended) in by_wait {
            let at = ended.iter().map(|ended| ended.at.timestamp_micros()).max().unwrap_or_default();
            let mut sql = self.polled(at, wait, 0);
            sql.add(ANSWERED, (at, interval.map(micros)));
            let claims = ended.iter().map(|ended| &ended.claimed.claim);
            sql.push(" where ").held(DueTable::Feeds, claims).push(" returning feed_id");
            recorded.extend(sql.all::<Uuid>(transaction).await?);
        }
        Ok(recorded)
    }

    /// Ends the claim, and adds the rows that the log gains; answers the number of its last item unless the claim was lost.
    async fn record_poll_alone(
        &self,
        transaction: &WriteTransaction,
        EndedPoll { claimed, record, at, next_poll_in }: &EndedPoll,
        rows: &mut Vec<feed_item::Model>,
    ) -> Result<Option<i64>> {
        let ClaimedFeed { feed, claim } = claimed;
        let feed_id = feed.feed_id.0;
        let is_at_rest = matches!(record, PollRecord::Failed { class: None, .. });
        let still_open = if is_at_rest { i64::from(claim.open_attempts) } else { 0 };
        let mut sql = self.polled(at.timestamp_micros(), *next_poll_in, still_open);
        let mut head_seq = feed.head_seq;
        let mut new_rows = Vec::new();
        match record {
            PollRecord::Failed { message, error, class } => {
                let silent_for = health::silent_for(feed.silent_for, feed.polled_at, *at);
                let silent_micros = silent_for.num_microseconds().unwrap_or(i64::MAX);
                sql.add(FAILED, (silent_micros, message.as_str(), error.as_str(), *class));
            }
            PollRecord::Succeeded { items, looked_at, validators, interval } => {
                for item in items {
                    head_seq += 1;
                    new_rows.push(item_row(feed_id, head_seq, item.clone(), *at));
                }
                new_rows.extend(looked_at.iter().map(|native_id| looked_at_row(feed_id, native_id.clone(), *at)));
                let Validators { etag, last_modified, body_hash } = validators.clone();
                sql.add(ANSWERED, (*at, micros(*interval)));
                let changed = ", head_seq = ?, etag = ?, last_modified = ?, body_hash = ?";
                sql.add(changed, (head_seq, etag, last_modified, body_hash));
            }
        }
        if sql.push(" where ").held(DueTable::Feeds, [claim]).run(transaction).await? == 0 {
            return Ok(None);
        }
        rows.extend(new_rows);
        Ok(Some(head_seq))
    }

    /// The beginning of the statement that ends claims: a poll was made at `at`, and the next one is due after `wait`.
    fn polled(&self, at: i64, wait: Duration, still_open: i64) -> Sql {
        let mut sql =
            self.sql_with("update feed set lease_until = null, polled_at = ?, open_attempts = ?, ", (at, still_open));
        sql.push("next_poll_at = ").now_after(self.leases.now(), wait);
        sql
    }
}

impl EndedPoll {
    /// How often the feed is to be polled from now on, where there is nothing to write of the poll but that it was made.
    fn unchanged(&self) -> Option<Duration> {
        match &self.record {
            PollRecord::Succeeded { items, looked_at, validators, interval }
                if items.is_empty() && looked_at.is_empty() && *validators == self.claimed.feed.validators =>
            {
                Some(*interval)
            }
            _ => None,
        }
    }
}

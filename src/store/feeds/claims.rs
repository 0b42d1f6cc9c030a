//! Which feeds are claimed, so that one process at a time polls each (decision 7.3).
//!
//! A due feed without a reader is put to rest instead of being claimed; its next reader wakes it.

use std::collections::HashMap;

use entity::feed;
use uuid::Uuid;

use super::watching::{has_reader, is_reading};
use super::{FeedRow, feed_row};
use crate::claims::{Claim, DueTable};
use crate::database::{List, Run, Sql, WriteTransaction, in_few_lengths};
use crate::{Result, Store};
use domain::FeedId;

/// A feed that this process alone may poll until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedFeed {
    /// The feed as it stood before the claim.
    pub feed: FeedRow,
    /// The claim.
    pub claim: Claim,
}

impl Store {
    /// Claims feeds whose poll is due, that no open attempt makes suspect and that somebody reads.
    pub async fn claim_due_feeds(&self, limit: u64) -> Result<Vec<ClaimedFeed>> {
        let unsuspected = " and open_attempts = 0 order by next_poll_at limit ?";
        self.claim_feeds(|sql| sql.add(unsuspected, limit.min(1 << 20))).await
    }

    /// Claims one due feed whose last attempt did not end.
    pub async fn claim_suspect_feed(&self) -> Result<Option<ClaimedFeed>> {
        let suspect = " and open_attempts > 0 order by open_attempts, next_poll_at limit 1";
        Ok(self.claim_feeds(|sql| sql.push(suspect)).await?.pop())
    }

    /// Claims one feed, due or not, for a set-up, whose own count covers the attempt; `None` when somebody polls it. Claims
    /// of set-ups that run side by side are written together.
    pub async fn claim_feed(&self, feed_id: FeedId) -> Result<Option<ClaimedFeed>> {
        let claiming = self.claims_for_set_ups.run(feed_id, async |feeds| self.claim_for_set_ups(feeds).await);
        Ok(self.deadline.io(claiming).await?.flatten())
    }

    async fn claim_for_set_ups(&self, feeds: Vec<FeedId>) -> Result<Vec<Option<ClaimedFeed>>> {
        let transaction = self.begin().await?;
        let asked = List(in_few_lengths(feeds.iter().map(|feed| feed.0)));
        let mut sql = self.sql_with("select * from feed where feed_id in ? and ", asked);
        sql.unleased(self.leases.now());
        let found = lock_feeds(&transaction, sql).await?;
        self.lease(&transaction, DueTable::Feeds, found.iter().map(|row| row.feed_id), 0).await?;
        transaction.commit().await?;
        let mut claimed: HashMap<FeedId, ClaimedFeed> =
            claimed(found)?.into_iter().map(|claimed| (claimed.feed.feed_id, claimed)).collect();
        Ok(feeds.iter().map(|feed_id| claimed.remove(feed_id)).collect())
    }

    /// Wakes feeds at rest that have a reader again, such as those of radars whose pause has ended.
    pub async fn wake_feeds(&self) -> Result<u64> {
        let wake = format!(
            "update feed set next_poll_at = ? where feed_id in (
            select f.feed_id from feed f where f.next_poll_at is null and {}",
            has_reader(&is_reading())
        );
        let mut sql = self.sql_with(&wake, self.leases.now());
        self.deadline.io(sql.lock_skipping().push(")").run(&self.write)).await
    }

    /// Claims those of the due feeds that `wanted` says, in its order. The condition is evaluated again once a row is locked.
    async fn claim_feeds(&self, wanted: impl Fn(&mut Sql) -> &mut Sql) -> Result<Vec<ClaimedFeed>> {
        let read = self.in_transaction(async |transaction| {
            let now = self.leases.now();
            let mut due =
                self.sql_with("select * from feed where next_poll_at is not null and next_poll_at <= ? and ", now);
            due.unleased(now).push(&self.ours(DueTable::Feeds));
            wanted(&mut due);
            let found = lock_feeds(transaction, due).await?;
            // A separate statement after the locks: a new reader must lock the feed too, so it is either seen here or
            // comes later and wakes the feed.
            let ids: Vec<Uuid> = found.iter().map(|row| row.feed_id).collect();
            let read = self.read_feeds(transaction, &ids).await?;
            let (read, unread): (Vec<_>, Vec<_>) = found.into_iter().partition(|row| read.contains(&row.feed_id));
            self.lease(transaction, DueTable::Feeds, read.iter().map(|row| row.feed_id), 1).await?;
            self.lay_to_rest(transaction, unread.iter().map(|row| row.feed_id)).await?;
            Ok(read)
        });
        claimed(read.await?)
    }

    /// Those of the feeds that have a reader.
    async fn read_feeds(&self, transaction: &WriteTransaction, ids: &[Uuid]) -> Result<Vec<Uuid>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let read = format!("select f.feed_id from feed f where f.feed_id in ? and {}", has_reader(&is_reading()));
        transaction.all(&read, List(in_few_lengths(ids.iter().copied()))).await
    }

    async fn lay_to_rest(
        &self,
        transaction: &WriteTransaction,
        ids: impl ExactSizeIterator<Item = Uuid>,
    ) -> Result<()> {
        if ids.len() == 0 {
            return Ok(());
        }
        let rest = "update feed set next_poll_at = null, lease_until = null where feed_id in ?";
        transaction.run(rest, List(in_few_lengths(ids))).await.map(drop)
    }
}

async fn lock_feeds(transaction: &WriteTransaction, mut sql: Sql) -> Result<Vec<feed::Model>> {
    sql.lock_skipping().models(transaction).await
}

fn claimed(found: Vec<feed::Model>) -> Result<Vec<ClaimedFeed>> {
    let claim = |row: feed::Model| {
        let claim = Claim::next(row.feed_id, row.lease_no, row.open_attempts);
        Ok(ClaimedFeed { feed: feed_row(row)?, claim })
    };
    found.into_iter().map(claim).collect()
}

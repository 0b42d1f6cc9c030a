//! The claims by which one process at a time polls a feed (decision 7.3), and when the next is due.
//!
//! Feeds are found by `next_poll_at` alone. A claim moves it to the end of the lease, so the feeds of a dead process become
//! due again by themselves. A due feed without a reader is put to rest instead of being claimed; its next reader wakes it.
//! A poll is counted when it is claimed, before it is made; one that is given back unmade is counted no more.

use std::collections::HashMap;
use std::time::Duration;

use entity::feed;
use sea_orm::Value;
use uuid::Uuid;

use super::watching::{has_reader, is_reading};
use super::{FeedRow, feed_row};
use crate::database::statement::{Sql, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;
use crate::{NextDue, Store, StoreError};
use domain::ids::FeedId;

/// A feed that this process alone may poll until its lease ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedFeed {
    /// The feed as it stood before the claim.
    pub feed: FeedRow,
    /// The number of the claim; a result under an older number is rejected.
    pub lease_no: i64,
}

/// A claim whose poll is not begun now, and after how long it is due again.
pub(crate) type PutOffPoll = (ClaimedFeed, Duration);

/// When the next feed without an open attempt is due, and the next with one. It runs often, so both databases must answer
/// it from an index.
pub const NEXT_POLLS: &str = "select
    (select min(next_poll_at) from feed where next_poll_at is not null and open_attempts = 0) as due_at,
    (select min(next_poll_at) from feed where next_poll_at is not null and open_attempts > 0) as suspect_at, ";

impl Store {
    /// How long it is until feeds that somebody may read are due.
    pub async fn next_polls(&self) -> Result<NextDue, StoreError> {
        self.next_due(NEXT_POLLS).await
    }

    /// Claims feeds whose poll is due, that no open attempt makes suspect and that somebody reads.
    pub async fn claim_due_feeds(&self, limit: u64) -> Result<Vec<ClaimedFeed>, StoreError> {
        let unsuspected = " and open_attempts = 0 order by next_poll_at limit ";
        self.claim_feeds(|sql| sql.push(unsuspected).count(limit.min(1 << 20))).await
    }

    /// Claims one due feed whose last attempt did not end.
    pub async fn claim_suspect_feed(&self) -> Result<Option<ClaimedFeed>, StoreError> {
        let suspect = " and open_attempts > 0 order by open_attempts, next_poll_at limit 1";
        Ok(self.claim_feeds(|sql| sql.push(suspect)).await?.pop())
    }

    /// Claims one feed, due or not, for a set-up, whose own count covers the attempt; `None` when somebody polls it. Claims
    /// of set-ups that run side by side are written together.
    pub async fn claim_feed(&self, feed_id: FeedId) -> Result<Option<ClaimedFeed>, StoreError> {
        let claiming = self.claims_for_set_ups.run(feed_id, async |feeds| self.claim_for_set_ups(feeds).await);
        Ok(self.clock.io(claiming).await?.flatten())
    }

    async fn claim_for_set_ups(&self, feeds: Vec<FeedId>) -> Result<Vec<Option<ClaimedFeed>>, StoreError> {
        let transaction = self.begin().await?;
        let mut sql = self.sql("select * from feed where feed_id in ");
        sql.bind_list(in_few_lengths(feeds.iter().map(|feed| feed.0)));
        sql.push(" and (lease_until is null or lease_until <= ").now(self.leases.now()).push(")");
        let found = lock_feeds(&transaction, sql).await?;
        let ids: Vec<Uuid> = found.iter().map(|row| row.feed_id).collect();
        self.lease_feeds(&transaction, &ids, 0).await?;
        transaction.commit().await?;
        let mut claimed: HashMap<FeedId, ClaimedFeed> =
            claimed(found)?.into_iter().map(|claimed| (claimed.feed.feed_id, claimed)).collect();
        Ok(feeds.iter().map(|feed_id| claimed.remove(feed_id)).collect())
    }

    /// Keeps a claim for longer; `false` when it had been lost.
    pub async fn renew_claim(&self, claimed: &ClaimedFeed) -> Result<bool, StoreError> {
        let mut sql = self.sql("update feed set ");
        sql.leased(&self.leases, "next_poll_at").push(" where feed_id = ").bind(claimed.feed.feed_id.0);
        sql.push(" and lease_no = ").bind(claimed.lease_no);
        Ok(self.clock.io(sql.run(&self.write)).await? > 0)
    }

    /// Gives claims back as if they had never been made: the polls are due at once, and nothing is counted.
    pub async fn release_feeds(&self, claimed: &[ClaimedFeed]) -> Result<(), StoreError> {
        let at_once = claimed.iter().map(|claimed| (claimed.clone(), Duration::ZERO));
        self.clock.io(self.put_off_polls(at_once.collect())).await.map(drop)
    }

    /// Gives a claim back whose poll was not begun; it is due again after `later`, and nothing is counted. Claims that are
    /// given back at the same time are written together.
    pub async fn put_off_poll(&self, claimed: &ClaimedFeed, later: Duration) -> Result<(), StoreError> {
        let put_off = (claimed.clone(), later);
        let writing = self.put_off_polls.run(put_off, async |put_off| self.put_off_polls(put_off).await);
        self.clock.io(writing).await.map(drop)
    }

    async fn put_off_polls(&self, mut put_off: Vec<PutOffPoll>) -> Result<Vec<()>, StoreError> {
        // In one order, so that two processes never wait for one another.
        put_off.sort_by_key(|(claimed, _)| claimed.feed.feed_id);
        let transaction = self.begin().await?;
        for (ClaimedFeed { feed, lease_no }, later) in &put_off {
            let mut sql = self.sql("update feed set lease_until = null, open_attempts = ");
            sql.bind(i64::from(feed.open_attempts))
                .push(", next_poll_at = case when next_poll_at is null then null else ");
            sql.now_after(self.leases.now(), *later).push(" end where feed_id = ").bind(feed.feed_id.0);
            sql.push(" and lease_no = ").bind(*lease_no).run(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(vec![(); put_off.len()])
    }

    /// Wakes feeds at rest that have a reader again, such as those of radars whose pause has ended.
    pub async fn wake_feeds(&self) -> Result<u64, StoreError> {
        let mut sql = self.sql("update feed set next_poll_at = ");
        sql.now(self.leases.now());
        sql.push(" where feed_id in (select f.feed_id from feed f where f.next_poll_at is null and ");
        sql.push(&has_reader(&is_reading())).lock_skipping().push(")");
        self.clock.io(sql.run(&self.write)).await
    }

    /// Claims those of the due feeds that `wanted` says, in its order. The condition is evaluated again once a row is locked.
    async fn claim_feeds(&self, wanted: impl Fn(&mut Sql) -> &mut Sql) -> Result<Vec<ClaimedFeed>, StoreError> {
        let read = self.in_transaction(async |transaction| {
            let now = self.leases.now();
            let mut due = self.sql("select * from feed where next_poll_at is not null and next_poll_at <= ");
            due.now(now).push(" and (lease_until is null or lease_until <= ").now(now).push(")");
            wanted(&mut due);
            let found = lock_feeds(transaction, due).await?;
            // A separate statement after the locks: a new reader must lock the feed too, so it is either seen here or
            // comes later and wakes the feed.
            let ids: Vec<Uuid> = found.iter().map(|row| row.feed_id).collect();
            let read = self.read_feeds(transaction, &ids).await?;
            let (read, unread): (Vec<_>, Vec<_>) = found.into_iter().partition(|row| read.contains(&row.feed_id));
            self.lease_feeds(transaction, &read.iter().map(|row| row.feed_id).collect::<Vec<_>>(), 1).await?;
            self.lay_to_rest(transaction, unread.iter().map(|row| row.feed_id)).await?;
            Ok(read)
        });
        claimed(read.await?)
    }

    async fn lease_feeds(&self, transaction: &WriteTransaction, ids: &[Uuid], attempts: i64) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        let mut sql = self.sql("update feed set ");
        sql.leased(&self.leases, "next_poll_at")
            .push(", lease_no = lease_no + 1, open_attempts = open_attempts + ")
            .bind(attempts);
        sql.push(" where feed_id in ").bind_list(in_few_lengths(ids.iter().copied()));
        sql.run(transaction).await.map(drop)
    }

    /// Those of the feeds that have a reader.
    async fn read_feeds(&self, transaction: &WriteTransaction, ids: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = self.sql("select f.feed_id from feed f where f.feed_id in ");
        sql.bind_list(in_few_lengths(ids.iter().copied())).push(" and ").push(&has_reader(&is_reading()));
        sql.all(transaction).await
    }

    async fn lay_to_rest(
        &self,
        transaction: &WriteTransaction,
        ids: impl ExactSizeIterator<Item = Uuid>,
    ) -> Result<(), StoreError> {
        if ids.len() == 0 {
            return Ok(());
        }
        let mut sql = self.sql("update feed set next_poll_at = null, lease_until = null where feed_id in ");
        sql.bind_list(in_few_lengths(ids)).run(transaction).await.map(drop)
    }
}

impl Sql {
    /// Appends that a feed is one of those under these claims. The feeds alone are looked up, since a database may read a
    /// whole table for pairs.
    pub(super) fn claims(&mut self, claims: impl IntoIterator<Item = (FeedId, i64)>) -> &mut Self {
        let claims = in_few_lengths(claims);
        self.push("feed_id in ").bind_list(claims.iter().map(|(feed_id, _)| feed_id.0));
        let claims =
            claims.into_iter().map(|(feed_id, lease_no)| -> [Value; 2] { [feed_id.0.into(), lease_no.into()] });
        self.push(" and (feed_id, lease_no) in (values ").bind_rows(claims).push(")")
    }
}

async fn lock_feeds(transaction: &WriteTransaction, mut sql: Sql) -> Result<Vec<feed::Model>, StoreError> {
    sql.lock_skipping().models(transaction).await
}

fn claimed(found: Vec<feed::Model>) -> Result<Vec<ClaimedFeed>, StoreError> {
    let claim = |row: feed::Model| {
        let lease_no = row.lease_no + 1;
        Ok(ClaimedFeed { feed: feed_row(row)?, lease_no })
    };
    found.into_iter().map(claim).collect()
}

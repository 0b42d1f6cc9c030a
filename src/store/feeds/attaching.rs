//! Feeds that radars get after their set-up, and lose when they are gone.

use uuid::Uuid;

use crate::database::{Run, Sql, in_order};
use crate::{Result, Store};
use domain::source_health::GONE_AFTER;
use domain::{DomainName, FailureClass, FeedId, RadarType};

/// A type by which a company is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedType {
    /// The type.
    pub radar_type: RadarType,
    /// Whether a radar of it has no feed, or none that is still there.
    pub has_unserved: bool,
}

in_order!(WatchedType { radar_type, has_unserved });

/// The radar `r` does not read the feed.
const LACKING: &str = " and not exists (select 1 from radar_feed rf where rf.radar_id = r.radar_id and rf.feed_id = ?)";
/// Radars `r` that are set up and watch the company.
const ON_COMPANY: &str =
    "from radar r where r.domain is not null and r.status = 'active' and r.set_up = 'ready' and r.domain = ?";

/// Companies with a radar `r` that reads a feed `f`; followed by what must hold of the two.
const READS_GONE: &str = "select distinct r.domain from feed f join radar_feed rf on rf.feed_id = f.feed_id
    join radar r on r.radar_id = rf.radar_id and r.domain is not null and r.status = 'active' and r.set_up = 'ready'
    where f.silent_micros > 0 and ";

/// Another feed answers the reader in `radar_feed`, and it has read this one to its end; followed by what must hold of such
/// a feed `f`.
const ANSWERED_ELSEWHERE: &str = " and exists (select 1 from radar_feed other join feed o on o.feed_id = other.feed_id
        where other.radar_id = radar_feed.radar_id and o.failure_class is null and o.succeeded_at is not null)
    and exists (select 1 from feed f where f.feed_id = radar_feed.feed_id and f.head_seq <= radar_feed.read_seq and ";

impl Store {
    /// The types by which radars that are set up watch the company with `domain`.
    pub async fn watched_types(&self, domain: &DomainName) -> Result<Vec<WatchedType>> {
        let served = format!("select r.radar_type, cast(max(case when {} then 0 else 1 end) as bigint) ", is_served());
        let mut sql = self.sql(&served);
        sql.add(ON_COMPANY, domain.as_str()).push(" group by r.radar_type order by r.radar_type");
        self.deadline.io(sql.all(&self.read)).await
    }

    /// Companies with a radar all of whose feeds are gone, at most `limit` of them.
    pub async fn all_domains_gone(&self, limit: u64) -> Result<Vec<DomainName>> {
        let gone = format!("{READS_GONE}{} and not {} order by r.domain limit ?", is_gone("f"), is_served());
        self.all(&gone, limit).await
    }

    /// Lets the radars of `radar_type` on the company with `domain` that another feed answers read those no more that are
    /// gone.
    pub async fn detach_gone(&self, domain: &DomainName, radar_type: RadarType) -> Result<u64> {
        let mut sql = self.sql("delete from radar_feed where radar_id in (select r.radar_id ");
        sql.of_type(domain, radar_type).push(")").push(ANSWERED_ELSEWHERE).push(&is_gone("f")).push(")");
        self.deadline.io(sql.run(&self.write)).await
    }

    /// Whether a radar of `radar_type` on the company with `domain` does not read the feed.
    pub async fn lacks_feed(&self, domain: &DomainName, radar_type: RadarType, feed_id: FeedId) -> Result<bool> {
        let mut sql = self.sql("select r.radar_id ");
        sql.of_type(domain, radar_type).add(LACKING, feed_id).push(" limit 1");
        Ok(self.deadline.io(sql.first::<Uuid>(&self.read)).await?.is_some())
    }

    /// Lets the radars of `radar_type` on the company with `domain` read the feed from behind `read_seq` on; answers how
    /// many did not yet. The feed is polled from now on, even if it was at rest.
    pub async fn attach_feed(
        &self,
        domain: &DomainName,
        radar_type: RadarType,
        feed_id: FeedId,
        read_seq: i64,
    ) -> Result<u64> {
        // The feed is locked first: a transaction that puts it to rest at this moment ends before, or sees the new reader.
        let wake = "update feed set next_poll_at = coalesce(next_poll_at, ?) where feed_id = ?";
        let attach = "insert into radar_feed (radar_id, feed_id, account_id, read_seq, filtered_items, older_items)
            select r.radar_id, ?, r.account_id, ?, 0, 0 ";
        let mut insert = self.sql_with(attach, (feed_id, read_seq));
        insert.of_type(domain, radar_type).add(LACKING, feed_id).push(" on conflict do nothing");
        self.in_transaction(async |transaction| {
            transaction.run(wake, (self.leases.now(), feed_id)).await?;
            insert.run(transaction).await
        })
        .await
    }
}

impl Sql {
    /// Appends the radars of one type on a company.
    fn of_type(&mut self, domain: &DomainName, radar_type: RadarType) -> &mut Self {
        self.add(ON_COMPANY, domain.as_str()).add(" and r.radar_type = ?", radar_type)
    }
}

/// That the target of a feed has not been there for a while.
fn is_gone(feed: &str) -> String {
    let (class, micros) = (FailureClass::Dead.as_str(), GONE_AFTER.num_microseconds().unwrap_or(i64::MAX));
    format!("({feed}.silent_micros >= {micros} and {feed}.failure_class = '{class}')")
}

/// That the radar `r` has a feed that is there.
fn is_served() -> String {
    let is_gone = is_gone("served");
    format!(
        "exists (select 1 from radar_feed reads join feed served on served.feed_id = reads.feed_id
        where reads.radar_id = r.radar_id and not {is_gone})"
    )
}

//! Feeds that radars get after their set-up, and lose when they are gone.

use sea_orm::{ConnectionTrait, Statement, Value};

use crate::domain::ids::FeedId;
use crate::domain::radar_type::RadarType;
use crate::domain::source_health::{FailureClass, GONE_AFTER};
use crate::domain::targets::DomainName;
use crate::store::database::rows;
use crate::store::database::statement::Sql;
use crate::store::{Store, StoreError};

/// A type by which a company is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedType {
    /// The type.
    pub radar_type: RadarType,
    /// Whether a radar of it has no feed, or none that is still there.
    pub has_unserved: bool,
}

/// The types of the radars on the company `$1`, around the condition that a radar is served.
const WATCHED: [&str; 2] = [
    "select r.radar_type, cast(max(case when ",
    " then 0 else 1 end) as bigint) as has_unserved
    from radar r where r.domain = $1 and r.domain is not null and r.status = 'active' and r.set_up = 'ready'
    group by r.radar_type order by r.radar_type",
];

/// Companies with a radar `r` that reads a feed `f`; followed by what must hold of the two.
const READS_GONE: &str = "select distinct r.domain from feed f join radar_feed rf on rf.feed_id = f.feed_id
    join radar r on r.radar_id = rf.radar_id and r.domain is not null and r.status = 'active' and r.set_up = 'ready'
    where f.silent_micros > 0 and ";

/// Takes feeds from the radars of type `$2` on the company `$1` that another feed answers, once they are read to their end;
/// followed by what must hold of such a feed `f`.
const DETACH_GONE: &str = "delete from radar_feed where radar_id in (
        select r.radar_id from radar r where r.domain = $1 and r.domain is not null and r.status = 'active'
        and r.set_up = 'ready' and r.radar_type = $2)
    and exists (select 1 from radar_feed other join feed o on o.feed_id = other.feed_id
        where other.radar_id = radar_feed.radar_id and o.failure_class is null and o.succeeded_at is not null)
    and exists (select 1 from feed f where f.feed_id = radar_feed.feed_id and f.head_seq <= radar_feed.read_seq and ";

/// The radars of one type on the company `$1` that do not read the feed `$3`.
const LACKING: &str = "from radar r where r.domain = $1 and r.domain is not null and r.status = 'active'
    and r.set_up = 'ready' and r.radar_type = $2
    and not exists (select 1 from radar_feed rf where rf.radar_id = r.radar_id and rf.feed_id = $3)";

impl Store {
    /// The types by which radars that are set up watch the company with `domain`.
    pub async fn watched_types(&self, domain: &DomainName) -> Result<Vec<WatchedType>, StoreError> {
        let backend = self.read.get_database_backend();
        let watched = WATCHED.join(&is_served());
        let statement = Statement::from_sql_and_values(backend, watched, [domain.as_str().into()]);
        let found = self.clock.io(self.read.query_all_raw(statement)).await?;
        let watched = found.into_iter().map(|row| {
            let radar_type: String = row.try_get("", "radar_type")?;
            let has_unserved = row.try_get::<i64>("", "has_unserved")? > 0;
            let radar_type = rows::closed("radar", &radar_type)?;
            Ok(WatchedType { radar_type, has_unserved })
        });
        watched.collect()
    }

    /// Companies with a radar all of whose feeds are gone, at most `limit` of them.
    pub async fn all_domains_gone(&self, limit: u64) -> Result<Vec<DomainName>, StoreError> {
        let mut sql = Sql::new(self.read.get_database_backend());
        sql.push(READS_GONE).push(&is_gone("f")).push(" and not ").push(&is_served());
        sql.push(" order by r.domain limit ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let found = self.clock.io(self.read.query_all_raw(sql.finish())).await?;
        found.into_iter().map(|row| Ok(DomainName::from_stored(row.try_get("", "domain")?))).collect()
    }

    /// Lets the radars of `radar_type` on the company with `domain` that another feed answers read those no more that are
    /// gone.
    pub async fn detach_gone(&self, domain: &DomainName, radar_type: RadarType) -> Result<u64, StoreError> {
        let sql = format!("{DETACH_GONE}{})", is_gone("f"));
        let values = [domain.as_str().into(), radar_type.as_str().into()];
        let statement = Statement::from_sql_and_values(self.write.get_database_backend(), sql, values);
        Ok(self.clock.io(self.write.execute_raw(statement)).await?.rows_affected())
    }

    /// Whether a radar of `radar_type` on the company with `domain` does not read the feed.
    pub async fn lacks_feed(
        &self,
        domain: &DomainName,
        radar_type: RadarType,
        feed_id: FeedId,
    ) -> Result<bool, StoreError> {
        let sql = format!("select 1 {LACKING} limit 1");
        let values = lacking_values(domain, radar_type, feed_id);
        let statement = Statement::from_sql_and_values(self.read.get_database_backend(), sql, values);
        Ok(self.clock.io(self.read.query_one_raw(statement)).await?.is_some())
    }

    /// Lets the radars of `radar_type` on the company with `domain` read the feed from behind `read_seq` on; answers how
    /// many did not yet. The feed is polled from now on, even if it was at rest.
    pub async fn attach_feed(
        &self,
        domain: &DomainName,
        radar_type: RadarType,
        feed_id: FeedId,
        read_seq: i64,
    ) -> Result<u64, StoreError> {
        let backend = self.write.get_database_backend();
        let insert = format!(
            "insert into radar_feed (radar_id, feed_id, account_id, read_seq)
            select r.radar_id, $3, r.account_id, $4 {LACKING} on conflict do nothing"
        );
        let values = lacking_values(domain, radar_type, feed_id).into_iter().chain([read_seq.into()]);
        let insert = Statement::from_sql_and_values(backend, insert, values);
        // The feed is locked first: a transaction that puts it to rest at this moment ends before, or sees the new reader.
        let mut wake = Sql::new(backend);
        wake.push("update feed set next_poll_at = coalesce(next_poll_at, ").now(self.leases.now());
        wake.push(") where feed_id = ").bind(feed_id.0);
        self.clock
            .io(async {
                let transaction = self.begin().await?;
                transaction.execute_raw(wake.finish()).await?;
                let attached = transaction.execute_raw(insert).await?.rows_affected();
                transaction.commit().await?;
                Ok(attached)
            })
            .await
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

fn lacking_values(domain: &DomainName, radar_type: RadarType, feed_id: FeedId) -> [Value; 3] {
    [domain.as_str().into(), radar_type.as_str().into(), feed_id.0.into()]
}

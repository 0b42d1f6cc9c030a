//! Feeds that radars get after their set-up.

use sea_orm::{ConnectionTrait, Statement, Value};

use crate::domain::ids::FeedId;
use crate::domain::radar_type::RadarType;
use crate::domain::targets::DomainName;
use crate::store::database::rows;
use crate::store::database::statement::Sql;
use crate::store::{Store, StoreError};

/// A type by which a company is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedType {
    /// The type.
    pub radar_type: RadarType,
    /// Whether a radar of it has no feed at all.
    pub has_unserved: bool,
}

const WATCHED: &str = "select r.radar_type,
    cast(max(case when exists (select 1 from radar_feed rf where rf.radar_id = r.radar_id) then 0 else 1 end)
        as bigint) as has_unserved
    from radar r where r.domain = $1 and r.domain is not null and r.status = 'active' and r.set_up = 'ready'
    group by r.radar_type order by r.radar_type";

/// The radars of one type on the company `$1` that do not read the feed `$3`.
const LACKING: &str = "from radar r where r.domain = $1 and r.domain is not null and r.status = 'active'
    and r.set_up = 'ready' and r.radar_type = $2
    and not exists (select 1 from radar_feed rf where rf.radar_id = r.radar_id and rf.feed_id = $3)";

impl Store {
    /// The types by which radars that are set up watch the company with `domain`.
    pub async fn watched_types(&self, domain: &DomainName) -> Result<Vec<WatchedType>, StoreError> {
        let backend = self.read.get_database_backend();
        let statement = Statement::from_sql_and_values(backend, WATCHED, [domain.as_str().into()]);
        let found = self.clock.io(self.read.query_all_raw(statement)).await?;
        let watched = found.into_iter().map(|row| {
            let radar_type: String = row.try_get("", "radar_type")?;
            let has_unserved = row.try_get::<i64>("", "has_unserved")? > 0;
            let radar_type = rows::closed("radar", &radar_type, |text| text.parse().ok())?;
            Ok(WatchedType { radar_type, has_unserved })
        });
        watched.collect()
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

fn lacking_values(domain: &DomainName, radar_type: RadarType, feed_id: FeedId) -> [Value; 3] {
    [domain.as_str().into(), radar_type.as_str().into(), feed_id.0.into()]
}

//! Who reads a feed, for log lines about it.

use crate::{Store, StoreError};
use domain::ids::FeedId;

/// Readers whose domains are looked at: of a feed for everybody there may be very many.
const LOOKED_AT: u64 = 100;

/// The readers of a feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedReaders {
    /// How many radars have it attached, ended ones included.
    pub radars: i64,
    /// The domain that they watch; `None` when it is not the same, or none.
    pub domain: Option<String>,
}

impl Store {
    /// The readers of a feed.
    pub async fn feed_readers(&self, feed_id: FeedId) -> Result<FeedReaders, StoreError> {
        let mut count = self.sql("select count(*) from radar_feed where feed_id = ");
        let radars = self.deadline.io(count.bind(feed_id.0).first(&self.read)).await?.unwrap_or_default();
        let mut domains = self.sql(
            "select distinct domain from radar where radar_id in (
            select radar_id from radar_feed where feed_id = ",
        );
        domains.bind(feed_id.0).push(" limit ").count(LOOKED_AT).push(") limit 2");
        let mut domains: Vec<Option<String>> = self.deadline.io(domains.all(&self.read)).await?;
        let domain = domains.pop().flatten().filter(|_| domains.is_empty());
        Ok(FeedReaders { radars, domain })
    }
}

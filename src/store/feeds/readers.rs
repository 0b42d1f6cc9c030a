//! Who reads a feed, for log lines about it.

use crate::{Result, Store};
use domain::FeedId;

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
    pub async fn feed_readers(&self, feed_id: FeedId) -> Result<FeedReaders> {
        let count = self.first("select count(*) from radar_feed where feed_id = ?", feed_id).await?;
        let radars = count.unwrap_or_default();
        let domains = "select distinct domain from radar where radar_id in (
            select radar_id from radar_feed where feed_id = ? limit ?) limit 2";
        let mut domains: Vec<Option<String>> = self.all(domains, (feed_id, LOOKED_AT)).await?;
        let domain = domains.pop().flatten().filter(|_| domains.is_empty());
        Ok(FeedReaders { radars, domain })
    }
}

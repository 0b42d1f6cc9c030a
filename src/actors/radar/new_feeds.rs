//! Feeds that are found after the set-up of a radar. What they show when it gets them is its silent baseline (decision 7.2).
//!
//! Duty: which radars lack which feeds. Never here: when a company is looked at again (`profiles`).

use std::sync::Arc;

use crate::actors::feeds::{PollFailure, ScannerHandle};
use crate::domain::ids::FeedId;
use crate::domain::radar::set_up::Obstacle;
use crate::domain::targets::profile::CompanyProfile;
use crate::domain::targets::{DomainName, Target};
use crate::outbound::fetch::Web;
use crate::sources::{self, Catalog, FeedKey};
use crate::store::{Store, StoreError, WatchedType};

/// Gives radars the feeds that their companies have got since their set-up. Lives on the actors' thread.
#[derive(Clone)]
pub struct NewFeeds {
    /// The database.
    pub store: Arc<Store>,
    /// Fetches from companies' sites.
    pub web: Web,
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// Polls feeds.
    pub scanner: ScannerHandle,
}

impl NewFeeds {
    /// Gives the radars that watch the company with `domain` the feeds that they lack; answers how many they gained.
    ///
    /// # Errors
    /// A [`StoreError`].
    pub async fn attach(&self, domain: &DomainName) -> Result<u64, StoreError> {
        let profile = self.store.company_profile(domain).await?.map(|known| known.profile);
        let mut gained = 0;
        for watched in self.store.watched_types(domain).await? {
            for key in self.feeds(domain, watched, profile.as_ref()).await {
                gained += self.attach_feed(domain, watched, &key).await?;
            }
        }
        if gained > 0 {
            self.scanner.look();
        }
        Ok(gained)
    }

    /// The feeds that serve a type now. The site itself is searched for radars that have none: a provider serves them, and
    /// the site did not answer at their set-up.
    async fn feeds(&self, domain: &DomainName, watched: WatchedType, profile: Option<&CompanyProfile>) -> Vec<FeedKey> {
        let target = Target::Company { domain: domain.clone() };
        if watched.has_unserved && self.catalog.has_push_source(watched.radar_type) {
            let found = sources::discover(&self.web, &self.catalog, watched.radar_type, &target, profile).await;
            return found.unwrap_or_default();
        }
        match sources::needs_profile(&self.catalog, watched.radar_type) {
            true => sources::named_feeds(&self.catalog, watched.radar_type, &target, profile),
            false => Vec::new(),
        }
    }

    async fn attach_feed(&self, domain: &DomainName, watched: WatchedType, key: &FeedKey) -> Result<u64, StoreError> {
        let (radar_type, now) = (watched.radar_type, self.web.now());
        let feed_id = FeedId::of(&key.source_id, &key.token);
        if !self.store.lacks_feed(domain, radar_type, feed_id).await? {
            return Ok(0);
        }
        self.store.ensure_feed(&key.source_id, &key.token, now).await?;
        let read_seq = match self.scanner.poll_since(feed_id, now).await {
            Ok(head_seq) => head_seq,
            // It is polled until it answers.
            Err(PollFailure::Source { obstacle: Obstacle::Unreachable, .. }) => {
                self.store.feed(feed_id).await?.map_or(0, |feed| feed.head_seq)
            }
            Err(_) => return Ok(0),
        };
        let gained = self.store.attach_feed(domain, radar_type, feed_id, read_seq).await?;
        tracing::info!(domain = domain.as_str(), source = %key.source_id, gained, "radars get a feed that was found later");
        Ok(gained)
    }
}

//! Feeds that are found after the set-up of a radar, beside its own or in place of those that are gone. What they show when
//! it gets them is its silent baseline (decision 7.2).
//!
//! Duty: which radars lack which feeds. Never here: when a company is looked at again (`profiles`).

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use super::parts::RadarParts;
use crate::feeds::PollFailure;
use domain::{Category, CompanyProfile, DomainName, FeedId, Obstacle, Target};
use sources::{self, FeedKey};
use store::{StoreError, WatchedType};

/// How many companies are looked at at the same time.
const AT_ONCE: usize = 4;

/// Gives the radars that watch the company with `domain` the feeds that they lack; answers how many they gained.
pub async fn attach(parts: &RadarParts, domain: &DomainName) -> Result<u64, StoreError> {
    let profile = parts.store.company_profile(domain).await?.map(|known| known.profile);
    let mut gained = 0;
    for watched in parts.store.watched_types(domain).await? {
        let mut of_type = 0;
        for key in feeds(parts, domain, watched, profile.as_ref()).await {
            of_type += attach_feed(parts, domain, watched, &key).await?;
        }
        if of_type > 0 && watched.has_unserved {
            // A board that comes back would show the same postings once more.
            parts.store.detach_gone(domain, watched.radar_type).await?;
        }
        gained += of_type;
    }
    if gained > 0 {
        parts.scanner.kick();
    }
    Ok(gained)
}

/// Looks for other feeds for companies with radars all of whose feeds are gone; answers at how many it has looked.
pub async fn replace_gone(parts: &RadarParts, limit: u64) -> Result<usize, StoreError> {
    let domains = parts.store.all_domains_gone(limit).await?;
    let attaching = stream::iter(domains.iter().map(|domain| attach(parts, domain)));
    attaching.buffer_unordered(AT_ONCE).try_for_each(async |_| Ok(())).await?;
    Ok(domains.len())
}

/// The feeds that serve a type now. The site itself is searched for radars that have none: their feeds are gone, or a
/// provider serves them and the site did not answer at their set-up.
async fn feeds(
    parts: &RadarParts,
    domain: &DomainName,
    watched: WatchedType,
    profile: Option<&CompanyProfile>,
) -> Vec<FeedKey> {
    let target = Target::Company { domain: domain.clone() };
    if watched.has_unserved && watched.radar_type.category() == Category::Company {
        let found = sources::discover(&parts.web, &parts.catalog, watched.radar_type, &target, profile).await;
        return found.unwrap_or_default();
    }
    match sources::needs_profile(&parts.catalog, watched.radar_type) {
        true => sources::named_feeds(&parts.catalog, watched.radar_type, &target, profile),
        false => Vec::new(),
    }
}

async fn attach_feed(
    parts: &RadarParts,
    domain: &DomainName,
    watched: WatchedType,
    key: &FeedKey,
) -> Result<u64, StoreError> {
    let (radar_type, now) = (watched.radar_type, parts.web.now());
    let feed_id = FeedId::of(&key.source_id, &key.token);
    if !parts.store.lacks_feed(domain, radar_type, feed_id).await? {
        return Ok(0);
    }
    let host = sources::host_of(&parts.catalog, key);
    parts.store.ensure_feed(&key.source_id, &key.token, &host, now).await?;
    let read_seq = match parts.scanner.poll_since(feed_id, now).await {
        Ok(head_seq) => head_seq,
        // It is polled until it answers.
        Err(PollFailure::Source { obstacle: Obstacle::Unreachable, .. }) => {
            parts.store.feed(feed_id).await?.map_or(0, |feed| feed.head_seq)
        }
        Err(_) => return Ok(0),
    };
    let gained = parts.store.attach_feed(domain, radar_type, feed_id, read_seq).await?;
    tracing::info!(domain = domain.as_str(), source = %key.source_id, gained, "radars get a feed that was found later");
    Ok(gained)
}

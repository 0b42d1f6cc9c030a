//! Sources: where findings come from (decisions 7.1 to 7.5).
//!
//! Duty: source files and the engines that run them, the search for a target's sources, extraction and classification.
//! Never here: what a radar does with an item, or a write to the store.

mod announced_index;
mod announced_move;
mod bounds;
mod check;
mod classification;
mod discovery;
mod engines;
mod extraction;
mod feed;
mod feed_host;
mod format;
mod item;
mod matching;
mod mentions;
mod overlap;
mod own_feeds;
#[doc(hidden)]
pub mod readers;
mod shared_answers;
mod target_values;
mod text;

#[cfg(test)]
mod tests;

pub use check::{check, read_answer};
pub use classification::country::country_of_place;
pub use classification::{departments_of, role_of, seniorities_of};
pub use discovery::{
    DiscoveryError, accounts_of_person, discover, is_served, named_feeds, needs_profile, off_without_contact,
    profile_of, served_if,
};
pub use extraction::headlines::{Funding, Move, PersonMove, PersonName, funding, person_move, person_name};
pub use feed::{FeedKey, FeedPoll, Known, PollError};
pub use feed_host::host_of;
pub use format::catalog::Catalog;
pub use format::source::{Source, SourceKind, Terms};
pub use format::source_file::SourceFileError;
pub use item::{FoundItem, ReadPage};
pub use mentions::{Ambiguity, MentionEvidence, Mentioned};
pub use own_feeds::{FeedUse, OwnFeed, OwnFeedError, OwnFile, feeds_of_opml};
pub use target_values::{TargetValues, feeds_from};
pub use text::excerpt::excerpt;

use engines::{list, posting_pages, team_page};
use outbound::fetch::{ReadHolder, Web};

/// Polls `feed`: on the first poll all that is there is the silent baseline, later what is not known is new
/// (decision 7.2).
///
/// Where nothing is there any more of what is known, the feed is looked at once more, if it may be: a busy feed then shows
/// some of the same again, and one whose ids never repeat has changed its shape.
pub async fn poll_feed(web: &Web, catalog: &Catalog, feed: &FeedKey, known: Known) -> Result<FeedPoll, PollError> {
    let poll = look_at(web, catalog, feed, known.clone()).await?;
    let may_look_again = || catalog.get(&feed.source_id).is_some_and(Source::may_be_looked_at_twice);
    if poll.has_turned_over(&known) && may_look_again() {
        let second = Known { first_poll: true, is_second_look: true, ..Known::default() };
        if !poll.is_shared_with(&look_at(web, catalog, feed, second).await?) {
            return Err(PollError::Unreadable("two looks at once have no item in common".into()));
        }
    }
    Ok(poll)
}

async fn look_at(web: &Web, catalog: &Catalog, feed: &FeedKey, known: Known) -> Result<FeedPoll, PollError> {
    let no_such_source = || PollError::NoSuchSource(feed.source_id.clone());
    let web = &web.on_behalf_of(ReadHolder::Host(host_of(catalog, feed)));
    let source = catalog.get(&feed.source_id).filter(|source| source.is_enabled()).ok_or_else(no_such_source)?;
    let known_ids = known.ids.clone();
    let poll = match &source.kind {
        SourceKind::List(source) => list::poll(web, source, &feed.token, known).await,
        SourceKind::CareersPage => posting_pages::poll_careers_page(web, &source.id, &feed.token, known).await,
        SourceKind::Sitemap => posting_pages::poll_sitemap(web, &source.id, &feed.token, known).await,
        SourceKind::TeamPage(radar_type) => team_page::poll(web, *radar_type, &feed.token, known).await,
        SourceKind::Push => Err(no_such_source()),
    };
    poll.map(|poll| poll.storable(&known_ids))
}

#[cfg(test)]
#[path = "../../tests/it/support/dice.rs"]
mod dice;
#[cfg(test)]
#[path = "../../tests/support/pieces.rs"]
mod pieces;
#[cfg(test)]
#[path = "../../tests/support/worst_headlines.rs"]
mod worst_headlines;

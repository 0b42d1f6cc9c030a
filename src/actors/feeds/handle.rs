//! The way to the scanner.

use chrono::{DateTime, Utc};

use super::{ScannerMessage, SourceFigures};
use crate::runtime::mailbox::Mailbox;
use clock::Clock;
use domain::ids::FeedId;
use domain::radar::set_up::Obstacle;

/// Why a poll for a set-up failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PollFailure {
    /// The source could not be read.
    #[error("{message}")]
    Source {
        /// What went wrong, in a sentence.
        message: String,
        /// What that says about the target.
        obstacle: Obstacle,
    },
    /// The source was not asked: another process has the feed, the queue is full, or the database is away. Ask again
    /// later.
    #[error("the feed cannot be polled now")]
    NotNow,
}

/// The way to the scanner.
#[derive(Clone)]
pub struct ScannerHandle {
    pub(super) mailbox: Mailbox<ScannerMessage>,
    pub(super) clock: Clock,
    pub(super) figures: SourceFigures,
}

impl ScannerHandle {
    /// The figures of the sources.
    pub fn figures(&self) -> &SourceFigures {
        &self.figures
    }

    /// Makes sure that a feed was polled at or after `since`, and answers with the last number of its log.
    pub async fn poll_since(&self, feed_id: FeedId, since: DateTime<Utc>) -> Result<i64, PollFailure> {
        let polled = self.mailbox.ask(|answer| ScannerMessage::PollSince { feed_id, since, answer }).await;
        polled.ok().flatten().unwrap_or(Err(PollFailure::NotNow))
    }

    /// Says that a feed may be due.
    pub fn look(&self) {
        self.mailbox.notify(ScannerMessage::Look);
    }

    /// Says that a pause has ended: its radars have items to read, and feeds to be polled.
    pub fn resume(&self) {
        self.mailbox.notify(ScannerMessage::Resume);
    }

    /// Begins no poll any more, and waits until none is under way.
    pub async fn drain(&self) {
        // A scanner that is gone polls nothing.
        self.clock.hold(self.mailbox.ask_always(ScannerMessage::Drain)).await;
    }

    /// Cuts off what is under way and gives its claims back, so that it does not count as an attempt that never ended.
    pub async fn cancel(&self) {
        self.clock.hold(self.mailbox.ask_always(ScannerMessage::Cancel)).await;
    }
}

//! What this process did in each minute of the last hour, as far as it has run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use crate::web::Shared;
use actors::feeds::SourceFigures;
use domain::delivery::Outcome;

const MINUTE: Duration = Duration::from_secs(60);
/// Minutes that are kept.
const MINUTES_MAX: usize = 60;

/// The last minutes, the oldest first. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Activity {
    minutes: Arc<Mutex<VecDeque<Ended>>>,
}

/// When a minute ended, and what was done in it.
pub(super) type Ended = (DateTime<Utc>, Counts);

/// How often something was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) findings: u64,
    pub(super) charges: u64,
    pub(super) renewals: u64,
    pub(super) deliveries: u64,
    pub(super) polls: u64,
}

impl Counts {
    /// What has been counted since the start.
    fn of(sources: &SourceFigures, shared: &Shared) -> Self {
        let sources = sources.counts();
        let outcomes = shared.dispatcher.figures().outcomes();
        Self {
            findings: sources.values().map(|counts| counts.findings).sum(),
            charges: shared.ledger.figures().charges(),
            renewals: shared.ledger.figures().renewals(),
            deliveries: outcomes.filter(|(outcome, _)| *outcome == Outcome::Ok).map(|(_, count)| count).sum(),
            polls: sources.values().map(|counts| counts.polls).sum(),
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            findings: self.findings.saturating_sub(before.findings),
            charges: self.charges.saturating_sub(before.charges),
            renewals: self.renewals.saturating_sub(before.renewals),
            deliveries: self.deliveries.saturating_sub(before.deliveries),
            polls: self.polls.saturating_sub(before.polls),
        }
    }
}

impl Activity {
    /// Notes each minute of the machine's time, for as long as this thread runs: a simulated clock is not moved by it.
    pub(super) async fn keep(self, sources: SourceFigures, shared: Shared) {
        let mut timer = shared.clock.real_timer(MINUTE);
        let mut before = Counts::of(&sources, &shared);
        loop {
            (&mut timer).await;
            timer.restart(MINUTE);
            let now = Counts::of(&sources, &shared);
            let mut minutes = self.minutes.lock();
            minutes.push_back((shared.clock.now(), now.since(before)));
            if minutes.len() > MINUTES_MAX {
                minutes.pop_front();
            }
            before = now;
        }
    }

    /// The minutes, the oldest first.
    pub(super) fn minutes(&self) -> Vec<Ended> {
        self.minutes.lock().iter().copied().collect()
    }
}

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

/// The last minutes. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Activity {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// Those that are over, the oldest first.
    minutes: VecDeque<Minute>,
    /// What had been counted when the minute began that goes on.
    before: Counts,
    /// When that ends.
    ends_at: DateTime<Utc>,
}

/// When a minute ends, and what was done in it.
pub(super) type Minute = (DateTime<Utc>, Counts);

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
        self.kept.lock().ends_at = shared.clock.now() + MINUTE;
        loop {
            (&mut timer).await;
            timer.restart(MINUTE);
            let counts = Counts::of(&sources, &shared);
            let mut kept = self.kept.lock();
            let minute = (shared.clock.now(), counts.since(kept.before));
            kept.minutes.push_back(minute);
            if kept.minutes.len() > MINUTES_MAX {
                kept.minutes.pop_front();
            }
            (kept.before, kept.ends_at) = (counts, shared.clock.now() + MINUTE);
        }
    }

    /// The minutes, the oldest first; the last one goes on.
    pub(super) fn minutes(&self, sources: &SourceFigures, shared: &Shared) -> Vec<Minute> {
        let kept = self.kept.lock();
        let goes_on = (kept.ends_at, Counts::of(sources, shared).since(kept.before));
        kept.minutes.iter().copied().chain([goes_on]).collect()
    }
}

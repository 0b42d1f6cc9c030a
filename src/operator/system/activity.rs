//! `GET /operator/v1/activity`: what this process did in each minute of the last hour, as far as it has run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use crate::operator::call::Call;
use crate::operator::state::OperatorState;
use crate::web::call::Answer;
use domain::delivery::Outcome;
use wire::object;
use wire::time::Instant;

const MINUTE: Duration = Duration::from_secs(60);
/// Minutes that are kept.
const MINUTES_MAX: usize = 60;

/// The last minutes, the oldest first. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Activity {
    minutes: Arc<Mutex<VecDeque<Ended>>>,
}

/// When a minute ended, and what was done in it.
type Ended = (DateTime<Utc>, Counts);

/// How often something was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    findings: u64,
    renewals: u64,
    deliveries: u64,
    polls: u64,
}

impl Counts {
    /// What has been counted since the start.
    fn of(state: &OperatorState) -> Self {
        let sources = state.sources.counts();
        let outcomes = state.shared.dispatcher.figures().outcomes();
        Self {
            findings: sources.values().map(|counts| counts.findings).sum(),
            renewals: state.shared.ledger.figures().renewals(),
            deliveries: outcomes.filter(|(outcome, _)| *outcome == Outcome::Ok).map(|(_, count)| count).sum(),
            polls: sources.values().map(|counts| counts.polls).sum(),
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            findings: self.findings.saturating_sub(before.findings),
            renewals: self.renewals.saturating_sub(before.renewals),
            deliveries: self.deliveries.saturating_sub(before.deliveries),
            polls: self.polls.saturating_sub(before.polls),
        }
    }
}

impl Activity {
    /// Notes each minute of the machine's time, for as long as this thread runs: a simulated clock is not moved by it.
    pub(crate) async fn keep(state: OperatorState) {
        let mut timer = state.shared.clock.real_timer(MINUTE);
        let mut before = Counts::of(&state);
        loop {
            (&mut timer).await;
            timer.restart(MINUTE);
            let now = Counts::of(&state);
            let mut minutes = state.activity.minutes.lock();
            minutes.push_back((state.shared.clock.now(), now.since(before)));
            if minutes.len() > MINUTES_MAX {
                minutes.pop_front();
            }
            before = now;
        }
    }
}

/// The minutes, the oldest first.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let minutes = call.state.activity.minutes.lock();
    let record = |&(ends_at, counts): &Ended| {
        let Counts { findings, renewals, deliveries, polls } = counts;
        object! { ends_at: Instant(ends_at), findings, renewals, deliveries, polls }
    };
    call.data(200, "Activity", object! { minutes: minutes.iter().map(record).collect::<Vec<_>>() })
}

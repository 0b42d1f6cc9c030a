//! What every request of the public API works with.

use chrono::Duration;

use super::open_streams::OpenStreams;
use crate::mail::Mail;
use crate::web::{Budgets, Shared, Strangers};
use actors::previews::Previews;
use config::Config;
use webhooks::test_sends::TestSends;

/// The state of the public API. Clones share it.
#[derive(Clone)]
pub struct ApiState {
    /// What it shares with the operator API.
    pub shared: Shared,
    /// How many requests each account may still make.
    pub budgets: Budgets,
    /// How often each address may still be refused.
    pub strangers: Strangers,
    /// How long updates are kept. Older ones are not shown, whether removed yet or not.
    pub retention: Duration,
    /// Sends test payloads.
    pub test_sends: TestSends,
    /// Looks for what radars would find.
    pub previews: Previews,
    /// Whether agents find tools at `/mcp`.
    pub mcp: bool,
    /// The way to mails, where a mail server is set.
    pub(crate) mail: Option<Mail>,
    /// Streams of updates that are open.
    pub(crate) streams: OpenStreams,
}

impl ApiState {
    /// A state in which nobody has made a request yet.
    pub(crate) fn new(
        config: &Config,
        shared: Shared,
        test_sends: TestSends,
        previews: Previews,
        mail: Option<Mail>,
    ) -> Self {
        // The other half of the connections is for requests.
        let streams =
            OpenStreams::new(shared.store.clone(), shared.clock.clone(), shared.connections.public.connections / 2);
        Self {
            streams,
            budgets: Budgets::new(shared.limits, &shared.store),
            strangers: Strangers::new(config.http.failures_per_minute),
            mcp: config.http.mcp,
            retention: Duration::from_std(config.retention.updates).unwrap_or(Duration::MAX),
            test_sends,
            mail,
            previews,
            shared,
        }
    }
}

//! What every request of the operator API works with.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use prometheus::Registry;

use super::activity::Activity;
use super::keys::OperatorKeys;
use crate::web::Shared;
use actors::feeds::SourceFigures;
use actors::housekeeping::Duties;
use actors::runtime::metrics::ActorMetrics;
use actors::runtime::pulse::Pulse;
use config::OwnHosts;

/// The state of the operator API. Clones share it.
#[derive(Clone)]
pub struct OperatorState {
    /// What it shares with the public API.
    pub shared: Shared,
    /// The figures of the actors.
    pub actor_metrics: ActorMetrics,
    /// The figures of the sources.
    pub sources: SourceFigures,
    /// What is counted for as long as the process lives.
    pub registry: Registry,
    /// What the housekeeper is asked through.
    pub duties: Duties,
    /// Whether the actors' thread runs.
    pub pulse: Pulse,
    /// What `x-operator-key` may hold.
    pub keys: OperatorKeys,
    /// Under which names it is asked.
    pub hosts: OwnHosts,
    /// What links to the portal begin with; `None` where there is none.
    pub portal: Option<String>,
    /// What was done in the last minutes.
    pub(crate) activity: Activity,
    /// Whether the service takes requests: false while it starts and while it stops.
    pub readiness: Arc<AtomicBool>,
}

impl OperatorState {
    /// Must be called on the actors' thread, whose pulse it takes.
    pub fn new(
        shared: Shared,
        actor_metrics: &ActorMetrics,
        (sources, registry): (&SourceFigures, &Registry),
        duties: Duties,
        keys: OperatorKeys,
        (hosts, portal): (OwnHosts, Option<String>),
        readiness: Arc<AtomicBool>,
    ) -> Self {
        let pulse = Pulse::of_this_thread(&shared.clock);
        let (actor_metrics, sources, registry) = (actor_metrics.clone(), sources.clone(), registry.clone());
        let activity = Activity::default();
        Self { shared, actor_metrics, sources, registry, duties, pulse, keys, hosts, portal, activity, readiness }
    }
}

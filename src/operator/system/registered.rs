//! Metrics, made and registered in one step.

use prometheus::core::Collector;
use prometheus::{Gauge, IntCounterVec, IntGaugeVec, Opts, Registry, Result};

/// What was made, registered.
pub(super) fn registered<C: Collector + Clone + 'static>(registry: &Registry, made: Result<C>) -> Result<C> {
    let collector = made?;
    registry.register(Box::new(collector.clone())).map(|()| collector)
}

/// A gauge without labels, at `value`.
pub(super) fn set(registry: &Registry, name: &str, help: &str, value: f64) -> Result<()> {
    registered(registry, Gauge::new(name, help)).map(|gauge| gauge.set(value))
}

/// A gauge with one label.
pub(super) fn gauge(registry: &Registry, name: &str, help: &str, label: &str) -> Result<IntGaugeVec> {
    registered(registry, IntGaugeVec::new(Opts::new(name, help), &[label]))
}

/// A counter with labels.
pub(super) fn counter(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec> {
    registered(registry, IntCounterVec::new(Opts::new(name, help), labels))
}

//! Metrics, made and registered in one step.

use prometheus::{Gauge, IntCounterVec, IntGaugeVec, Opts, Registry};

/// A gauge without labels, at `value`.
pub(super) fn set(registry: &Registry, name: &str, help: &str, value: f64) -> prometheus::Result<()> {
    let gauge = Gauge::new(name, help)?;
    gauge.set(value);
    registry.register(Box::new(gauge))
}

/// A gauge with one label.
pub(super) fn gauge(registry: &Registry, name: &str, help: &str, label: &str) -> prometheus::Result<IntGaugeVec> {
    let gauge = IntGaugeVec::new(Opts::new(name, help), &[label])?;
    registry.register(Box::new(gauge.clone()))?;
    Ok(gauge)
}

/// A counter with labels.
pub(super) fn counter(
    registry: &Registry,
    name: &str,
    help: &str,
    labels: &[&str],
) -> prometheus::Result<IntCounterVec> {
    let counter = IntCounterVec::new(Opts::new(name, help), labels)?;
    registry.register(Box::new(counter.clone()))?;
    Ok(counter)
}

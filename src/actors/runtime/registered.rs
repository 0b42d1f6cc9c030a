//! Metrics, made and registered in one step. That fails only where a name stands twice or cannot be one.

use prometheus::core::Collector;
use prometheus::{Gauge, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGaugeVec, Opts};
use prometheus::{Registry, Result};

/// What was made, registered.
pub fn registered<C: Collector + Clone + 'static>(registry: &Registry, made: Result<C>) -> Result<C> {
    let collector = made?;
    registry.register(Box::new(collector.clone())).map(|()| collector)
}

/// A gauge without labels, at `value`.
pub fn set(registry: &Registry, name: &str, help: &str, value: f64) -> Result<()> {
    registered(registry, Gauge::new(name, help)).map(|gauge| gauge.set(value))
}

/// A gauge with one label.
pub fn gauge(registry: &Registry, name: &str, help: &str, label: &str) -> Result<IntGaugeVec> {
    registered(registry, IntGaugeVec::new(Opts::new(name, help), &[label]))
}

/// A counter without labels.
pub fn count(registry: &Registry, name: &str, help: &str) -> Result<IntCounter> {
    registered(registry, IntCounter::new(name, help))
}

/// A counter with labels.
pub fn counter(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec> {
    registered(registry, IntCounterVec::new(Opts::new(name, help), labels))
}

/// A histogram without labels.
pub fn histogram(registry: &Registry, name: &str, help: &str, bounds: &[f64]) -> Result<Histogram> {
    registered(registry, Histogram::with_opts(HistogramOpts::new(name, help).buckets(bounds.to_vec())))
}

/// A histogram with labels.
pub fn histograms(
    registry: &Registry,
    (name, help): (&str, &str),
    bounds: &[f64],
    labels: &[&str],
) -> Result<HistogramVec> {
    registered(registry, HistogramVec::new(HistogramOpts::new(name, help).buckets(bounds.to_vec()), labels))
}

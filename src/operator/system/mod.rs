//! The state of the system: actors, single radars, the clock, metrics, health.

pub(super) mod activity;
pub(super) mod actors;
pub(super) mod attention;
pub(super) mod clock;
mod database_metrics;
pub(super) mod health;
pub(super) mod metrics;
mod node_metrics;
pub(super) mod nodes;
mod process_metrics;
pub(super) mod radar_detail;
mod source_metrics;
pub(super) mod sources;
mod webhook_metrics;

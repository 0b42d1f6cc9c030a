//! Thin shells around the rules: each actor loads, lets the domain decide, and hands the intent to the ledger.
//!
//! ```text
//!  HTTP ──▶ RadarShard ×256 ──▶ RadarActor, one per radar ──┐
//!             │   due set-ups ──▶ RadarActor                │
//!             └── creations, batches ─────────────────────┐ │
//!  FeedScanner ── new items ──▶ RadarShard                ▼ ▼
//!  Housekeeper ── what is left behind ──▶        BalanceLedger ──▶ store::commit
//!                                                      │ deliveries were written
//!                                                      ▼
//!                                               WebhookDispatcher ──▶ receivers
//! ```
//!
//! Duty: to serialise, to wait, to restart. An actor holds no truth: kill any of them at any moment and nothing is lost,
//! only late. All of them live on one thread, where the clock is stepped. Never here: rules, SQL, HTTP shapes.

pub mod feeds;
pub mod housekeeping;
pub mod ledger;
pub mod nodes;
pub mod previews;
pub mod radar;
pub mod runtime;
pub mod webhooks;

#[cfg(test)]
#[path = "../../tests/support/commit_all.rs"]
mod commit_all;
#[cfg(test)]
#[path = "../../tests/support/no_dispatch.rs"]
mod no_dispatch;
#[cfg(test)]
#[path = "../../tests/support/retry_schedule.rs"]
mod retry_schedule;

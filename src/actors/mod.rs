//! Thin shells around the rules: each actor loads, lets the domain decide, and hands the intent to the ledger.
//!
//! ```text
//!  HTTP ──▶ RadarShard ×256 ──▶ RadarActor, one per radar ──┐
//!    └────────────────────────────────────────────────────┐ │
//!  SetUpScheduler ── what was found ──▶ BalanceLedger      │ │
//!  FeedScanner ── new items ──▶ RadarShard                ▼ ▼
//!  Housekeeper ── what is left behind ──▶        BalanceLedger ──▶ store::commit
//!                                                      │ deliveries were written
//!                                                      ▼
//!                                               WebhookDispatcher ──▶ receivers
//! ```
//!
//! Duty: to serialise, to wait, to restart. An actor holds no truth: kill any of them at any moment and nothing is lost,
//! only late. All of them live on one thread, where the clock is stepped. Never here: rules, SQL, HTTP shapes.

pub mod balance_ledger;
pub mod engine;
pub mod feed_poll;
pub mod feed_scanner;
pub mod housekeeper;
pub mod isolation;
pub mod mailbox;
pub mod metrics;
pub mod pulse;
pub mod radar_actor;
mod radar_set_up;
pub mod radar_shard;
mod radar_turn;
pub mod set_up_scheduler;
pub mod shards;
pub mod supervisor;
mod webhook_attempt;
pub mod webhook_dispatcher;

//! What the public API and the operator API share, from an accepted connection to the text of an answer.
//!
//! Duty: connections, bodies, keys, rate limits, errors, the request log. Never here: an endpoint, a rule, SQL.

pub(crate) mod authentication;
pub(crate) mod body;
pub(crate) mod budgets;
pub(crate) mod call;
mod client_address;
pub(crate) mod connection;
pub(crate) mod errors;
pub(crate) mod ids;
mod key_cache;
mod metrics;
pub(crate) mod recoveries;
mod request_id;
pub(crate) mod request_log;
pub(crate) mod resource;
mod security_headers;
mod shared;
pub(crate) mod strangers;
pub(crate) mod webhook_secret;

pub use budgets::{BudgetKind, Budgets};
pub use client_address::TrustedProxies;
pub use connection::{ConnectionLimits, ListenerLimits};
pub use ids::Identifiers;
pub use key_cache::KeyCache;
pub use metrics::RequestMetrics;
pub use shared::Shared;
pub use strangers::Strangers;

//! What the public API and the operator API share, from an accepted connection to the text of an answer.
//!
//! Duty: connections, bodies, keys, rate limits, errors, the request log. Never here: an endpoint, a rule, SQL.

pub(crate) mod authentication;
pub(crate) mod body;
pub(crate) mod budgets;
pub(crate) mod call;
pub(crate) mod connection;
pub(crate) mod errors;
pub(crate) mod headers;
pub(crate) mod ids;
pub(crate) mod in_process;
mod key_cache;
mod metrics;
pub(crate) mod recoveries;
pub(crate) mod request_log;
pub(crate) mod resource;
pub(crate) mod secrets;
mod shared;
pub(crate) mod strangers;

pub use budgets::{BudgetKind, Budgets};
pub(crate) use call::{Answer, Body, Handler, located, settled};
pub use connection::{ConnectionLimits, ListenerLimits, TlsError};
pub(crate) use errors::Failure;
pub use headers::client_address::TrustedProxies;
pub use headers::cors::Cors;
pub use ids::Identifiers;
pub(crate) use ids::random_bits;
pub use key_cache::KeyCache;
pub use metrics::RequestMetrics;
pub use shared::{Front, Shared};
pub use strangers::Strangers;

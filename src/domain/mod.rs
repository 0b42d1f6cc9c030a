//! The specification as code: pure functions and values.
//!
//! Duty: every rule of the service. Never here: a clock, randomness, I/O, actix, tokio, a database.

pub mod account;
pub mod account_status;
pub mod api_key;
pub mod approval;
pub mod attempts;
pub mod audit;
pub mod balance_alert;
pub mod chain;
pub mod client_network;
pub mod content_size;
pub mod country_code;
pub mod custom_fields;
pub mod delivery;
pub mod domain_name;
pub mod email;
pub mod encryption;
pub mod endpoint_health;
pub mod endpoint_limiter;
pub mod fair_share;
pub mod filter;
pub mod free_text;
pub mod idempotency_key;
pub mod ids;
pub mod ledger;
pub mod limits;
pub mod lots;
pub mod money;
pub mod month;
pub mod pricing;
pub mod profile_url;
pub mod radar;
pub mod radar_type;
pub mod rate;
pub mod ready_queue;
pub mod rejection;
pub mod renewal;
pub mod set_up;
pub mod set_up_shares;
pub mod statement;
pub mod target;
pub mod title_expression;
pub mod update;
pub mod waiting_endpoints;
pub mod webhook_url;

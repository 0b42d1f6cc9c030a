//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod authentication;
mod commit;
mod company_radar;
mod crashes;
mod database_outage;
mod databases;
mod errors;
mod events;
mod failed_set_up;
mod full_queue;
mod panics;
mod pause;
mod process;
mod rate_limits;
mod receiver;
mod recorded;
mod simulated_year;
mod start;
mod webhooks_test;

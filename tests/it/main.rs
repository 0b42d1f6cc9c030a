//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod approval;
mod authentication;
mod balance_limits;
mod bulk;
mod commit;
mod company_radar;
mod contract;
mod crashes;
mod create_company;
mod create_contact;
mod create_industry;
mod database_outage;
mod databases;
mod errors;
mod events;
mod failed_set_up;
mod full_queue;
mod grace_period;
mod idempotency;
mod panics;
mod pause;
mod process;
mod radar_states;
mod rate_limits;
mod receiver;
mod recorded;
mod simulated_year;
mod start;
mod update_record;
mod webhooks_test;

//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod approval;
mod balance_limits;
mod bulk;
mod commit;
mod company_radar;
mod crashes;
mod create_company;
mod create_contact;
mod create_industry;
mod databases;
mod failed_set_up;
mod full_queue;
mod grace_period;
mod idempotency;
mod panics;
mod pause;
mod process;
mod radar_states;
mod receiver;
mod recorded;
mod simulated_year;
mod start;
mod update_record;

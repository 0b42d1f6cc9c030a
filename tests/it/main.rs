//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod approval;
mod balance_limits;
mod commit;
mod company_radar;
mod crashes;
mod databases;
mod failed_set_up;
mod full_queue;
mod grace_period;
mod idempotency;
mod panics;
mod pause;
mod process;
mod receiver;
mod recorded;
mod simulated_year;
mod start;

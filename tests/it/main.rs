//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod commit;
mod company_radar;
mod contract;
mod crashes;
mod databases;
mod failed_set_up;
mod full_queue;
mod panics;
mod pause;
mod process;
mod receiver;
mod recorded;
mod simulated_year;
mod start;

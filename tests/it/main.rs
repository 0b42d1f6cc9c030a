//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod account;
mod commit;
mod company_radar;
mod crashes;
mod databases;
mod delete_radar;
mod failed_set_up;
mod following_readers;
mod full_queue;
mod get_radar;
mod list_radars;
mod list_updates;
mod panics;
mod pause;
mod process;
mod racing_creates;
mod receiver;
mod recorded;
mod simulated_year;
mod start;

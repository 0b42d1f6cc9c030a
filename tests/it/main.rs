//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

mod support;

mod commit;
mod databases;
mod receiver;

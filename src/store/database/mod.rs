//! The database itself: what stands between a write that SQLite or the server calls done and one that a restart finds.
//!
//! Every write of the store goes through the [`Writer`](writer::Writer), whose connections are handed out only outside
//! of any transaction. On an SQLite file it also sees to the files: whether their names still lead to them, and that the
//! main file says whether a log belongs beside it.

pub(super) mod bulk;
pub(super) mod coalescer;
pub(super) mod columns;
pub(super) mod connection;
pub(super) mod deadline;
pub(super) mod if_present;
pub(super) mod kept_connections;
pub(super) mod leases;
pub(super) mod probe;
pub(super) mod rows;
pub(super) mod schema;
pub(super) mod settings;
pub(super) mod sqlite;
pub(super) mod statement;
pub(super) mod write_transaction;
pub(super) mod writer;

pub(crate) use bulk::in_few_lengths;
pub(crate) use columns::{InColumn, in_order};
pub(crate) use connection::Backend;
pub(crate) use if_present::{IfPresent, Overwritten};
pub(crate) use leases::LeaseNow;
pub(crate) use statement::{List, Parameters, Run, Sql, Statements};
pub(crate) use write_transaction::WriteTransaction;

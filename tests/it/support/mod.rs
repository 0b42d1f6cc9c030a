//! What the integration tests stand on: databases, a running service, a client, a receiver, sample company sites.

pub mod browser;
pub mod client;
pub mod company_site;
pub mod contract;
pub mod customer;
pub mod databases;
pub mod dice;
pub mod failing_disk;
pub mod ledger;
pub mod ports;
pub mod postgres;
pub mod private_postgres;
pub mod process;
pub mod provider;
pub mod push_source;
pub mod raw;
pub mod receiver;
pub mod shapes;
pub mod silence;
pub mod sites;
pub mod smtp;
pub mod stage;
pub mod test_database;

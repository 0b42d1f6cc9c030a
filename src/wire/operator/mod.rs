//! The JSON of the operator API.

pub(crate) mod accounts;
pub(crate) mod api_keys;
pub(crate) mod balance_alerts;
mod csv;
pub(crate) mod deliveries;
pub(crate) mod findings;
pub(crate) mod ledger;
pub(crate) mod ledger_csv;
pub(crate) mod prices;
pub(crate) mod push;
pub(crate) mod push_batch;
pub(crate) mod sources;
pub(crate) mod spend_cap;
pub(crate) mod statement;
pub(crate) mod system;
pub(crate) mod top_ups;
pub(crate) mod values;

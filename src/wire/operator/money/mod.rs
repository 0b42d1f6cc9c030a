//! The JSON of money: top-ups, the ledger, statements, prices, caps and alerts.

pub(crate) mod balance_alerts;
mod csv;
pub(crate) mod ledger;
pub(crate) mod ledger_csv;
pub(crate) mod prices;
pub(crate) mod spend_cap;
pub(crate) mod statement;
pub(crate) mod top_ups;

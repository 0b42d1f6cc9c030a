//! What is asked about money: top-ups, the ledger, prices, caps and alerts.

pub mod balance_alerts;
pub mod ledger;
pub mod ledger_csv;
pub mod prices;
pub mod spend_cap;
pub mod top_ups;
pub mod verify;

//! What accounts pay, and the ledger of it.

pub(super) mod balance_alerts;
pub(super) mod ledger;
pub(super) mod ledger_csv;
pub(super) mod prices;
pub(super) mod spend;
pub(super) mod spend_cap;
pub(super) mod statements;
pub(super) mod top_ups;
pub(super) mod verify;

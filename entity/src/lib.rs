//! The tables of which whole rows are read or written, as data. No behaviour; the schema and its constraints stand in the
//! `migration` crate. A row has no default: whoever makes one says each of its columns.

/// What sea-orm asks of every table beside its columns.
macro_rules! without_relations {
    () => {
        /// No relations: rows are read by key, in bulk.
        #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}
    };
}
use without_relations;

pub mod account;
pub mod api_key;
pub mod approval;
pub mod attempt;
pub mod balance_alert;
pub mod bound_alert;
pub mod company_profile;
pub mod delivery;
pub mod endpoint;
pub mod endpoint_alert;
pub mod endpoint_health;
pub mod feed;
pub mod feed_item;
pub mod finding_seen;
pub mod held_finding;
pub mod job;
pub mod kept_answer;
pub mod ledger_check;
pub mod ledger_entry;
pub mod ledger_tx;
pub mod lot;
pub mod operator_action;
pub mod price;
pub mod profile_entry;
pub mod radar;
pub mod radar_feed;
pub mod radar_update;
pub mod set_up;
pub mod setting;
pub mod source_breakage;
pub mod type_pause;
pub mod usage_month;
pub mod webhook_secret;

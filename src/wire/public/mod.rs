//! The JSON of the public API, and of what is pushed to webhooks.

pub mod account;
pub mod api_keys;
pub mod bulk;
pub mod email;
pub mod feed_addresses;
pub mod findings;
pub mod new_radar;
pub mod preview;
pub mod query;
pub mod radar_health;
pub mod radar_record;
pub mod radar_types;
pub mod update;
pub mod update_events;
pub mod updates_export;
pub mod updates_page;
pub mod webhooks;

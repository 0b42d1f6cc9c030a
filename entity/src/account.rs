//! An account: its settings, and the lock, balance and sequences that everything about its money hangs on.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    pub name: String,
    pub status: String,
    pub approval: String,
    pub write_per_minute: Option<i64>,
    pub read_per_minute: Option<i64>,
    pub per_second: Option<i64>,
    pub created_at: i64,
    pub balance_micros: i64,
    pub tx_seq: i64,
    pub update_seq: i64,
    pub hold_seq: i64,
    pub lot_no: i64,
    pub last_at: i64,
    pub next_expiry_at: Option<i64>,
    pub spend_cap_micros: Option<i64>,
    pub alert_url: Option<String>,
    pub alert_thresholds: Option<String>,
    pub head_hash: Vec<u8>,
    pub frozen_at: Option<i64>,
    pub frozen_reason: Option<String>,
    pub radars_max: Option<i64>,
    pub active_radars: i64,
    pub ended_radars: i64,
    pub purged_radars: i64,
    pub endpoint_alert_url: Option<String>,
}

crate::without_relations!();

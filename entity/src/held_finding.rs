//! A finding that waits for money, or for the next day of its radar.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "held_finding")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hold_seq: i64,
    pub radar_id: Uuid,
    pub radar_type: String,
    pub record_id: Uuid,
    pub rate_micros: i64,
    pub content: String,
    pub detected_at: i64,
    pub origin: String,
    pub reason: String,
}

crate::without_relations!();

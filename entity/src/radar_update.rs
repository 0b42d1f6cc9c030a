//! A published update with its frozen payload.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "radar_update")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub update_seq: i64,
    pub update_id: Uuid,
    pub radar_id: Uuid,
    pub radar_type: String,
    pub domain: Option<String>,
    pub update_type: String,
    pub discovered_at: i64,
    pub detected_at: i64,
    pub tx_seq: Option<i64>,
    pub body: String,
}

crate::without_relations!();

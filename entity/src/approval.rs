//! A finding that waits for an operator, or that one has decided about.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "approval")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub update_id: Uuid,
    pub account_id: Uuid,
    pub radar_id: Uuid,
    pub radar_type: String,
    pub record_id: Uuid,
    pub content: String,
    pub detected_at: i64,
    pub state: String,
    pub decided_at: Option<i64>,
    pub origin: String,
}

crate::without_relations!();

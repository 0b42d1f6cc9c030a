//! An alert about a radar that found more than the bound of its day.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "bound_alert")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub alert_id: Uuid,
    pub account_id: Uuid,
    pub radar_id: Uuid,
    pub created_at: i64,
    pub body: String,
}

crate::without_relations!();

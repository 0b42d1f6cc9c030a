//! What happened to an account in one UTC month.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_month")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: String,
    pub radars_activated: i64,
    pub radars_deactivated: i64,
    pub radars_failed: i64,
    pub updates_found: i64,
    pub used_micros: i64,
}

crate::without_relations!();

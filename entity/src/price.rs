//! A price of one radar type for one account, from an instant on.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "price")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_type: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub effective_from: i64,
    pub model: String,
    pub rate_micros: i64,
    pub grace_period: String,
    pub created_at: i64,
    pub findings_per_day: Option<i64>,
}

crate::without_relations!();

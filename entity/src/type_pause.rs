//! The pause of all update-based radars of a type in one account.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "type_pause")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub radar_type: String,
    pub since: i64,
    pub rate_micros: i64,
}

crate::without_relations!();

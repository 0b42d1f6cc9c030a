//! Prepaid money of one top-up or refund, and what is left of it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lot")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub lot_no: i64,
    pub kind: String,
    pub granted_micros: i64,
    pub remaining_micros: i64,
    pub expires_at: Option<i64>,
    pub op_key: String,
    pub parent_lot_no: Option<i64>,
    pub created_at: i64,
    pub origin_expires_at: Option<i64>,
}

crate::without_relations!();

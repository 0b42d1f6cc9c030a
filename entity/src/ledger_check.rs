//! How far an account's rows have been checked.

use sea_orm::entity::prelude::*;

/// How far an account's rows have been checked.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_check")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    pub tx_seq: i64,
    pub update_seq: i64,
    pub checked_at: i64,
}

/// No relations: rows are read by key, in bulk.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

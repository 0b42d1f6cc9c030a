//! How far an account's rows have been checked.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_check")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    pub tx_seq: i64,
    pub update_seq: i64,
    pub checked_at: i64,
}

crate::without_relations!();

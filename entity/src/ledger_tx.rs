//! One ledger transaction of an account. Never changed once written.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_tx")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tx_seq: i64,
    pub op_key: String,
    pub kind: String,
    pub amount_micros: i64,
    pub balance_after_micros: i64,
    pub at: i64,
    pub due_at: i64,
    pub radar_id: Option<Uuid>,
    pub radar_type: Option<String>,
    pub update_id: Option<Uuid>,
    pub hash: Vec<u8>,
}

crate::without_relations!();

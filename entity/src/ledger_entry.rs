//! One entry of a ledger transaction; the entries of a ledger transaction sum to zero.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "ledger_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tx_seq: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_no: i64,
    pub bucket: String,
    pub lot_no: Option<i64>,
    pub amount_micros: i64,
}

crate::without_relations!();

//! An alert about an account's balance.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "balance_alert")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub alert_id: Uuid,
    pub account_id: Uuid,
    pub tx_seq: i64,
    pub threshold_micros: i64,
    pub balance_micros: i64,
    pub crossed_at: i64,
    pub body: String,
}

crate::without_relations!();

//! A receiver address of an account, and the sequence of what was addressed to it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "endpoint")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub endpoint_id: Uuid,
    pub account_id: Uuid,
    pub url: String,
    pub head_sequence: i64,
    pub created_at: i64,
}

crate::without_relations!();

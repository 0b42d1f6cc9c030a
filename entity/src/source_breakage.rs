//! A source most of whose feeds fail in the same way.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_breakage")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: String,
    pub failure_class: String,
    pub since: i64,
    pub flagged_at: Option<i64>,
}

crate::without_relations!();

//! A source most of whose feeds fail in the same way.

use sea_orm::entity::prelude::*;

/// A source most of whose feeds fail in the same way.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "source_breakage")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: String,
    pub failure_class: String,
    pub since: i64,
    pub flagged_at: Option<i64>,
}

/// No relations: rows are read by key, in bulk.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

//! A look of an account's preview that has begun and not ended.

use sea_orm::entity::prelude::*;

/// A look of an account's preview that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "preview_look")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Looks in a row that did not end.
    pub open_attempts: i64,
    pub began_at: i64,
}

/// No relations: rows are read by key.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

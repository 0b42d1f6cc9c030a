//! A look of an account's preview that has begun and not ended.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "preview_look")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: Uuid,
    /// Looks in a row that did not end.
    pub open_attempts: i64,
    pub began_at: i64,
}

crate::without_relations!();

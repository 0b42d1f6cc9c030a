//! One thing that is known of a company, with its evidence.

use sea_orm::entity::prelude::*;

/// One thing that is known of a company, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "profile_entry")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub domain: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_key: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub ordinal: i64,
    pub entry_value: String,
    pub evidence: String,
    pub evidence_url: String,
}

/// No relations: rows are read by key, in bulk.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

//! The tables of which whole rows are read or written, as data: a file for each family, as in the `migration` crate, where the
//! schema and its constraints stand. No behaviour. A row has no default: each of its columns is given where it is made.

/// Declares tables: their primary keys in parentheses, and the other columns. Each becomes a module with its `Entity`, `Column`
/// and `Model`, without relations: rows are read by key, in bulk.
macro_rules! tables {
    ($($(#[$doc:meta])* $table:ident($($key:ident: $key_type:ty),+) { $($column:ident: $type:ty,)+ })+) => { $(
        $(#[$doc])*
        pub mod $table {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Copy, Debug, Default, DeriveEntity)]
            pub struct Entity;

            impl EntityName for Entity {
                fn table_name(&self) -> &'static str {
                    stringify!($table)
                }
            }

            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
            pub struct Model {
                $(#[sea_orm(primary_key, auto_increment = false)] pub $key: $key_type,)+
                $(pub $column: $type,)+
            }

            #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    )+ };
}
use tables;

mod accounts;
mod deliveries;
mod feeds;
mod kept_answers;
mod money;
mod radars;
mod secrets;
mod set_ups;
mod updates;

pub use accounts::*;
pub use deliveries::*;
pub use feeds::*;
pub use kept_answers::*;
pub use money::*;
pub use radars::*;
pub use secrets::*;
pub use set_ups::*;
pub use updates::*;

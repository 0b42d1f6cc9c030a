//! The schema, one migration per table family, the same on SQLite and PostgreSQL.
//!
//! Duty: tables, keys and CHECK constraints. The statements are written once, in the words that both databases share;
//! `{uuid}`, `{int}` and `{strict}` stand for what they call differently. Instants are microseconds since 1970 (UTC),
//! money is micro-USD.

use sea_orm::{ConnectionTrait, DbBackend};
pub use sea_orm_migration::prelude::MigratorTrait;
use sea_orm_migration::prelude::{DbErr, MigrationTrait, SchemaManager};

mod accounts;
mod deliveries;
mod feeds;
mod kept_answers;
mod money;
mod radars;
mod settings;
mod updates;

/// All migrations, in the order in which they run.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(settings::Migration),
            Box::new(accounts::Migration),
            Box::new(money::Migration),
            Box::new(radars::Migration),
            Box::new(feeds::Migration),
            Box::new(updates::Migration),
            Box::new(deliveries::Migration),
            Box::new(kept_answers::Migration),
        ]
    }
}

/// Runs statements that are separated by `;`, in the database's own words.
async fn run(manager: &SchemaManager<'_>, statements: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let words = match connection.get_database_backend() {
        DbBackend::Sqlite => [("{uuid}", "blob"), ("{int}", "integer"), ("{strict}", " strict")],
        _ => [("{uuid}", "uuid"), ("{int}", "bigint"), ("{strict}", "")],
    };
    for statement in statements.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let statement = words.iter().fold(statement.to_owned(), |text, (word, native)| text.replace(word, native));
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}

/// Declares a migration of one table family.
macro_rules! family {
    ($name:literal, $up:literal) => {
        use sea_orm_migration::prelude::*;

        /// Creates the tables of this family.
        pub struct Migration;

        impl MigrationName for Migration {
            fn name(&self) -> &str {
                $name
            }
        }

        #[async_trait::async_trait]
        impl MigrationTrait for Migration {
            async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
                super::run(manager, $up).await
            }
        }
    };
}
use family;

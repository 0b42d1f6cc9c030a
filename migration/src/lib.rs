//! The schema, the same on SQLite and PostgreSQL: one file of `migration/sql/` for each table family.
//!
//! Duty: tables, keys and CHECK constraints. The statements are written once, in the words that both databases share;
//! `{uuid}`, `{bytes}`, `{int}`, `{strict}`, `{clustered}` (kept in the order of its primary key), `{unlogged}` (lost in a crash) and
//! `{bytewise}` (compared byte by byte, so that what begins alike stands together) stand for what they call differently. Instants are microseconds since 1970 (UTC), money is micro-USD.

pub mod partitions;

use sea_orm::{ConnectionTrait, DbBackend};
pub use sea_orm_migration::prelude::MigratorTrait;
use sea_orm_migration::prelude::{DbErr, MigrationName, MigrationTrait, SchemaManager};

/// All migrations, in the order in which they run.
pub struct Migrator;

/// The statements of one migration, and what they cannot say themselves.
#[derive(Clone, Copy)]
struct Migration {
    name: &'static str,
    sql: &'static str,
    /// Tables whose rows can be added, and that is all.
    append_only: &'static [&'static str],
    /// Whether the tables are partitioned that are so on PostgreSQL.
    is_partitioning: bool,
}

/// The migration in the file of that name.
macro_rules! file {
    ($name:literal) => {
        Migration {
            name: $name,
            sql: include_str!(concat!("../sql/", $name, ".sql")),
            append_only: &[],
            is_partitioning: false,
        }
    };
}

const MIGRATIONS: &[Migration] = &[
    file!("m20261126_000001_settings"),
    file!("m20261126_000002_accounts"),
    Migration { append_only: &["ledger_tx", "ledger_entry"], ..file!("m20261126_000003_money") },
    file!("m20261126_000004_radars"),
    file!("m20261126_000005_feeds"),
    file!("m20261126_000006_set_ups"),
    file!("m20261126_000007_updates"),
    file!("m20261126_000008_deliveries"),
    file!("m20261126_000009_kept_answers"),
    file!("m20261126_000010_secrets"),
    file!("m20261126_000011_nodes"),
    file!("m20261126_000012_mail"),
    file!("m20261126_000013_actions"),
    Migration { is_partitioning: true, ..file!("m20261126_000014_partitions") },
];

/// What both databases have, each in its own words.
const WORDS: [&str; 7] = ["{uuid}", "{bytes}", "{int}", "{strict}", "{clustered}", "{unlogged}", "{bytewise}"];

/// What the triggers of PostgreSQL call.
const REFUSE_CHANGE: &str = "create function refuse_change() returns trigger language plpgsql as
    $$ begin raise exception '% is append-only', tg_table_name; end $$";

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        MIGRATIONS.iter().map(|migration| Box::new(*migration) as Box<dyn MigrationTrait>).collect()
    }
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run(manager, self.sql).await?;
        append_only(manager, self.append_only).await?;
        let connection = manager.get_connection();
        if self.is_partitioning && connection.get_database_backend() == DbBackend::Postgres {
            partitions::convert(connection).await?;
        }
        Ok(())
    }

    /// All of it or nothing, also on SQLite: one that is cut off is begun again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

/// Runs statements that are separated by `;`, in the database's own words.
async fn run(manager: &SchemaManager<'_>, statements: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let native = match connection.get_database_backend() {
        DbBackend::Sqlite => ["blob", "blob", "integer", " strict", " strict, without rowid", "", ""],
        _ => ["uuid", "bytea", "bigint", "", "", "unlogged", " collate \"C\""],
    };
    let uncommented: Vec<&str> = statements.lines().filter(|line| !line.starts_with("--")).collect();
    for statement in uncommented.join("\n").split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let words = WORDS.iter().zip(native);
        let statement = words.fold(statement.to_owned(), |text, (word, native)| text.replace(word, native));
        connection.execute_unprepared(&statement).await?;
    }
    Ok(())
}

/// Makes the database refuse to change or remove rows of `tables`, whoever asks.
async fn append_only(manager: &SchemaManager<'_>, tables: &[&str]) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    if !is_sqlite && !tables.is_empty() {
        connection.execute_unprepared(REFUSE_CHANGE).await?;
    }
    for table in tables {
        let statements = match is_sqlite {
            true => ["update", "delete"].map(|change| {
                format!(
                    "create trigger {table}_no_{change} before {change} on {table}
                    begin select raise(abort, '{table} is append-only'); end"
                )
            }),
            false => [("row", "update or delete"), ("statement", "truncate")].map(|(each, change)| {
                format!(
                    "create trigger {table}_append_only_{each} before {change} on {table}
                    for each {each} execute function refuse_change()"
                )
            }),
        };
        for statement in statements {
            connection.execute_unprepared(&statement).await?;
        }
    }
    Ok(())
}

//! Whether a copy is sound: its schema, which is looked at before anything of it is used, and its content.

use std::path::Path;

use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr};

use crate::Result;
use crate::database::sqlite::check;
use crate::database::{Statements, schema};

/// What `analyze` leaves in a database.
const STATISTICS: [&str; 2] =
    ["CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"];

/// One thing of a schema: its kind, its name, the table that it belongs to, and the statement that made it.
type SchemaRow = (String, String, String, Option<String>);

/// Opens a file that may have been made to harm: what is in it can neither run code nor name other files, unless it is
/// used; so its schema is looked at first.
pub(super) async fn open(path: &Path, is_read_only: bool) -> Result<DatabaseConnection, DbErr> {
    let path = path.to_owned();
    let mut options = ConnectOptions::new("sqlite://draft");
    options.max_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .filename(&path)
            .read_only(is_read_only)
            .foreign_keys(false)
            .pragma("trusted_schema", "off")
            .pragma("cell_size_check", "on")
            // Nobody else uses the file, and one that is not finished is thrown away.
            .pragma("locking_mode", "exclusive")
            .pragma("journal_mode", "off")
    });
    Database::connect(options).await
}

/// What is wrong with a copy.
pub(super) async fn unsound(copy: &DatabaseConnection) -> Result<Option<String>> {
    match foreign_schema(copy).await? {
        Some(problem) => Ok(Some(problem)),
        None => check::damage(copy).await,
    }
}

/// A sentence on what the schema has that the migrations of this program do not make, or the other way round. A schema of
/// an earlier version is held against the migrations that it has had.
async fn foreign_schema(connection: &DatabaseConnection) -> Result<Option<String>> {
    let found = schema_rows(connection).await?;
    if !found.iter().any(|(kind, name, ..)| kind == "table" && name == "seaql_migrations") {
        return Ok(Some("its schema is not that of this program".to_owned()));
    }
    let applied = schema::applied(connection).await?;
    if let Some(foreign) = schema::foreign(&applied) {
        return Ok(Some(foreign));
    }
    let mut in_memory = ConnectOptions::new("sqlite::memory:");
    in_memory.max_connections(1).sqlx_logging(false);
    let model = Database::connect(in_memory).await?;
    Migrator::up(&model, u32::try_from(applied.len()).ok()).await?;
    let expected = schema_rows(&model).await?;
    let is_statistics = |row: &SchemaRow| row.3.as_deref().is_some_and(|sql| STATISTICS.contains(&sql));
    let differs = |row: &&SchemaRow| expected.contains(row) != found.contains(row) && !is_statistics(row);
    Ok(found.iter().chain(&expected).find(differs).map(|(kind, name, ..)| {
        format!("its schema is not that of this program: {} {}", kind.escape_debug(), name.escape_debug())
    }))
}

async fn schema_rows(connection: &DatabaseConnection) -> Result<Vec<SchemaRow>> {
    let sql = "select type, name, tbl_name, sql from sqlite_schema order by type, name";
    connection.sql(sql).all(connection).await
}

//! What the main file of an SQLite database says about its log.
//!
//! While a service writes, the latest commits are in the log next to the main file. A marker in the main file says so, from
//! before the first write until an orderly stop has moved everything into it. So a copy of the main file without its log is
//! recognised.

use std::path::Path;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

use crate::store::error::unavailable;

/// The row of the table of settings.
const NAME: &str = "database_log";
/// The values begin with these words; the rest is for a person who looks into the file.
const IN_USE: &str = "in use: the file of the same name ending in -wal belongs beside this one";
const CLOSED: &str = "closed: this file is complete";

/// Whether the database says that a log belongs to it, as far as it can be read.
pub(in crate::store) async fn is_in_use(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let sql = "select value from setting where name = $1";
    let read = Statement::from_sql_and_values(DbBackend::Sqlite, sql, [NAME.into()]);
    let Some(row) = connection.query_one_raw(read).await? else { return Ok(false) };
    let value: String = row.try_get_by_index(0)?;
    Ok(value == IN_USE)
}

/// The error message for a database at `path` that has the marker and no log.
pub(in crate::store) fn missing(path: &Path) -> String {
    let shown = path.display();
    format!(
        "{shown} is incomplete: it is a copy of a database in use, or of one whose service was killed, and its log \
         {shown}-wal is not beside it, so that what was committed last is missing (unless another program has moved \
         the log into the file)"
    )
}

/// Lets the main file say that its log belongs to it. `false` when it says so in all likelihood, since an earlier service
/// let it, but somebody who reads an old state keeps this from being made sure: to be called again.
///
/// # Errors
/// The database did not answer, or something else reads an old state for so long that the main file cannot be written.
pub(in crate::store) async fn mark_in_use(writer: &DatabaseConnection) -> Result<bool, DbErr> {
    let was_in_use = is_in_use(writer).await?;
    if !was_in_use {
        write(writer, IN_USE).await?;
    }
    if checkpoint_without_waiting(writer).await? {
        return Ok(true);
    }
    if was_in_use {
        return Ok(false);
    }
    checkpoint(writer, "full").await?;
    Ok(true)
}

/// Moves everything into the main file and lets it say that it is complete.
///
/// The words go last and alone, so that no crash leaves them in a file that misses something.
///
/// # Errors
/// As [`mark_in_use`]; then the main file does not say so.
pub(in crate::store) async fn mark_closed(writer: &DatabaseConnection) -> Result<(), DbErr> {
    if !is_in_use(writer).await? {
        return Ok(());
    }
    checkpoint(writer, "full").await?;
    write(writer, CLOSED).await?;
    checkpoint(writer, "truncate").await
}

/// Moves the log into the main file: all that is committed (`full`), or that and the log is left empty (`truncate`).
async fn checkpoint(connection: &impl ConnectionTrait, how: &str) -> Result<(), DbErr> {
    let sql = format!("pragma wal_checkpoint({how})");
    let found = connection.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?;
    match found.map(|row| row.try_get_by_index::<i32>(0)).transpose()? {
        Some(0) => Ok(()),
        _ => Err(unavailable("another program holds an old state of the database")),
    }
}

/// Moves what can be moved while others read; whether that is all.
async fn checkpoint_without_waiting(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let asked = Statement::from_string(DbBackend::Sqlite, "pragma wal_checkpoint(passive)");
    let Some(found) = connection.query_one_raw(asked).await? else { return Ok(false) };
    let (pages, moved): (i32, i32) = (found.try_get_by_index(1)?, found.try_get_by_index(2)?);
    Ok(pages == moved)
}

async fn write(writer: &DatabaseConnection, value: &str) -> Result<(), DbErr> {
    let sql = "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = $2";
    let values = [NAME.into(), value.into()];
    writer.execute_raw(Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)).await?;
    Ok(())
}

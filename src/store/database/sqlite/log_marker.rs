//! What the main file of an SQLite database says about its log.
//!
//! While a service writes, the latest commits are in the log next to the main file. A mark in the main file says so, from
//! before the first write until an orderly stop has moved everything into it. So a copy of the main file without its log is
//! recognised, and two others are told from it:
//!
//! - a copy that SQLite made (`.backup`, `vacuum into`) went through the log and is whole, although the mark is copied with
//!   it. It bears another schema number (`pragma schema_version`) than the one in the mark;
//! - a main file into which another program has moved the log, as the `sqlite3` shell does when it closes the database of
//!   a service that was killed. Marks are numbered; the log begins with a higher one than the main file has, which the
//!   lock file beside it says, too. A main file with such a higher mark has got it from the log.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

use super::files::beside;
use crate::error::unavailable;

/// The row of the table of settings.
const NAME: &str = "database_log";
/// The values begin with these words; they are for a person who looks into the file.
const IN_USE: &str = "in use: the file of the same name ending in -wal belongs beside this one";
const CLOSED: &str = "closed: this file is complete";
/// Above every schema number that SQLite gives to a copy by itself: it counts from 1.
const SCHEMA_NUMBERS_FROM: i64 = 1_380_000_000;

/// What the main file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// It is complete.
    Closed,
    /// A log belongs beside it.
    InUse {
        /// Higher than that of every earlier mark; 0 when an older version wrote it.
        number: u64,
        /// The schema number of the file that the mark was written into.
        schema: Option<i64>,
    },
}

impl Mark {
    fn parse(text: &str) -> Self {
        let Some(rest) = text.strip_prefix(IN_USE) else { return Self::Closed };
        let mut numbers = rest.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
        let number = numbers.next().and_then(|part| part.parse().ok()).unwrap_or(0);
        Self::InUse { number, schema: numbers.next().and_then(|part| part.parse().ok()) }
    }

    fn text(self) -> String {
        match self {
            Self::Closed => CLOSED.to_owned(),
            Self::InUse { number, schema } => {
                format!("{IN_USE}; mark {number} of schema {}", schema.unwrap_or_default())
            }
        }
    }

    fn number(self) -> u64 {
        match self {
            Self::Closed => 0,
            Self::InUse { number, .. } => number,
        }
    }

    /// Whether a main file with this mark and without a log has everything; `schema` is its schema number, and
    /// `log_begun` the mark after which the lock file says that a log was begun.
    fn is_whole(self, schema: i64, log_begun: Option<u64>) -> bool {
        match self {
            Self::Closed => true,
            Self::InUse { number, schema: marked } => {
                let was_copied = marked.is_some_and(|marked| marked != schema);
                was_copied || log_begun.is_some_and(|begun| number > begun)
            }
        }
    }
}

/// Whether the database says that a log belongs to it, as far as it can be read.
pub(crate) async fn is_in_use(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    Ok(read(connection).await? != Mark::Closed)
}

/// A sentence on what is missing when the main file at `path`, which has no log with a commit beside it, needs one.
pub(crate) async fn missing(connection: &impl ConnectionTrait, path: &Path) -> Result<Option<String>, DbErr> {
    let is_whole = read(connection).await?.is_whole(schema_number(connection).await?, log_begun(path));
    let shown = path.display();
    Ok((!is_whole).then(|| {
        format!(
            "{shown} is incomplete: it is a copy of a database in use, or of one whose service was killed, and its log \
             {shown}-wal is not beside it, or cut short to nothing, so that what was committed last is missing"
        )
    }))
}

/// Lets the main file say that its log belongs to it, and begins the log anew. `false` when the main file says so in all
/// likelihood, since an earlier service let it, but somebody who reads an old state keeps this from being made sure, and
/// the log from being begun anew: to be called again.
///
/// # Errors
/// The database did not answer, or something else reads an old state for so long that the main file cannot be written.
pub(crate) async fn mark_in_use(writer: &DatabaseConnection, path: &Path) -> Result<bool, DbErr> {
    let mark = read(writer).await?;
    let schema = Some(schema_number(writer).await?);
    let number = mark.number().max(log_begun(path).unwrap_or(0)) + 1;
    write(writer, Mark::InUse { number, schema }).await?;
    let is_moved = checkpoint_without_waiting(writer).await?;
    if !is_moved && mark == Mark::Closed {
        checkpoint(writer, "full").await?;
    }
    // Written by itself into a log that is moved as a whole, this begins the log anew at its first byte.
    write(writer, Mark::InUse { number: number + 1, schema }).await?;
    note_log_begun(path, number)
        .map_err(|error| unavailable(format!("the lock file of {}: {error}", path.display())))?;
    Ok(is_moved || mark == Mark::Closed)
}

/// Moves everything into the main file and lets it say that it is complete.
///
/// The words go last and alone, so that no crash leaves them in a file that misses something.
///
/// # Errors
/// As [`mark_in_use`]; then the main file does not say so.
pub(crate) async fn mark_closed(writer: &DatabaseConnection) -> Result<(), DbErr> {
    if !is_in_use(writer).await? {
        return Ok(());
    }
    checkpoint(writer, "full").await?;
    write(writer, Mark::Closed).await?;
    checkpoint(writer, "truncate").await
}

/// The statement by which a copy says of itself that it is complete.
pub(crate) fn closing() -> String {
    format!("update setting set value = '{CLOSED}' where name = '{NAME}'")
}

/// Gives the schema a number that no copy which SQLite makes comes by.
pub(crate) async fn number_schema(writer: &DatabaseConnection) -> Result<(), DbErr> {
    let number = schema_number(writer).await?;
    if number < SCHEMA_NUMBERS_FROM {
        writer.execute_unprepared(&format!("pragma schema_version = {}", SCHEMA_NUMBERS_FROM + number)).await?;
    }
    Ok(())
}

/// Moves what can be moved while others read; whether that is all.
pub(crate) async fn checkpoint_without_waiting(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let asked = Statement::from_string(DbBackend::Sqlite, "pragma wal_checkpoint(passive)");
    let Some(found) = connection.query_one_raw(asked).await? else { return Ok(false) };
    let (pages, moved): (i32, i32) = (found.try_get_by_index(1)?, found.try_get_by_index(2)?);
    Ok(pages == moved)
}

/// Forgets what the lock file says about a log: another database takes this one's place.
pub(crate) fn forget_log(path: &Path) -> io::Result<()> {
    let lock = OpenOptions::new().write(true).open(beside(path, ".lock"))?;
    lock.set_len(0)?;
    lock.sync_all()
}

/// The mark after which the lock file says that a log was begun.
fn log_begun(path: &Path) -> Option<u64> {
    fs::read_to_string(beside(path, ".lock")).ok()?.trim().parse().ok()
}

fn note_log_begun(path: &Path, mark: u64) -> io::Result<()> {
    let lock = OpenOptions::new().write(true).open(beside(path, ".lock"))?;
    // Always as long as before: however this is cut off, one number or the other is there.
    lock.write_all_at(format!("{mark:020}\n").as_bytes(), 0)?;
    lock.sync_all()
}

/// Moves the log into the main file: all that is committed (`full`), or that and the log is left empty (`truncate`).
async fn checkpoint(connection: &impl ConnectionTrait, how: &str) -> Result<(), DbErr> {
    let sql = format!("pragma wal_checkpoint({how})");
    match number_of(connection, &sql).await? {
        Some(0) => Ok(()),
        _ => Err(unavailable("another program holds an old state of the database")),
    }
}

async fn read(connection: &impl ConnectionTrait) -> Result<Mark, DbErr> {
    let has_settings = "select count(*) from sqlite_schema where type = 'table' and name = 'setting'";
    if number_of(connection, has_settings).await? != Some(1) {
        return Ok(Mark::Closed);
    }
    let sql = "select value from setting where name = $1";
    let read = Statement::from_sql_and_values(DbBackend::Sqlite, sql, [NAME.into()]);
    let Some(row) = connection.query_one_raw(read).await? else { return Ok(Mark::Closed) };
    Ok(Mark::parse(&row.try_get_by_index::<String>(0)?))
}

async fn write(writer: &DatabaseConnection, mark: Mark) -> Result<(), DbErr> {
    let sql = "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = $2";
    let values = [NAME.into(), mark.text().into()];
    writer.execute_raw(Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)).await?;
    Ok(())
}

async fn schema_number(connection: &impl ConnectionTrait) -> Result<i64, DbErr> {
    Ok(number_of(connection, "pragma schema_version").await?.unwrap_or_default())
}

/// The first number of a statement's first row.
async fn number_of(connection: &impl ConnectionTrait, sql: &str) -> Result<Option<i64>, DbErr> {
    let found = connection.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?;
    found.map(|row| row.try_get_by_index(0)).transpose()
}

#[cfg(test)]
mod tests {
    use super::{CLOSED, IN_USE, Mark};

    #[test]
    fn a_main_file_is_whole_when_it_says_so_was_copied_by_sqlite_or_has_a_mark_of_its_log() {
        let mark = Mark::InUse { number: 7, schema: Some(1_380_000_080) };
        assert_eq!(Mark::parse(&mark.text()), mark);
        assert_eq!(Mark::parse(CLOSED), Mark::Closed);
        let older = Mark::parse(IN_USE);
        assert_eq!(older, Mark::InUse { number: 0, schema: None });
        for (mark, schema, log_begun, is_whole) in [
            (Mark::Closed, 1_380_000_080, Some(7), true),
            (Mark::Closed, 1, None, true),
            // As the service left it.
            (mark, 1_380_000_080, Some(7), false),
            // A copy of the main file has no lock file.
            (mark, 1_380_000_080, None, false),
            // The log, which began with the mark 7, was moved in.
            (mark, 1_380_000_080, Some(6), true),
            // Copies that SQLite made.
            (mark, 1, None, true),
            (mark, 1_380_000_081, None, true),
            (older, 80, None, false),
        ] {
            assert_eq!(mark.is_whole(schema, log_begun), is_whole, "{mark:?} {schema} {log_begun:?}");
        }
    }
}

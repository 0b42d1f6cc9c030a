//! Opening the database: one writer on SQLite, a pool on PostgreSQL.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use migration::{Migrator, MigratorTrait};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{Connection, Executor};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, RuntimeErr, TransactionTrait, sqlx,
};

use super::kept_connections::KeptConnections;
use super::schema;
use super::sqlite::file::SqliteFile;
use super::sqlite::own_files::{lock_file, make_private};
use super::sqlite::{check, files, log_damage, log_marker};
use super::writer::Writer;
use crate::{DatabaseSettings, Result, StoreError, private_files, server};

/// How long a caller waits for a connection to PostgreSQL before the database counts as unavailable. While a server is
/// away every attempt to connect is repeated for so long, so this is how soon a caller hears of it.
const POSTGRES_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
/// The same for an SQLite file, which is never away: what holds its connections is work that ends.
const SQLITE_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long SQLite waits for another writer, which can only be a tool beside the service.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const SQLITE_READERS: u32 = 4;
/// Pages that SQLite's writer keeps in memory, in KiB with a minus sign: the ends of all indexes that findings go to.
const WRITER_CACHE: &str = "-65536";
/// Where SQLite's writer keeps the pages that it may have to restore when a statement fails (one that updates on conflict
/// may): in a file it would write every such page twice.
const WRITER_NOTES: &str = "memory";
/// After how many pages in the log SQLite moves them to the file inside of a commit: never, since `SqliteFile` moves them
/// beside the commits.
const CHECKPOINT_PAGES: &str = "0";
/// To what length SQLite cuts the log when it begins it anew, in bytes: a commit fits, so that it seldom has to grow.
const LOG_KEPT: &str = "4194304";
/// The largest file whose every page is looked at before it is served, which takes less than a second.
const CHECKED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Rows that SQLite's thread reads ahead of the caller, so that both sides sleep less often during a commit.
const ROW_BUFFER: usize = 1_024;
/// How long PostgreSQL lets a transaction of ours stand idle before it undoes it: a process that is frozen in the middle
/// of one keeps the accounts that it has locked from everybody for so long. What lies between two statements of ours is
/// a matter of milliseconds.
const IDLE_IN_TRANSACTION_MAX: &str = "2s";
/// Held by the process that migrates, until its transaction ends; the number is ours and means nothing.
const MIGRATION_TURN: &str = "select pg_advisory_xact_lock(5176320419)";

pub(crate) struct Opened {
    pub write: Writer,
    pub read: DatabaseConnection,
    pub backend: Backend,
}

/// What is particular to each of the two databases.
pub(crate) enum Backend {
    /// The file is ours alone for as long as this lock is held.
    Sqlite {
        _lock: File,
    },
    Postgres(KeptConnections),
}

pub(crate) async fn open(settings: &DatabaseSettings) -> Result<Opened> {
    match settings.url.split_once("://") {
        Some(("sqlite", path)) if !path.is_empty() => open_sqlite(Path::new(path)).await,
        Some(("postgres" | "postgresql", _)) => {
            let read = match open_postgres(settings).await {
                Ok(read) => read,
                Err(error) => return Err(server::obstacle(&settings.url).await.map_or(error, StoreError::open)),
            };
            schema::refuse_foreign(&read).await?;
            migrate(&read, false).await?;
            let kept = KeptConnections::new(read.get_postgres_connection_pool().clone());
            Ok(Opened { write: Writer::new(read.clone(), None), read, backend: Backend::Postgres(kept) })
        }
        _ => Err(StoreError::open("must begin with sqlite:// or postgres://")),
    }
}

/// Brings the schema up to date. Processes that start at the same time on a server take turns.
async fn migrate(write: &DatabaseConnection, is_alone: bool) -> Result<()> {
    let migrated = async {
        if is_alone {
            Migrator::up(write, None).await?;
            return log_marker::number_schema(write).await;
        }
        let turn = write.begin().await?;
        // It stands idle while the migrations run on a connection of their own.
        turn.execute_unprepared("set local idle_in_transaction_session_timeout = 0").await?;
        turn.execute_unprepared(MIGRATION_TURN).await?;
        Migrator::up(write, None).await?;
        turn.commit().await
    };
    migrated.await.map_err(|error: DbErr| StoreError::open(format!("the schema cannot be set up: {error}")))
}

/// A process that held leases in this file is gone, so its work can be taken up at once.
async fn end_leases(write: &DatabaseConnection) -> Result<()> {
    for statement in [
        "update feed set lease_until = created_at where lease_until is not null",
        "update feed set next_poll_at = created_at where lease_until is not null and next_poll_at is not null",
        "update set_up set lease_until = null, due_at = 0 where lease_until is not null",
        "update delivery set lease_until = null, due_at = created_at where lease_until is not null and state = 'pending'",
    ] {
        write.execute_unprepared(statement).await?;
    }
    Ok(())
}

async fn open_sqlite(path: &Path) -> Result<Opened> {
    let shown = path.display();
    let unreadable = |error: io::Error| StoreError::open(format!("{shown}: {error}"));
    let lock = lock_file(path)?;
    if let Some(damage) = log_damage::find(path).map_err(unreadable)? {
        return Err(lossy(&damage));
    }
    let had_log = log_damage::has_commit(path).map_err(unreadable)?;
    make_private(path)?;
    // Later connections must not make an empty database where the file was taken away.
    let url = format!("sqlite://{shown}?mode=rw");
    let is_distrusted = Arc::default();
    let write = open_writer(&url, &is_distrusted).await?;
    if !had_log && let Some(missing) = log_marker::missing(&write, path).await? {
        return Err(lossy(&missing));
    }
    refuse_damage(path, &write).await?;
    schema::refuse_foreign(&write).await?;
    let read = sqlite(&url, SQLITE_READERS, &Arc::default(), |options| options.pragma("query_only", "on"));
    let read = connect(read).await?;
    migrate(&write, true).await?;
    end_leases(&write).await?;
    let file = SqliteFile::new(path, write.clone(), read.clone(), SQLITE_READERS, is_distrusted).map_err(unreadable)?;
    Ok(Opened { write: Writer::new(write, Some(file)), read, backend: Backend::Sqlite { _lock: lock } })
}

/// The only connection that writes; `url` names the file.
async fn open_writer(url: &str, is_distrusted: &Arc<AtomicBool>) -> Result<DatabaseConnection> {
    connect(sqlite(url, 1, is_distrusted, |options| {
        options
            .pragma("cache_size", WRITER_CACHE)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            .pragma("journal_size_limit", LOG_KEPT)
            .pragma("temp_store", WRITER_NOTES)
    }))
    .await
}

/// Refuses a file that SQLite itself finds damaged. A large one is left to `radar ledger verify`: a service that was
/// killed is to be back soon.
async fn refuse_damage(path: &Path, write: &DatabaseConnection) -> Result<()> {
    if fs::metadata(path).is_ok_and(|file| file.len() > CHECKED_BYTES_MAX) {
        return Ok(());
    }
    match check::damage(write).await? {
        None => Ok(()),
        Some(damage) => Err(StoreError::open(format!("{} is damaged: {damage}", path.display()))),
    }
}

/// A database that lacks what was committed to it. What is missing is named so that nothing goes on by itself.
fn lossy(problem: &str) -> StoreError {
    StoreError::open(format!(
        "{problem}. Put the log beside it, or restore a backup; `radar serve --accept-loss` goes on without what is missing"
    ))
}

/// Goes on with what there is of an SQLite database whose log is missing or damaged. A sentence on what that was; `None`
/// when nothing is missing. A log whose database is not there is kept aside.
pub(crate) async fn accept_loss(path: &Path) -> Result<Option<String>> {
    let unreadable = |error: io::Error| StoreError::open(format!("{}: {error}", path.display()));
    let database = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let log = files::beside(&database, "-wal");
    let is_there = files::has_content(&database);
    if !is_there && !files::has_content(&log) {
        return Ok(None);
    }
    let _lock = lock_file(path)?;
    let damage = log_damage::find(path).map_err(unreadable)?;
    if !is_there {
        let aside = files::beside(&files::name_aside(&database), "-wal");
        fs::rename(log, &aside).and_then(|()| private_files::sync_folder_of(&aside)).map_err(unreadable)?;
        return Ok(damage.map(|damage| format!("{damage}; it is kept as {}", aside.display())));
    }
    let had_log = log_damage::has_commit(path).map_err(unreadable)?;
    let write = open_writer(&format!("sqlite://{}?mode=rw", path.display()), &Arc::default()).await?;
    let missing = if had_log { None } else { log_marker::missing(&write, path).await? };
    let loss = damage.or(missing);
    if loss.is_some() {
        log_marker::mark_closed(&write).await?;
    }
    write.close().await?;
    Ok(loss)
}

/// `is_distrusted` is taken back by the connection that is closed for it.
fn sqlite(
    url: &str,
    connections: u32,
    is_distrusted: &Arc<AtomicBool>,
    also: impl Fn(SqliteConnectOptions) -> SqliteConnectOptions + Send + Sync + 'static,
) -> ConnectOptions {
    let mut options = base(url, connections, SQLITE_ACQUIRE_TIMEOUT);
    options.min_connections(1).idle_timeout(None).max_lifetime(None).map_sqlx_sqlite_opts(move |sqlite| {
        also(
            sqlite
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(BUSY_TIMEOUT)
                .row_buffer_size(ROW_BUFFER)
                .statement_cache_capacity(256),
        )
    });
    let is_distrusted = is_distrusted.clone();
    // After an error on the disk SQLite may have ended a transaction by itself. The driver then takes the connection for
    // being inside of one, and every later transaction for a part of it, which nobody would ever commit.
    options.map_sqlx_sqlite_before_acquire(move |connection, _| {
        let is_usable = !connection.is_in_transaction() && !is_distrusted.swap(false, SeqCst);
        Box::pin(async move { Ok(is_usable) })
    });
    options
}

async fn open_postgres(settings: &DatabaseSettings) -> Result<DatabaseConnection> {
    let mut options = base(&settings.url, settings.max_connections.max(2), POSTGRES_ACQUIRE_TIMEOUT);
    options.map_sqlx_postgres_opts(move |postgres| {
        postgres.application_name("radar").options([
            ("lock_timeout", "5s"),
            ("statement_timeout", "30s"),
            ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MAX),
            ("synchronous_commit", "on"),
            // Otherwise it reads a whole table for the few hundred rows of a group, which an index leads to sooner.
            ("random_page_cost", "1.1"),
            // To compile a statement takes longer than any of ours runs; a recursive one looks costly enough for it.
            ("jit", "off"),
            ("client_min_messages", "error"),
        ])
    });
    // A caller may go away before its BEGIN is answered. The next writer on that connection would then write into a
    // transaction that nobody commits. This also tells whether the connection is alive.
    options.test_before_acquire(false).map_sqlx_postgres_before_acquire(|connection, _| {
        Box::pin(async move { connection.execute("rollback").await.map(|_| true) })
    });
    connect(options).await
}

fn base(url: &str, connections: u32, acquire_timeout: Duration) -> ConnectOptions {
    let mut options = ConnectOptions::new(url.to_owned());
    options
        .max_connections(connections)
        .acquire_timeout(acquire_timeout)
        .connect_timeout(acquire_timeout)
        .sqlx_logging(false);
    options
}

async fn connect(options: ConnectOptions) -> Result<DatabaseConnection> {
    Database::connect(options).await.map_err(|error| cannot_open(&error))
}

/// One connection beside a service that may be running. `mode` is what it may do with an SQLite file.
pub(crate) async fn open_beside(
    settings: &DatabaseSettings,
    mode: &str,
    also: impl FnOnce(&mut ConnectOptions),
) -> Result<DatabaseConnection> {
    let url = match settings.url.strip_prefix("sqlite://") {
        Some(path) => format!("sqlite://{path}?mode={mode}"),
        None => settings.url.clone(),
    };
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    also(&mut options);
    let connection = connect(options).await?;
    schema::refuse_foreign(&connection).await?;
    Ok(connection)
}

/// Why there is no connection. Of an address that cannot be read nothing is repeated: it may hold a password.
fn cannot_open(error: &DbErr) -> StoreError {
    let is_malformed = match error {
        DbErr::Conn(RuntimeErr::SqlxError(error)) => matches!(**error, sqlx::Error::Configuration(_)),
        DbErr::Conn(RuntimeErr::Internal(_)) => true,
        _ => false,
    };
    match is_malformed {
        true => StoreError::open("the address cannot be read"),
        false => StoreError::open(format!("the database cannot be opened: {error}")),
    }
}

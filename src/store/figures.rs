//! Figures of the database for operators.

use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use sea_orm::DatabaseConnection;

use crate::database::Backend;
use crate::{Result, Store};

/// The connections of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolCounts {
    /// How many are open.
    pub open: u32,
    /// How many of these nobody uses.
    pub idle: u32,
}

/// How long the files of an SQLite database are, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSizes {
    /// The main file.
    pub database: u64,
    /// Its log.
    pub log: u64,
}

impl Store {
    /// The pools by their names. On PostgreSQL there is one for everything.
    pub fn pools(&self) -> Vec<(&'static str, PoolCounts)> {
        match self.backend {
            Backend::Sqlite { .. } => {
                vec![("write", sqlite_counts(self.write.pool())), ("read", sqlite_counts(&self.read))]
            }
            Backend::Postgres(_) => {
                let pool = self.read.get_postgres_connection_pool();
                vec![("all", counts(pool.size(), pool.num_idle()))]
            }
        }
    }

    /// The lengths of the files; `None` on PostgreSQL.
    pub async fn file_sizes(&self) -> Result<Option<FileSizes>> {
        let Backend::Sqlite { .. } = self.backend else { return Ok(None) };
        let path = self.first("select file from pragma_database_list where name = 'main'", ()).await?;
        let Some(path): Option<String> = path else { return Ok(None) };
        let log = PathBuf::from(format!("{path}-wal"));
        let length = |path: PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
        Ok(Some(FileSizes { database: length(path.into()), log: length(log) }))
    }

    /// When the feed was or is due that comes first among those that are polled. One that is being polled is due when its
    /// lease ends.
    pub async fn oldest_due_feed(&self) -> Result<Option<DateTime<Utc>>> {
        let first = "select min(next_poll_at) from feed where next_poll_at is not null and open_attempts = 0";
        Ok(self.first(first, ()).await?.flatten())
    }
}

fn sqlite_counts(connection: &DatabaseConnection) -> PoolCounts {
    let pool = connection.get_sqlite_connection_pool();
    counts(pool.size(), pool.num_idle())
}

fn counts(open: u32, idle: usize) -> PoolCounts {
    PoolCounts { open, idle: u32::try_from(idle).unwrap_or(u32::MAX) }
}

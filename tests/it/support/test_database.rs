//! One empty database: a SQLite file, or what a PostgreSQL server holds at an address.

use tempfile::TempDir;

/// An empty database of one test.
pub struct TestDatabase {
    url: String,
    /// Holds the SQLite file; `None` on PostgreSQL.
    _folder: Option<TempDir>,
}

impl TestDatabase {
    /// A SQLite file in a temporary folder.
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("radar.db").display());
        Self { url, _folder: Some(folder) }
    }

    /// A database that somebody else makes and removes.
    pub fn at(url: &str) -> Self {
        Self { url: url.to_owned(), _folder: None }
    }

    /// Its address, fit for `database.url`.
    pub fn url(&self) -> &str {
        &self.url
    }
}

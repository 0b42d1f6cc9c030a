//! One empty database per test, on SQLite always and on PostgreSQL where it is installed.

use std::future::Future;

use tempfile::TempDir;

use super::postgres::Server;

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

/// Runs `body` on an empty SQLite database, and then on an empty PostgreSQL database where there is a server.
///
/// The database of a test that fails on PostgreSQL stays for a look when the server is one of `TEST_POSTGRES_URL`.
pub async fn on_both_databases<F: Future<Output = ()>>(body: impl Fn(TestDatabase) -> F) {
    body(TestDatabase::sqlite()).await;
    if let Some(server) = Server::shared() {
        let url = server.create_database().await;
        body(TestDatabase::at(&url)).await;
        server.drop_database(&url).await;
    }
}

//! Empty databases for a test, on SQLite always and on PostgreSQL where it is installed.

use std::future::Future;
use std::panic;
use std::thread::{self, ScopedJoinHandle};

use actix_web::rt::System;

use super::postgres::Server;
pub use super::test_database::TestDatabase;

/// Runs `body` on an empty SQLite database, and at the same time on an empty PostgreSQL database where there is a server:
/// both wait more than they work. Each has a thread of its own.
///
/// The database of a test that fails on PostgreSQL stays for a look when the server is one of `TEST_POSTGRES_URL`.
pub async fn on_both_databases<F: Future<Output = ()>>(body: impl Fn(TestDatabase) -> F + Sync) {
    let on = |database: TestDatabase| System::new().block_on(body(database));
    let Some(server) = Server::shared() else { return in_threads(&on, vec![TestDatabase::sqlite()]) };
    let url = server.create_database().await;
    in_threads(&on, vec![TestDatabase::sqlite(), TestDatabase::at(&url)]);
    server.drop_database(&url).await;
}

fn in_threads(on: &(impl Fn(TestDatabase) + Sync), databases: Vec<TestDatabase>) {
    thread::scope(|scope| {
        let threads: Vec<_> = databases.into_iter().map(|database| scope.spawn(move || on(database))).collect();
        let failures: Vec<_> = threads.into_iter().map(ScopedJoinHandle::join).filter_map(Result::err).collect();
        if let Some(failure) = failures.into_iter().next() {
            panic::resume_unwind(failure);
        }
    });
}

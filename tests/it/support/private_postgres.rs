//! A PostgreSQL cluster of one test, which may stop it.

use std::io::Write;

use super::failing_disk::FailingDisk;
use super::postgres::{Cluster, Server, programs};

/// The server; gone when it is dropped.
pub struct PrivateServer {
    server: Server,
    cluster: Cluster,
}

impl PrivateServer {
    /// Sets one up; `None` where PostgreSQL is not installed.
    pub fn start() -> Option<Self> {
        Self::start_on(None)
    }

    /// The same, with its data on a disk that fails on demand.
    pub fn start_on(disk: Option<&FailingDisk>) -> Option<Self> {
        Server::shared()?;
        let cluster = Cluster::start_with(&programs()?, |data| {
            disk.map(|disk| disk.environment(data).to_vec()).unwrap_or_default()
        });
        Some(Self { server: Server::given(&cluster.url()), cluster })
    }

    /// Makes an empty database and returns its address.
    pub async fn create_database(&self) -> String {
        self.server.create_database().await
    }

    /// Stops the server at once, as a crash of it would; blocks until it is away.
    pub fn stop_at_once(&mut self) {
        self.order("stop");
    }

    /// Starts the server that was stopped; blocks until it answers.
    pub fn start_again(&mut self) {
        self.order("start");
    }

    /// Starts the server anew, whether it has given up, is about to, or works; blocks until it answers.
    pub fn revive(&mut self) {
        self.order("revive");
    }

    /// Makes the server keep silent, with every connection open.
    pub fn freeze(&mut self) {
        self.order("freeze");
    }

    /// Lets a server that was frozen go on.
    pub fn thaw(&mut self) {
        self.order("thaw");
    }

    fn order(&mut self, wanted: &str) {
        writeln!(self.cluster.process.stdin.as_mut().expect("a pipe"), "{wanted}").expect("the script reads");
        self.cluster.wait();
    }
}

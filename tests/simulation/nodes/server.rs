//! What the processes share beside each other: a PostgreSQL server with a copy of the template for each run, and a receiver
//! that takes every delivery.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

use sea_orm::{ConnectionTrait, Database};

use crate::postgres::Server;
use crate::template;

/// The addresses of the template, which nobody may be connected to, and of a database beside it.
struct Template {
    url: String,
    beside: String,
}

static TEMPLATE: LazyLock<Option<Template>> = LazyLock::new(|| {
    let server = Server::shared()?;
    Some(template::apart(async move || {
        let (url, beside) = (server.create_database().await, server.create_database().await);
        template::fill(&url).await;
        Template { url, beside }
    }))
});

static RECEIVER: LazyLock<u16> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            thread::spawn(move || take_all(&connection).ok());
        }
    });
    port
});

/// The port of the receiver.
pub fn receiver() -> u16 {
    *RECEIVER
}

/// Whether there is a server.
pub fn is_there() -> bool {
    TEMPLATE.is_some()
}

/// A database of its own for a run.
pub fn create() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let template = TEMPLATE.as_ref().expect("a server");
    let copied = name(&template.url);
    let created = format!("{copied}_{}", COUNT.fetch_add(1, Relaxed));
    execute(format!("create database {created} template {copied}"));
    template.url.replace(copied, &created)
}

/// Removes it.
pub fn remove(url: &str) {
    let (server, url) = (Server::shared().expect("a server"), url.to_owned());
    template::apart(async move || server.drop_database(&url).await);
}

fn name(url: &str) -> &str {
    url.split('?').next().and_then(|address| address.rsplit('/').next()).expect("a name")
}

fn execute(statement: String) {
    let beside = TEMPLATE.as_ref().expect("a server").beside.clone();
    template::apart(async move || {
        let database = Database::connect(beside).await.expect("the server answers");
        database.execute_unprepared(&statement).await.expect("done");
        database.close().await.expect("closed");
    });
}

/// Answers each request of a connection.
fn take_all(connection: &TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(("content-length", value)) = line.to_ascii_lowercase().split_once(':') {
                length = value.trim().parse().unwrap_or_default();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        std::io::copy(&mut reader.by_ref().take(length), &mut std::io::sink())?;
        let mut writer = connection;
        writer.write_all(b"HTTP/1.1 204 No Content\r\n\r\n")?;
    }
}

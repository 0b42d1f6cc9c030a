//! Why a PostgreSQL server cannot be reached.

use std::io::{Error, ErrorKind};
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use tokio::net::TcpStream;

/// How long the server may take to take up a connection.
const CONNECT_MAX: Duration = Duration::from_secs(2);

/// What keeps anybody from connecting to the server that `url` names; `None` where a connection is taken up. The pool tries
/// until its time is over, and then knows only that it is.
pub(crate) async fn obstacle(url: &str) -> Option<String> {
    let options: PgConnectOptions = url.parse().ok()?;
    let (host, port) = (options.get_host(), options.get_port());
    let is_socket = host.starts_with('/');
    if is_socket {
        return None;
    }
    let host = if host.contains(':') { format!("[{}]", host.trim_matches(['[', ']'])) } else { host.to_owned() };
    let address = format!("{host}:{port}");
    match tokio::time::timeout(CONNECT_MAX, TcpStream::connect(&address)).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(said_of(&error, &address)),
        Err(_) => Some(format!("no answer from {address}")),
    }
}

fn said_of(error: &Error, address: &str) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => format!("connection refused by {address}"),
        _ => format!("{address} cannot be reached: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::obstacle;

    #[actix_rt::test]
    async fn what_refuses_is_named_without_the_password() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let url = format!("postgres://radar:hunter2@127.0.0.1:{port}/radar");
        assert_eq!(obstacle(&url).await, None);
        drop(listener);
        assert_eq!(obstacle(&url).await, Some(format!("connection refused by 127.0.0.1:{port}")));
        let unknown = obstacle("postgres://radar:hunter2@nowhere.invalid/radar").await.expect("an obstacle");
        assert!(unknown.starts_with("nowhere.invalid:5432 cannot be reached: "), "{unknown}");
    }
}

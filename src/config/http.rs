//! The settings of the public API.

use std::net::SocketAddr;
use std::time::Duration;

/// `http`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Address of the public API.
    pub listen: SocketAddr,
    /// Connections at most; half of the process's file descriptors, where that is less.
    pub max_connections: usize,
    /// Connections of one address at most.
    pub max_connections_per_address: usize,
    /// How long a connection may stay without a request.
    pub idle_timeout: Duration,
    /// How long an answer may stay unread.
    pub write_timeout: Duration,
    /// Wrong keys and unknown paths of one address per minute.
    pub failures_per_minute: u32,
}

//! The way out as the service's settings want it.

use std::time::Duration;

use crate::config::Outbound;

/// How targets are fetched.
#[derive(Clone, Debug)]
pub struct WebSettings {
    /// Whom to write to about our visits; part of the User-Agent unless empty (`outbound.contact`).
    pub contact: String,
    /// Prefixes of addresses and where they are dialled instead (`outbound.rewrite`).
    pub rewrite: Vec<(String, String)>,
    /// Requests to one host at once.
    pub host_concurrency: usize,
    /// The least time between two requests to one host.
    pub host_gap: Duration,
    /// The same for hosts of documented interfaces, which are meant for programs.
    pub api_host_gap: Duration,
    /// The same for hosts that the rewrite table sends elsewhere: a mirror or gateway limits requests itself.
    pub rewritten_host_gap: Duration,
    /// The longest body that is read unless a fetch says otherwise.
    pub body_bytes_max: usize,
    /// Time-out of one exchange.
    pub timeout: Duration,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            contact: String::new(),
            rewrite: Vec::new(),
            host_concurrency: 2,
            host_gap: Duration::from_secs(1),
            api_host_gap: Duration::from_millis(200),
            rewritten_host_gap: Duration::ZERO,
            body_bytes_max: 8 * 1024 * 1024,
            timeout: Duration::from_secs(15),
        }
    }
}

impl From<&Outbound> for WebSettings {
    fn from(settings: &Outbound) -> Self {
        let rewrite = settings.rewrite.iter().map(|rewrite| (rewrite.from.clone(), rewrite.to.clone()));
        Self {
            contact: settings.contact.clone(),
            rewrite: rewrite.collect(),
            host_gap: settings.host_gap,
            timeout: settings.timeout,
            ..Self::default()
        }
    }
}

//! The settings of one running service, read once at the start.
//!
//! Duty: the layers (built-in, `config/default.toml`, `--config FILE`, environment) become typed values, or the start
//! stops with one line that names the key. Nothing here is read again later, and nothing opens a file of its own but
//! the layers. The keys are described in `config/default.toml`.

pub mod duration;
mod http;
mod layers;
mod reader;
mod redacted;
mod sections;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};
use ipnet::IpNet;

use crate::domain::account_limits::AccountLimits;
use crate::domain::closed;
use crate::domain::encryption::EncryptionKey;
use crate::domain::money::pricing::DefaultPrices;
use crate::domain::scheduling::duty::{CronSchedule, Duty};
pub use http::Http;
use layers::Layers;
use reader::Table;

/// Every setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The public API.
    pub http: Http,
    /// The operator's listener and folder.
    pub operator: Operator,
    /// Where everything is kept.
    pub database: Database,
    /// Which clock runs.
    pub clock: ClockSettings,
    /// Default limits of an account, and the bounds of queues.
    pub limits: Limits,
    /// How targets are fetched.
    pub outbound: Outbound,
    /// Where findings come from.
    pub sources: Sources,
    /// How updates are pushed.
    pub webhooks: Webhooks,
    /// What secrets in the database are encrypted with.
    pub secrets: Secrets,
    /// How long things are kept.
    pub retention: Retention,
    /// `housekeeping`: when each rare duty is begun.
    pub duties: BTreeMap<Duty, CronSchedule>,
    /// `billing.prices`: what an account pays for each radar type that it has no price of its own for (decision 4.2).
    pub prices: DefaultPrices,
    /// What is logged.
    pub log: Log,
}

/// `operator`
#[derive(Clone, PartialEq, Eq)]
pub struct Operator {
    /// Address of the operator API, the metrics and the health checks.
    pub listen: SocketAddr,
    /// The key for `x-operator-key`; `None`: generated at the first start into [`Operator::key_file`].
    pub key: Option<String>,
    /// The data folder.
    pub data_dir: PathBuf,
}

/// `database`
#[derive(Clone, PartialEq, Eq)]
pub struct Database {
    /// `sqlite://…` or `postgres://…`; may hold a password.
    pub url: String,
    /// Connections that this process keeps open at most.
    pub max_connections: u32,
}

/// `clock`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// Which clock runs.
    pub mode: ClockMode,
    /// The first instant of a simulated clock; `None`: the instant of the first start.
    pub start: Option<DateTime<Utc>>,
}

closed! {
    /// `clock.mode`
    ClockMode {
        /// The machine's clock.
        System = "system",
        /// A clock that only the operator API moves.
        Simulated = "simulated",
    }
}

/// `limits`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Those of an account that has none of its own.
    pub of_account: AccountLimits,
    /// Messages that wait for one actor at most.
    pub queue: usize,
}

/// `outbound`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outbound {
    /// Ranges that the address guard lets through to targets (decision 5.9).
    pub allow_private: Vec<IpNet>,
    /// Contact for the User-Agent; may be empty.
    pub contact: String,
    /// Prefixes that are replaced when targets are fetched, the longest first.
    pub rewrite: Vec<Rewrite>,
    /// The shortest pause between two requests to one host.
    pub host_gap: Duration,
    /// The longest that one fetch may take.
    pub timeout: Duration,
}

/// One entry of `outbound.rewrite`: addresses that begin with `from` are fetched from `to` instead. Either may hold a
/// password.
#[derive(Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// The prefix as it stands in the address.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

/// `sources`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Whether the built-in sources are there.
    pub builtin: bool,
    /// A folder with more source files.
    pub dir: Option<PathBuf>,
    /// Replaces every source's own interval.
    pub poll_interval: Option<Duration>,
    /// How many feeds are polled at the same time.
    pub fetches_max: usize,
    /// Whether networks and directories are asked about the companies that are watched.
    pub lookups: bool,
}

/// `webhooks`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhooks {
    /// The pause after each failed attempt; one attempt more than pauses is made (decision 5.3).
    pub retry_schedule: Vec<Duration>,
    /// The longest that one attempt may take.
    pub timeout: Duration,
    /// Attempts of this process under way at the same time.
    pub concurrency: usize,
    /// Ranges that the address guard lets through to receivers (decision 5.9).
    pub allow_private: Vec<IpNet>,
    /// Ports of receivers that are called.
    pub ports: Vec<RangeInclusive<u16>>,
}

/// `secrets`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secrets {
    /// The key that secrets are encrypted with; `None`: made at the first start into the data folder.
    pub key: Option<EncryptionKey>,
    /// Keys that older secrets may still be encrypted with.
    pub previous_keys: Vec<EncryptionKey>,
}

/// `retention`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// How long updates are kept (Spec 6.4).
    pub updates: Duration,
    /// How long radars are kept that have ended, and never shorter than their updates.
    pub radars: Duration,
}

/// `log`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Directives such as `info,radar::webhooks=debug`.
    pub filter: String,
    /// How a line looks.
    pub format: LogFormat,
}

closed! {
    /// `log.format`
    LogFormat {
        /// For people.
        Plain = "plain",
        /// One JSON object a line.
        Json = "json",
    }
}

/// Why the settings cannot be used. Each prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A file is missing or is not TOML.
    #[error("config: {what}: {problem}")]
    Unreadable {
        /// The file.
        what: String,
        /// What the reader said.
        problem: String,
    },
    /// A key that the service does not know.
    #[error("config: {key}: is not a setting ({origin})")]
    UnknownKey {
        /// The key, with dots.
        key: String,
        /// The layer that holds it.
        origin: String,
    },
    /// A variable that is close to one of ours.
    #[error("config: {name}: is not a setting; did you mean {meant}?")]
    UnknownVariable {
        /// The variable.
        name: String,
        /// The variable that may be meant.
        meant: String,
    },
    /// A key without a value.
    #[error("config: {key}: is missing")]
    Missing {
        /// The key, with dots.
        key: String,
    },
    /// A value that the key cannot have.
    #[error("config: {key}: {problem}{} ({origin})", got(given.as_deref()))]
    Value {
        /// The key, with dots.
        key: String,
        /// What the value must be.
        problem: String,
        /// The value, unless it is secret.
        given: Option<String>,
        /// The layer that holds it.
        origin: String,
    },
}

impl Config {
    /// Reads all layers; `file` is that of `--config`.
    ///
    /// # Errors
    /// [`ConfigError`] for the first key that is unknown, missing or wrong.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        Self::from_layers(&Layers::of_process(file))
    }

    /// The built-in settings alone.
    ///
    /// # Errors
    /// None in a build that passes its tests.
    pub fn built_in() -> Result<Self, ConfigError> {
        Self::from_layers(&Layers { beside_us: None, chosen: None, environment: BTreeMap::new() })
    }

    fn from_layers(layers: &Layers<'_>) -> Result<Self, ConfigError> {
        let mut root = Table::root(layers.merge()?);
        let config = sections::config(&mut root)?;
        layers.refuse_misspelt(root.known())?;
        root.finish()?;
        Ok(config)
    }
}

impl Operator {
    /// Where a generated operator key is kept.
    pub fn key_file(&self) -> PathBuf {
        self.data_dir.join("operator.key")
    }
}

fn got(given: Option<&str>) -> String {
    given.map(|given| format!(", got {given}")).unwrap_or_default()
}

#[cfg(test)]
mod tests;

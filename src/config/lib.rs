//! The settings of one running service, read once at the start.
//!
//! Duty: the layers (built-in, `config/default.toml`, `--config FILE`, environment) become typed values, or the start
//! stops with one line that names the key. Nothing here is read again later, and nothing opens a file of its own but
//! the layers. The keys are described in `config/default.toml`.

pub mod check;
pub mod duration;
mod layers;
mod own_hosts;
mod reader;
mod redacted;
mod rewrite;
mod sections;
mod smtp;
mod telemetry;
mod values;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::scheduling::duty::CronSchedule;
use domain::{DefaultPrices, Duty};
use layers::Layers;
pub use own_hosts::OwnHosts;
pub use rewrite::Rewrite;
pub use sections::{ClockSettings, Database, Http, Limits, Operator, Outbound, Retention, Secrets, Sources, Webhooks};
pub use smtp::Smtp;
pub use telemetry::{Log, Telemetry};
pub use words::{ClockMode, LogFormat};

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
    /// How mails are sent.
    pub smtp: Smtp,
    /// How long things are kept.
    pub retention: Retention,
    /// `housekeeping`: when each rare duty is begun.
    pub duties: BTreeMap<Duty, CronSchedule>,
    /// `billing.prices`: what an account pays for each radar type that it has no price of its own for (decision 4.2).
    pub prices: DefaultPrices,
    /// Where traces go.
    pub telemetry: Telemetry,
    /// What is logged.
    pub log: Log,
}

/// What comes of reading settings.
pub type Result<T, E = ConfigError> = std::result::Result<T, E>;

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

impl ConfigError {
    /// The key that it is about.
    fn key(&self) -> Option<&str> {
        match self {
            Self::UnknownKey { key, .. } | Self::Missing { key } | Self::Value { key, .. } => Some(key),
            Self::Unreadable { .. } | Self::UnknownVariable { .. } => None,
        }
    }
}

/// The built-in settings as a file that changes none of them: every value is a comment, below what explains it.
pub fn commented() -> String {
    let is_value = |line: &&str| !line.is_empty() && !line.starts_with(['#', '[']);
    let line = |line: &str| if is_value(&line) { format!("#{line}\n") } else { format!("{line}\n") };
    layers::BUILT_IN.lines().map(line).collect()
}

impl Config {
    /// Reads all layers; `file` is that of `--config`.
    ///
    /// # Errors
    /// [`ConfigError`] for the first key that is unknown, missing or wrong.
    pub fn load(file: Option<&Path>) -> Result<Self> {
        Self::from_layers(&Layers::of_process(file))
    }

    /// The built-in settings alone.
    ///
    /// # Errors
    /// None in a build that passes its tests.
    pub fn built_in() -> Result<Self> {
        Self::from_layers(&Layers::built_in())
    }

    fn from_layers(layers: &Layers<'_>) -> Result<Self> {
        let tree = layers.merge()?;
        match layers.misspelt().next() {
            Some(misspelt) => Err(misspelt),
            None => sections::whole(tree),
        }
    }
}

impl Operator {
    /// Where a generated operator key is kept.
    pub fn key_file(&self) -> PathBuf {
        self.data_dir.join("operator.key")
    }
}

impl Database {
    /// The address without user, password and parameters.
    pub fn address(&self) -> String {
        Self::address_in(&self.url)
    }

    fn address_in(url: &str) -> String {
        let (scheme, rest) = url.split_once("://").unwrap_or_default();
        let is_file = scheme == "sqlite";
        // A password may hold any character.
        let place = rest.rsplit_once('@').filter(|_| !is_file).map_or(rest, |(_, place)| place);
        format!("{scheme}://{}", place.split(['?', '#']).next().unwrap_or_default())
    }
}

fn got(given: Option<&str>) -> String {
    given.map(|given| format!(", got {given}")).unwrap_or_default()
}

#[cfg(test)]
mod tests;

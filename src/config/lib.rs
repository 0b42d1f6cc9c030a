//! The settings of one running service, read once at the start.
//!
//! Duty: the layers (built-in, `config/default.toml`, `--config FILE`, environment) become typed values, or the start
//! stops with one line that names the key. Nothing here is read again later, and nothing opens a file of its own but
//! the layers. The keys are described in `config/default.toml`.

pub mod duration;
mod layers;
mod own_hosts;
mod reader;
mod redacted;
mod rewrite;
mod sections;
mod values;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::money::pricing::DefaultPrices;
use domain::scheduling::duty::{CronSchedule, Duty};
use layers::Layers;
pub use own_hosts::OwnHosts;
use reader::Table;
pub use rewrite::Rewrite;
pub use sections::{
    ClockMode, ClockSettings, Database, Http, Limits, Log, LogFormat, Operator, Outbound, Retention, Secrets, Sources,
    Webhooks,
};

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
        layers.refuse_misspelt()?;
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

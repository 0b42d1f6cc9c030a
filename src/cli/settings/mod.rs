//! `radar config`: what is wrong with the settings, and which are in force.

use std::path::Path;

use clap::Subcommand;
use serde_json::{Value, json};

use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use config::check::{self, Shown};

/// What is asked about the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// List everything that is wrong with the settings; the exit code is 0 when nothing is
    Check,
    /// Show every setting, its value and where that comes from. Secrets are hidden
    Show,
}

/// Answers, without starting anything.
pub fn run(file: Option<&Path>, command: &ConfigCommand, as_json: bool) -> Result<()> {
    match command {
        ConfigCommand::Check => check(file, as_json),
        ConfigCommand::Show => show(file, as_json),
    }
}

fn check(file: Option<&Path>, as_json: bool) -> Result<()> {
    let found: Vec<String> = check::problems(file).iter().map(ToString::to_string).collect();
    let text = if found.is_empty() { "the settings are well".to_owned() } else { found.join("\n") };
    output::either(&json!({ "errors": found }), &text, as_json)?;
    match found.len() {
        0 => Ok(()),
        1 => Err(Failure::found_in("config", "a setting is wrong")),
        count => Err(Failure::found_in("config", format!("{count} settings are wrong"))),
    }
}

fn show(file: Option<&Path>, as_json: bool) -> Result<()> {
    let settings = check::in_force(file)?;
    let record = |setting: &Shown| json!({"key": setting.key, "value": setting.value, "origin": setting.origin});
    let rows = settings.iter().map(|Shown { key, value, origin }| vec![key.clone(), value.clone(), origin.clone()]);
    let text = output::columns(rows);
    output::either(&Value::from(settings.iter().map(record).collect::<Vec<_>>()), &text, as_json)
}

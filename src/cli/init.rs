//! `radar init`, and what `radar` alone says: what this is, and what to do next.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::api_client::local_url;
use super::failure::{Failure, Result};
use super::output;
use crate::app;
use config::Config;

/// The arguments of `radar init`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The file with settings that is made
    #[arg(default_value = "radar.toml")]
    file: PathBuf,
}

/// Writes a file in which every setting is explained and none is changed, makes the operator's key, and prints how to go on.
///
/// # Errors
/// [`Failure`] when the file is there already, or when something cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let file = &arguments.file;
    let made = OpenOptions::new().write(true).create_new(true).open(file);
    made.and_then(|mut made| made.write_all(config::commented().as_bytes()))
        .map_err(|error| Failure::of(file.display(), format!("{error}; `radar init OTHER.toml` makes another file")))?;
    let config = Config::load(Some(file))?;
    app::operator_key(&config.operator)?;
    output::print(&made_text(file, &config))
}

fn made_text(file: &Path, config: &Config) -> String {
    let (file, key) = (file.display(), config.operator.key_file());
    format!(
        "{file}  every setting with its meaning; a line counts once its # is taken away\n\
         {key}  the key of the operator, for you alone\n\n\
         Who to write to, for the owners of the sites that are watched, is worth setting: `contact` in [outbound].\n\n\
         Next:\n\
         \x20 radar serve --config {file}\n\
         \x20 radar admin account create \"My team\" --top-up 25 --config {file}\n\
         \x20 RADAR_API_KEY=… radar preview company_job_openings --domain stripe.com --config {file}\n\n\
         The second prints the key for the third, and for {url}/docs, which shows how to create a radar.",
        key = key.display(),
        url = local_url(config.http.listen),
    )
}

/// What `radar` alone says before it serves.
///
/// # Errors
/// [`Failure`] when standard output cannot be written.
pub fn introduce(config: &Config) -> Result<()> {
    output::print(&format!(
        "radar {version} watches companies, people and industries on the public web and reports what is new.\n\
         It serves now, as `radar serve` does, until Ctrl-C: customers at {public}/docs, operators at {operator}.\n\n\
         Next, in another terminal of this folder:\n\
         \x20 radar admin account create \"My team\" --top-up 25   an account with its key and money\n\
         Or, instead:\n\
         \x20 radar demo     the whole service with sample companies, in a temporary folder\n\
         \x20 radar init     a file with every setting, and what to do with it\n\
         \x20 radar --help   all commands\n",
        version = env!("CARGO_PKG_VERSION"),
        public = local_url(config.http.listen),
        operator = local_url(config.operator.listen),
    ))
}

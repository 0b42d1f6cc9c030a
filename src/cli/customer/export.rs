//! `radar export`: the updates of an account as a file, from a running service.

use clap::Args;
use url::form_urlencoded::Serializer;

use super::access::Access;
use crate::cli::failure::Result;
use crate::cli::output;
use config::Config;

/// The arguments of `radar export`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// jsonl: a line of JSON per update; csv: a table
    #[arg(long, default_value = "jsonl")]
    format: String,
    /// Only updates discovered after this instant, such as 2026-01-31T12:00:00Z
    #[arg(long)]
    since: Option<String>,
    /// Only updates discovered at this instant or before
    #[arg(long)]
    until: Option<String>,
    /// Only these radar types, separated by commas
    #[arg(long)]
    radar_type: Option<String>,
    #[command(flatten)]
    access: Access,
}

/// Asks, and prints the file as it comes.
///
/// # Errors
/// [`Failure`] when the service refused, or when the answer broke off.
pub fn run(config: &Config, arguments: &Arguments) -> Result<()> {
    let work = async { output::download(&arguments.access.client(config)?, &arguments.path()).await };
    actix_rt::System::new().block_on(work)
}

impl Arguments {
    fn path(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("format", &self.format);
        let given = [("since", &self.since), ("until", &self.until), ("radar_type", &self.radar_type)];
        query.extend_pairs(given.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))));
        format!("/v1/updates/export?{}", query.finish())
    }
}

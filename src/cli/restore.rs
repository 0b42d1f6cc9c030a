//! `radar restore FILE`: a backup in the place of the SQLite database.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::Result;
use super::output;
use crate::app::SecretKeys;
use config::Config;
use domain::KeyId;
use store::{self, KeySource};

/// The arguments of `radar restore`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A backup that `radar backup` made
    file: PathBuf,
    /// Replace the database that is there, and keep it under another name
    #[arg(long)]
    replace: bool,
}

/// Puts the backup in place and says which keys its secrets need.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    let file = &arguments.file;
    let restoring = store::restore(&config.database, file, arguments.replace);
    let restored = actix_rt::System::new().block_on(restoring)?;
    let keys = SecretKeys::of(config);
    let known = keys.known()?;
    let is_known = |id: &&KeyId| known.as_ref().is_some_and(|ring| ring.find(id).is_some());
    let unknown: Vec<&KeyId> = restored.secret_keys.iter().filter(|id| !is_known(id)).collect();
    let mut lines = vec![format!("{} is in place, {} bytes", file.display(), restored.bytes)];
    lines.extend(restored.kept_aside.iter().map(|aside| format!("what was there is kept as {}", aside.display())));
    lines.extend(unknown.iter().map(|id| {
        let id = id.as_str().escape_debug();
        format!("its secrets need the key {id}, which is not here: {}", keys.remedy())
    }));
    let data = json!({
        "file": file,
        "bytes": restored.bytes,
        "kept_aside": restored.kept_aside,
        "unknown_secret_keys": unknown.iter().map(|id| id.as_str()).collect::<Vec<_>>(),
    });
    output::either(&data, &lines.join("\n"), as_json)
}

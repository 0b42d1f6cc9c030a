//! `radar backup FILE`: a whole copy of the SQLite database, beside a running service.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::Result;
use super::output;
use crate::app::SecretKeys;
use config::Config;

/// The arguments of `radar backup`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The copy; it is there only once it is whole, checked and on the disk. An earlier backup of that name is replaced
    file: PathBuf,
    /// Copy the keys of the secrets as well, into FILE.key. Whoever has both files has every secret
    #[arg(long)]
    with_key: bool,
}

/// Makes the copy and says which keys its secrets need.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    let file = &arguments.file;
    let copied = actix_rt::System::new().block_on(store::back_up(&config.database, file))?;
    let keys = SecretKeys::of(config);
    let mut key_file = file.clone().into_os_string();
    key_file.push(".key");
    let key_file = PathBuf::from(key_file);
    let has_keys = arguments.with_key && keys.copy_to(&key_file)?;
    let shown = file.display();
    let key_shown = key_file.display();
    let key_ids: Vec<&str> = copied.secret_keys.iter().map(|id| id.as_str()).collect();
    let of_keys = match (has_keys, keys.is_configured()) {
        (true, _) => format!("{key_shown} holds the keys of its secrets: keep it apart from the copy"),
        (false, true) => "it is of no use without the key of its secrets, which secrets.key names".to_owned(),
        (false, false) => format!("it is of no use without the key of its secrets in {}", keys.file().display()),
    };
    let of_keys = match key_ids.as_slice() {
        [] => "there is no secret in it".to_owned(),
        _ => format!("{of_keys} ({})", key_ids.join(", ")),
    };
    let text = format!("{shown}: {} bytes, whole and checked; {of_keys}", copied.bytes);
    let data = json!({
        "file": file,
        "bytes": copied.bytes,
        "secret_keys": key_ids,
        "key_file": has_keys.then_some(key_file),
    });
    output::either(&data, &text, as_json)
}

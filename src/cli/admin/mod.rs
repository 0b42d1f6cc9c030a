//! `radar admin …`: a client of the operator API of a running service.
//!
//! Duty: find the address and the key, send the one request that the command stands for, print the answer.

mod arguments;
mod command;
mod commands;

pub use arguments::Arguments;

use super::api_client::{ApiClient, local_url};
use super::failure::Failure;
use super::output;
use config::{Config, Operator};

/// Runs one command against the running service.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<(), Failure> {
    let request = arguments.command.request()?;
    let key = operator_key(&config.operator)?;
    let base_url = arguments.url.clone().unwrap_or_else(|| local_url(config.operator.listen));
    actix_rt::System::new().block_on(async {
        let client = ApiClient::operator(base_url, key);
        if request.is_download {
            return output::download(&client, &request.path).await;
        }
        let answer = client.send(request.method, &request.path, request.body.as_ref()).await?;
        match answer.accepted()? {
            body if !as_json && !body.is_null() => output::print(&output::readable(&body)),
            _ => output::print(&String::from_utf8_lossy(&answer.body)),
        }
    })
}

/// The key of the settings, or the one that the service has put into its data folder.
fn operator_key(operator: &Operator) -> Result<String, Failure> {
    if let Some(key) = &operator.key {
        return Ok(key.clone());
    }
    let file = operator.key_file();
    let key = std::fs::read_to_string(&file).map_err(|error| {
        Failure::of("operator.key", format!(
            "is not set, and {} cannot be read: {error}; run this where the service runs, or set RADAR_OPERATOR__KEY",
            file.display()
        ))
    })?;
    Ok(key.trim().to_owned())
}

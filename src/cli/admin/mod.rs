//! `radar admin …`: a client of the operator API of a running service.
//!
//! Duty: find the address and the key, send the one request that the command stands for, print the answer.

mod arguments;
mod command;
mod commands;
pub mod why;

pub use arguments::Arguments;

use super::api_client::{ApiClient, local_url};
use super::failure::Failure;
use super::output;
use config::{Config, Operator};

/// Runs one command against the running service.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<(), Failure> {
    let request = arguments.command.request()?;
    actix_rt::System::new().block_on(async {
        let client = client(&config.operator, arguments.url.as_deref())?;
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

/// The operator API at `url`, by default that of the settings. Must be called on a runtime.
fn client(operator: &Operator, url: Option<&str>) -> Result<ApiClient, Failure> {
    let base_url = url.map_or_else(|| local_url(operator.listen), str::to_owned);
    Ok(ApiClient::operator(base_url, operator_key(operator)?))
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

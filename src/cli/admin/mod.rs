//! `radar admin …`: a client of the operator API of a running service.
//!
//! Duty: find the address and the key, send the one request that the command stands for, print the answer.

mod arguments;
mod command;
mod commands;
mod names;
pub mod why;

use std::path::Path;

use serde_json::Value;

pub use arguments::Arguments;

use command::Request;

use super::api_client::{ApiClient, local_url};
use super::failure::Failure;
use super::output::{self, Layout};
use config::{Config, Operator};

/// Runs one command against the running service.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<(), Failure> {
    let command = &arguments.command;
    actix_rt::System::new().block_on(async {
        let client = match command.needs_key() {
            true => client(&config.operator, arguments.url.as_deref(), arguments.key_file.as_deref())?,
            false => ApiClient::operator(base_url(&config.operator, arguments.url.as_deref()), String::new()),
        };
        let request = command.request(&names::ids(&client, command.named()).await?)?;
        if request.is_download {
            return output::download(&client, &request.path).await;
        }
        let layout = if arguments.wide { Layout::WIDE } else { Layout::of_terminal(command.columns()) };
        let layout = (!as_json).then_some(layout);
        // The answer is shown before anything follows: it may hold a key that is never shown again.
        let answered = tell(&client, request, layout.as_ref()).await?;
        match command.opening_payment(&answered) {
            Some(payment) => tell(&client, payment, layout.as_ref()).await.map(drop),
            None => Ok(()),
        }
    })
}

/// Sends a request and prints the answer, laid out or as it came; answers it, too.
async fn tell(client: &ApiClient, request: Request, layout: Option<&Layout>) -> Result<Value, Failure> {
    let answer = client.send(request.method, &request.path, request.body.as_ref()).await?;
    let body = answer.accepted()?;
    match layout {
        Some(layout) if !body.is_null() => output::print(&output::laid_out(&body, layout))?,
        _ => output::print(&String::from_utf8_lossy(&answer.body))?,
    }
    Ok(body)
}

/// The operator API at `url`, by default that of the settings, with the key of `key_file` or of the settings. Must be called
/// on a runtime.
fn client(operator: &Operator, url: Option<&str>, key_file: Option<&Path>) -> Result<ApiClient, Failure> {
    Ok(ApiClient::operator(base_url(operator, url), operator_key(operator, key_file)?))
}

fn base_url(operator: &Operator, url: Option<&str>) -> String {
    url.map_or_else(|| local_url(operator.listen), str::to_owned)
}

/// The key of the file that was named, that of the settings, or the one that the service has put into its data folder.
fn operator_key(operator: &Operator, key_file: Option<&Path>) -> Result<String, Failure> {
    if let Some(file) = key_file {
        let key = std::fs::read_to_string(file).map_err(|error| Failure::of(file.display(), error))?;
        return Ok(key.trim().to_owned());
    }
    if let Some(key) = &operator.key {
        return Ok(key.clone());
    }
    let file = operator.key_file();
    let key = std::fs::read_to_string(&file).map_err(|error| {
        Failure::of("operator.key", format!(
            "is not set, and {} cannot be read: {error}; run this where the service runs, name a --key-file, or set RADAR_OPERATOR__KEY",
            file.display()
        ))
    })?;
    Ok(key.trim().to_owned())
}

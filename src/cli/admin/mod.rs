//! `radar admin …`: a client of the operator API of a running service.
//!
//! Duty: find the address and the key, send the one request that the command stands for, print the answer.

mod access;
mod arguments;
mod command;
mod commands;
mod names;
pub mod why;

use serde_json::Value;

pub use arguments::Arguments;

use arguments::AdminCommand;
use command::Request;

use super::api_client::ApiClient;
use super::failure::Result;
use super::output::{self, Layout};
use config::Config;

/// Runs one command against the running service.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    let Arguments { access, wide, command: asked } = arguments;
    let AdminCommand { command, given } = asked;
    actix_rt::System::new().block_on(async {
        let client = match command.needs_key() {
            true => access.client(&config.operator)?,
            false => ApiClient::operator(access.base_url(&config.operator), String::new()),
        };
        let request = command.request(given, &names::ids(&client, command.named(given)).await?)?;
        if request.is_download {
            return output::download(&client, &request.path).await;
        }
        let layout = if *wide { Layout::WIDE } else { Layout::of_terminal(command.columns) };
        let layout = (!as_json).then_some(layout);
        // The answer is shown before anything follows: it may hold a key that is never shown again.
        let answered = tell(&client, request, layout.as_ref()).await?;
        match asked.opening_payment(&answered) {
            Some(payment) => tell(&client, payment, layout.as_ref()).await.map(drop),
            None => Ok(()),
        }
    })
}

/// Sends a request and prints the answer, laid out or as it came; answers it, too.
async fn tell(client: &ApiClient, request: Request, layout: Option<&Layout>) -> Result<Value> {
    let answer = client.send(request.method, &request.path, request.body.as_ref()).await?;
    let body = answer.accepted()?;
    match layout {
        Some(layout) if !body.is_null() => output::print(&output::laid_out(&body, layout))?,
        _ => output::print(&String::from_utf8_lossy(&answer.body))?,
    }
    Ok(body)
}

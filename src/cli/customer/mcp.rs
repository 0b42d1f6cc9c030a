//! `radar mcp`: the tools of agents on standard input and output, for programs that start their servers themselves.

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use serde_json::{Value, json};

use super::access::Access;
use crate::cli::api_client::ApiClient;
use crate::cli::failure::{Failure, Result};
use crate::mcp::{Api, Outcome, Request, Server};
use config::Config;

/// `radar mcp`
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    access: Access,
}

/// Serves the agent until it closes standard input.
///
/// # Errors
/// [`Failure`] when there is no key, or what comes in is not the protocol.
pub fn run(config: &Config, arguments: &Arguments) -> Result<()> {
    actix_rt::System::new().block_on(async {
        let client = arguments.access.client(config)?;
        let api = Api::new(async move |request| ask(&client, request).await);
        let serving = Server::new(api).serve(stdio()).await.map_err(|error| Failure::of("standard input", error))?;
        serving.waiting().await.map_err(|error| Failure::of("radar mcp", error))?;
        Ok(())
    })
}

async fn ask(client: &ApiClient, Request { method, path, body, idempotency_key }: Request) -> Outcome {
    let answer = client.send_once(method, &path, body.as_ref(), idempotency_key.as_deref()).await;
    let answer = answer.map_err(|error| json!({"message": error.to_string()}))?;
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    if (200..300).contains(&answer.status) { Ok(body) } else { Err(body) }
}

//! `radar why`: asks a running service why a radar, an update or an account is as it is.

use actix_web::http::Method;
use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::access::Access;
use super::command::segment;
use super::names;
use crate::cli::api_client::ApiClient;
use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use config::Config;

/// `radar why`
#[derive(Debug, Args)]
pub struct Arguments {
    /// Id of a radar, an update or an account; or the domain, name or keyword of radars
    id: String,
    #[command(flatten)]
    access: Access,
}

/// Prints the sentence, or one of each radar that watches what was named.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    actix_rt::System::new().block_on(async {
        let client = arguments.access.client(&config.operator)?;
        if Uuid::try_parse(&arguments.id).is_ok() {
            let answer = why(&client, &arguments.id).await?;
            return output::either(&answer, answer["data"]["why"].as_str().unwrap_or_default(), as_json);
        }
        let mut rows = Vec::new();
        for radar in names::radars(&client, &arguments.id).await? {
            let id = radar["radar_id"].as_str().unwrap_or_default();
            let why = why(&client, id).await?["data"]["why"].clone();
            rows.push(json!({"radar_id": id, "radar_type": radar["radar_type"], "why": why}));
        }
        if rows.is_empty() {
            return Err(Failure::of(&arguments.id, "no radar watches this"));
        }
        let line = |row: &Value| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}: {}", text("radar_id"), text("radar_type"), text("why"))
        };
        let text = rows.iter().map(line).collect::<Vec<_>>().join("\n");
        output::either(&json!({"data": rows}), &text, as_json)
    })
}

async fn why(client: &ApiClient, id: &str) -> Result<Value> {
    Ok(client.call(Method::GET, &format!("/operator/v1/why/{}", segment(id)), None).await?)
}

//! `radar why ID`: asks a running service why a radar, an update or an account is as it is.

use actix_web::http::Method;
use clap::Args;
use url::form_urlencoded::byte_serialize;

use super::client;
use crate::cli::failure::Failure;
use crate::cli::output;
use config::Config;

/// `radar why`
#[derive(Debug, Args)]
pub struct Arguments {
    /// Id of a radar, an update or an account
    id: String,
    /// Address of the operator API, such as http://127.0.0.1:8081; by default that of operator.listen
    #[arg(long)]
    url: Option<String>,
}

/// Prints the sentence.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<(), Failure> {
    let id: String = byte_serialize(arguments.id.as_bytes()).collect();
    actix_rt::System::new().block_on(async {
        let client = client(&config.operator, arguments.url.as_deref())?;
        let answer = client.call(Method::GET, &format!("/operator/v1/why/{id}"), None).await?;
        output::either(&answer, answer["data"]["why"].as_str().unwrap_or_default(), as_json)
    })
}

//! How a command reaches the public API of a running service as a customer.

use crate::cli::api_client::{ApiClient, local_url};
use crate::cli::failure::{Failure, Result};
use config::Config;

/// The variable that holds the API key.
const API_KEY: &str = "RADAR_API_KEY";

/// The arguments that say where and as whom.
#[derive(Debug, clap::Args)]
pub struct Access {
    /// API key of an account; by default that of the variable RADAR_API_KEY
    #[arg(long)]
    api_key: Option<String>,
    /// Address of the public API, such as http://127.0.0.1:8080; by default that of http.listen
    #[arg(long)]
    url: Option<String>,
}

impl Access {
    /// A client, to be made within a runtime.
    ///
    /// # Errors
    /// [`Failure`] when there is no key.
    pub fn client(&self, config: &Config) -> Result<ApiClient> {
        let given = self.api_key.clone().or_else(|| std::env::var(API_KEY).ok());
        let key = given.ok_or_else(|| Failure::of("--api-key", format!("is missing, and so is {API_KEY}")))?;
        Ok(ApiClient::public(self.url.clone().unwrap_or_else(|| local_url(config.http.listen)), key))
    }
}

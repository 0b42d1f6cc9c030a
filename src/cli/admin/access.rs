//! How a command reaches the operator API of a running service.

use std::path::PathBuf;

use crate::cli::api_client::{ApiClient, local_url};
use crate::cli::failure::{Failure, Result};
use config::Operator;

/// The arguments that say where and with which key.
#[derive(Debug, clap::Args)]
pub(super) struct Access {
    /// Address of the operator API, such as http://127.0.0.1:8081; by default that of operator.listen
    #[arg(long, global = true)]
    url: Option<String>,
    /// A file that holds the operator's key; by default operator.key of the settings, or its file in the data folder
    #[arg(long, global = true, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Access {
    /// A client, to be made within a runtime.
    ///
    /// # Errors
    /// [`Failure`] when there is no key.
    pub(super) fn client(&self, operator: &Operator) -> Result<ApiClient> {
        Ok(ApiClient::operator(self.base_url(operator), self.key(operator)?))
    }

    /// Where the operator API is.
    pub(super) fn base_url(&self, operator: &Operator) -> String {
        self.url.clone().unwrap_or_else(|| local_url(operator.listen))
    }

    /// The key of the file that was named, that of the settings, or the one that the service has put into its data folder.
    fn key(&self, operator: &Operator) -> Result<String> {
        let (file, is_named) = match (&self.key_file, &operator.key) {
            (Some(file), _) => (file.clone(), true),
            (None, Some(key)) => return Ok(key.clone()),
            (None, None) => (operator.key_file(), false),
        };
        let key = std::fs::read_to_string(&file).map_err(|error| match is_named {
            true => Failure::of(file.display(), error),
            false => Failure::of("operator.key", format!(
                "is not set, and {} cannot be read: {error}; run this where the service runs, name a --key-file, or set RADAR_OPERATOR__KEY",
                file.display()
            )),
        })?;
        Ok(key.trim().to_owned())
    }
}

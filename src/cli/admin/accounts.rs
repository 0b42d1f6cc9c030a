//! `radar admin account …` and `radar admin key …`.

use actix_web::http::Method;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::request::{ACCOUNTS, Request, account_path, segment};
use crate::cli::api_client::given;

#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account; its API key and webhook secret are shown once
    Create {
        /// Name of the account
        name: String,
        #[command(flatten)]
        settings: AccountSettings,
    },
    /// List all accounts
    List,
    /// Show one account
    Show {
        /// Account id
        account: String,
    },
    /// Change an account
    Set {
        /// Account id
        account: String,
        /// active or inactive
        #[arg(long)]
        status: Option<String>,
        /// true stops all changes, false lets an account that was stopped go on
        #[arg(long)]
        frozen: Option<bool>,
        /// Address that hears by signed webhook of endpoints that fail; empty removes it
        #[arg(long, value_name = "URL")]
        alert_url: Option<String>,
        #[command(flatten)]
        settings: AccountSettings,
    },
}

#[derive(Debug, Default, Args)]
pub(super) struct AccountSettings {
    /// auto or manual
    #[arg(long)]
    pub(super) approval: Option<String>,
    /// Writes per minute
    #[arg(long)]
    pub(super) write_per_minute: Option<u32>,
    /// Reads per minute
    #[arg(long)]
    pub(super) read_per_minute: Option<u32>,
    /// Requests per second
    #[arg(long)]
    pub(super) per_second: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make another API key; it is shown once
    Create {
        /// Account id
        account: String,
    },
    /// List the keys of an account
    List {
        /// Account id
        account: String,
    },
    /// Revoke a key
    Revoke {
        /// Account id
        account: String,
        /// Key id
        key: String,
    },
}

impl AccountCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        match self {
            AccountCommand::Create { name, settings } => {
                let mut body = settings.fields();
                body["name"] = json!(name);
                Request::post(ACCOUNTS.to_owned(), given(body))
            }
            AccountCommand::List => Request::get(ACCOUNTS.to_owned()),
            AccountCommand::Show { account } => Request::get(account_path(account, "")),
            AccountCommand::Set { account, status, frozen, alert_url, settings } => {
                let mut body = settings.fields();
                (body["status"], body["frozen"]) = (json!(status), json!(frozen));
                let mut body = given(body);
                if let Some(url) = alert_url {
                    body["alert_url"] = json!(Some(url).filter(|url| !url.is_empty()));
                }
                Request::with(Method::PATCH, account_path(account, ""), body)
            }
        }
    }
}

impl AccountSettings {
    /// The fields of the request.
    fn fields(&self) -> Value {
        let Self { approval, write_per_minute, read_per_minute, per_second } = self;
        let limits = json!({
            "write_per_minute": write_per_minute, "read_per_minute": read_per_minute, "per_second": per_second,
        });
        json!({"approval": approval, "limits": Some(given(limits)).filter(|limits| *limits != json!({}))})
    }
}

impl KeyCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        match self {
            KeyCommand::Create { account } => Request::post(account_path(account, "/api-keys"), json!({})),
            KeyCommand::List { account } => Request::get(account_path(account, "/api-keys")),
            KeyCommand::Revoke { account, key } => {
                Request::delete(account_path(account, &format!("/api-keys/{}", segment(key))))
            }
        }
    }
}

//! `radar admin delivery …`, `radar admin endpoint …` and `radar admin webhook-secret …`.

use clap::{Args, Subcommand};
use serde_json::json;

use super::request::{Request, account_path, segment, with_query};
use crate::cli::api_client::given;

const DELIVERIES: &str = "/operator/v1/deliveries";
const ENDPOINTS: &str = "/operator/v1/endpoints";

#[derive(Debug, Subcommand)]
pub(super) enum DeliveryCommand {
    /// List deliveries, the newest first, each with the reason why it has not been sent yet
    List(DeliveryList),
    /// Show a delivery with all its attempts, and why it has not arrived
    Show {
        /// Update id
        update: String,
    },
    /// Send a delivery again
    Resend {
        /// Update id
        update: String,
    },
    /// Send everything again that failed in a range of time
    Recover(Recover),
    /// Show how far a recovery has come
    Recovery {
        /// Recovery id
        recovery: String,
    },
}

#[derive(Debug, Args)]
pub(super) struct DeliveryList {
    /// Only those of this account
    #[arg(long)]
    account: Option<String>,
    /// pending, delivered, exhausted or held
    #[arg(long)]
    state: Option<String>,
    /// Only those to this endpoint
    #[arg(long)]
    endpoint: Option<String>,
    /// Only those of this radar
    #[arg(long)]
    radar: Option<String>,
    /// Only that of this update
    #[arg(long)]
    update: Option<String>,
    /// Published from this instant on, such as 2026-01-01T00:00:00Z
    #[arg(long)]
    since: Option<String>,
    /// Published before this instant
    #[arg(long)]
    until: Option<String>,
    /// Deliveries on one page
    #[arg(long)]
    limit: Option<String>,
    /// The next_cursor of the page before
    #[arg(long)]
    cursor: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Recover {
    /// Published from this instant on, such as 2026-01-01T00:00:00Z
    #[arg(long)]
    since: String,
    /// Published before this instant
    #[arg(long)]
    until: String,
    /// Only those of this account
    #[arg(long)]
    account: Option<String>,
    /// Only those of radars of this type
    #[arg(long)]
    radar_type: Option<String>,
    /// What was delivered as well
    #[arg(long)]
    include_delivered: bool,
    /// Only count
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum EndpointCommand {
    /// List the addresses that webhooks go to, and their health
    List {
        /// Only those of this account
        #[arg(long)]
        account: Option<String>,
        /// enabled or disabled
        #[arg(long)]
        state: Option<String>,
        /// The next_cursor of the page before
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Enable an endpoint and release what is held for it
    Enable {
        /// Endpoint id
        endpoint: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum WebhookSecretCommand {
    /// Make a new secret for an account; the old one signs too for 24 hours
    Rotate {
        /// Account id
        account: String,
    },
}

impl DeliveryCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        match self {
            Self::List(list) => list.request(),
            Self::Show { update } => Request::get(format!("{DELIVERIES}/{}", segment(update))),
            Self::Resend { update } => Request::post(format!("{DELIVERIES}/{}/resend", segment(update)), json!({})),
            Self::Recover(recover) => recover.request(),
            Self::Recovery { recovery } => Request::get(format!("{DELIVERIES}/recover/{}", segment(recovery))),
        }
    }
}

impl DeliveryList {
    fn request(&self) -> Request {
        let query = [
            ("account_id", &self.account),
            ("state", &self.state),
            ("endpoint_id", &self.endpoint),
            ("radar_id", &self.radar),
            ("update_id", &self.update),
            ("since", &self.since),
            ("until", &self.until),
            ("limit", &self.limit),
            ("cursor", &self.cursor),
        ];
        Request::get(with_query(DELIVERIES.to_owned(), &query))
    }
}

impl Recover {
    fn request(&self) -> Request {
        let body = json!({
            "account_id": self.account,
            "since": self.since,
            "until": self.until,
            "radar_type": self.radar_type,
            "include_delivered": self.include_delivered.then_some(true),
            "dry_run": self.dry_run.then_some(true),
        });
        Request::post(format!("{DELIVERIES}/recover"), given(body))
    }
}

impl EndpointCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        match self {
            Self::List { account, state, cursor } => {
                let query = [("account_id", account), ("state", state), ("cursor", cursor)];
                Request::get(with_query(ENDPOINTS.to_owned(), &query))
            }
            Self::Enable { endpoint } => Request::post(format!("{ENDPOINTS}/{}/enable", segment(endpoint)), json!({})),
        }
    }
}

impl WebhookSecretCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        let Self::Rotate { account } = self;
        Request::post(account_path(account, "/webhook-secret/rotate"), json!({}))
    }
}

//! `radar admin finding …`.

use clap::{ArgGroup, Args, Subcommand};
use serde_json::{Value, json};

use super::request::{Request, segment, with_query};
use crate::cli::api_client::given;
use crate::cli::failure::Failure;

#[derive(Debug, Subcommand)]
pub(super) enum FindingCommand {
    /// Hand in a finding
    Push(FindingPush),
    /// List findings of accounts whose findings an operator approves
    List {
        /// pending, approved or rejected; by default pending
        #[arg(long)]
        state: Option<String>,
        /// Only those of this account
        #[arg(long)]
        account: Option<String>,
        /// The next_cursor of the page before
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Let a finding through: it is charged and published
    Approve {
        /// Finding id
        finding: String,
    },
    /// Turn a finding down
    Reject {
        /// Finding id
        finding: String,
    },
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("receiver").required(true).args(["radar_id", "radar_type"])))]
#[command(group(ArgGroup::new("target").args(["domain", "profile_url", "email", "keyword"]).requires("radar_type")))]
pub(super) struct FindingPush {
    /// The one radar that it is for
    #[arg(long, conflicts_with = "target")]
    radar_id: Option<String>,
    /// The type of the radars that it is for
    #[arg(long)]
    radar_type: Option<String>,
    /// Radars that watch this domain
    #[arg(long)]
    domain: Option<String>,
    /// Radars that watch this profile
    #[arg(long)]
    profile_url: Option<String>,
    /// Radars that watch the person with this address
    #[arg(long)]
    email: Option<String>,
    /// Radars that watch this keyword
    #[arg(long)]
    keyword: Option<String>,
    /// What the provider calls the record; the same one again is a duplicate
    #[arg(long)]
    native_id: String,
    /// Id of a push source
    #[arg(long)]
    source: String,
    /// The content as a JSON object, or @FILE
    #[arg(long)]
    content: String,
}

impl FindingCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Result<Request, Failure> {
        const FINDINGS: &str = "/operator/v1/findings";
        let decided = |finding: &str, decision: &str| {
            Request::post(format!("{FINDINGS}/{}/{decision}", segment(finding)), json!({}))
        };
        Ok(match self {
            FindingCommand::Push(push) => Request::post(FINDINGS.to_owned(), push.body()?),
            FindingCommand::List { state, account, cursor } => {
                let query = [("state", state), ("account_id", account), ("cursor", cursor)];
                Request::get(with_query(FINDINGS.to_owned(), &query))
            }
            FindingCommand::Approve { finding } => decided(finding, "approve"),
            FindingCommand::Reject { finding } => decided(finding, "reject"),
        })
    }
}

impl FindingPush {
    fn body(&self) -> Result<Value, Failure> {
        let text = match self.content.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file).map_err(|error| Failure::of(file, error))?,
            None => self.content.clone(),
        };
        let content: Value = serde_json::from_str(&text).map_err(|error| Failure::of("--content", error))?;
        let Self { domain, profile_url, email, keyword, .. } = self;
        let target = json!({"domain": domain, "profile_url": profile_url, "email": email, "keyword": keyword});
        Ok(given(json!({
            "radar_id": self.radar_id,
            "radar_type": self.radar_type,
            "target": self.radar_type.as_ref().map(|_| given(target)),
            "native_id": self.native_id,
            "source": self.source,
            "content": content,
        })))
    }
}

//! What `radar admin` understands.

use clap::{ArgGroup, Args, Subcommand};

/// `radar admin …`
#[derive(Debug, Args)]
pub struct Arguments {
    /// Address of the operator API, such as http://127.0.0.1:8081; by default that of operator.listen
    #[arg(long, global = true)]
    pub url: Option<String>,
    #[command(subcommand)]
    pub(super) command: AdminCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum AdminCommand {
    /// Accounts
    #[command(subcommand)]
    Account(AccountCommand),
    /// API keys of an account
    #[command(subcommand)]
    Key(KeyCommand),
    /// Add money to an account
    TopUp(TopUp),
    /// Prices of an account
    #[command(subcommand)]
    Price(PriceCommand),
    /// Entries of an account's ledger with the running balance
    Ledger(Ledger),
    /// An account's money in a month: opening balance, sums by kind, closing balance
    Statement {
        /// Account id
        account: String,
        /// Month, such as 2026-01
        month: String,
    },
    /// Findings of private providers, and findings that wait for approval
    #[command(subcommand)]
    Finding(FindingCommand),
    /// Radars
    #[command(subcommand)]
    Radar(RadarCommand),
    /// Live actors by kind
    Actors,
    /// The simulated clock
    #[command(subcommand)]
    Clock(ClockCommand),
    /// Whether the service is ready
    Health,
}

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

#[derive(Debug, Args)]
pub(super) struct TopUp {
    /// Account id
    pub(super) account: String,
    /// USD, such as 25 or 12.50
    pub(super) amount: String,
    /// What the payment is called elsewhere; the same one again adds nothing
    #[arg(long)]
    pub(super) payment_ref: String,
    /// When the unused rest is removed, such as 2027-01-01T00:00:00Z
    #[arg(long)]
    pub(super) expires_at: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum PriceCommand {
    /// Set what an account pays for a radar type
    Set {
        /// Account id
        account: String,
        /// Radar type, such as company_job_openings
        radar_type: String,
        /// subscription or update_based
        #[arg(long)]
        model: String,
        /// USD per period or per finding, such as 0.10
        #[arg(long)]
        rate: String,
        /// none or paid_period
        #[arg(long)]
        grace_period: Option<String>,
        /// When the price begins, such as 2027-01-01T00:00:00Z; by default now
        #[arg(long)]
        effective_from: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(super) struct Ledger {
    /// Account id
    pub(super) account: String,
    /// Entries on one page
    #[arg(long)]
    pub(super) limit: Option<u32>,
    /// The next_cursor of the page before
    #[arg(long)]
    pub(super) cursor: Option<String>,
    /// Write all entries as comma-separated values
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    pub(super) csv: bool,
    /// With --csv: entries of this month only, such as 2026-01
    #[arg(long, requires = "csv", conflicts_with_all = ["from", "to"])]
    pub(super) month: Option<String>,
    /// With --csv: entries from this instant on, such as 2026-01-01T00:00:00Z
    #[arg(long, requires = "csv")]
    pub(super) from: Option<String>,
    /// With --csv: entries before this instant
    #[arg(long, requires = "csv")]
    pub(super) to: Option<String>,
}

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
    pub(super) radar_id: Option<String>,
    /// The type of the radars that it is for
    #[arg(long)]
    pub(super) radar_type: Option<String>,
    /// Radars that watch this domain
    #[arg(long)]
    pub(super) domain: Option<String>,
    /// Radars that watch this profile
    #[arg(long)]
    pub(super) profile_url: Option<String>,
    /// Radars that watch the person with this address
    #[arg(long)]
    pub(super) email: Option<String>,
    /// Radars that watch this keyword
    #[arg(long)]
    pub(super) keyword: Option<String>,
    /// What the provider calls the record; the same one again is a duplicate
    #[arg(long)]
    pub(super) native_id: String,
    /// Id of a push source
    #[arg(long)]
    pub(super) source: String,
    /// The content as a JSON object, or @FILE
    #[arg(long)]
    pub(super) content: String,
}

#[derive(Debug, Subcommand)]
pub(super) enum RadarCommand {
    /// Internal state, timer, feeds, last polls and last error of a radar
    Show {
        /// Radar id
        radar: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ClockCommand {
    /// Show the simulated instant
    Show,
    /// Move the clock forward, and wait until the service is quiet there
    Advance {
        /// How far, such as 30d or 90s
        #[arg(value_parser = super::request::seconds)]
        duration: u64,
    },
}

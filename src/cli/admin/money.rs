//! `radar admin top-up`, `price`, `ledger` and `statement`.

use actix_web::http::Method;
use clap::{Args, Subcommand};
use serde_json::json;

use super::request::{Request, account_path, segment, with_query};
use crate::cli::api_client::given;

#[derive(Debug, Args)]
pub(super) struct TopUp {
    /// Account id
    account: String,
    /// USD, such as 25 or 12.50
    amount: String,
    /// What the payment is called elsewhere; the same one again adds nothing
    #[arg(long)]
    payment_ref: String,
    /// When the unused rest is removed, such as 2027-01-01T00:00:00Z
    #[arg(long)]
    expires_at: Option<String>,
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
    account: String,
    /// Entries on one page
    #[arg(long)]
    limit: Option<u32>,
    /// The next_cursor of the page before
    #[arg(long)]
    cursor: Option<String>,
    /// Write all entries as comma-separated values
    #[arg(long, conflicts_with_all = ["limit", "cursor"])]
    csv: bool,
    /// With --csv: entries of this month only, such as 2026-01
    #[arg(long, requires = "csv", conflicts_with_all = ["from", "to"])]
    month: Option<String>,
    /// With --csv: entries from this instant on, such as 2026-01-01T00:00:00Z
    #[arg(long, requires = "csv")]
    from: Option<String>,
    /// With --csv: entries before this instant
    #[arg(long, requires = "csv")]
    to: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Statement {
    /// Account id
    account: String,
    /// Month, such as 2026-01
    month: String,
}

impl TopUp {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        let Self { account, amount, payment_ref, expires_at } = self;
        let body = given(json!({"amount_usd": amount, "payment_ref": payment_ref, "expires_at": expires_at}));
        Request::post(account_path(account, "/top-ups"), body)
    }
}

impl PriceCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        let PriceCommand::Set { account, radar_type, model, rate, grace_period, effective_from } = self;
        let price =
            json!({"model": model, "rate_usd": rate, "grace_period": grace_period, "effective_from": effective_from});
        Request::with(Method::PUT, account_path(account, &format!("/prices/{}", segment(radar_type))), given(price))
    }
}

impl Ledger {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        let Ledger { account, limit, cursor, csv, month, from, to } = self;
        let limit = limit.map(|limit| limit.to_string());
        let query = [("limit", &limit), ("cursor", cursor), ("month", month), ("from", from), ("to", to)];
        let path = account_path(account, if *csv { "/ledger.csv" } else { "/ledger" });
        Request { is_download: *csv, ..Request::get(with_query(path, &query)) }
    }
}

impl Statement {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        Request::get(account_path(&self.account, &format!("/statements/{}", segment(&self.month))))
    }
}

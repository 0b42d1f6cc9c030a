//! What `radar admin` understands. Each command is one request of the operator API.

use clap::{Args, Subcommand};

use super::accounts::{AccountCommand, KeyCommand};
use super::deliveries::{DeliveryCommand, EndpointCommand, WebhookSecretCommand};
use super::findings::FindingCommand;
use super::money::{Ledger, PriceCommand, Statement, TopUp};
use super::request::Request;
use super::system::{ClockCommand, RadarCommand, SourceCommand};
use crate::cli::failure::Failure;

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
    Statement(Statement),
    /// Findings of private providers, and findings that wait for approval
    #[command(subcommand)]
    Finding(FindingCommand),
    /// Deliveries of webhooks
    #[command(subcommand)]
    Delivery(DeliveryCommand),
    /// The addresses that webhooks go to
    #[command(subcommand)]
    Endpoint(EndpointCommand),
    /// The secrets that sign webhooks
    #[command(subcommand)]
    WebhookSecret(WebhookSecretCommand),
    /// Radars
    #[command(subcommand)]
    Radar(RadarCommand),
    /// Sources: their terms, and how they fare
    #[command(subcommand)]
    Source(SourceCommand),
    /// Live actors by kind
    Actors,
    /// The simulated clock
    #[command(subcommand)]
    Clock(ClockCommand),
    /// Whether the service is ready
    Health,
}

impl AdminCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Result<Request, Failure> {
        Ok(match self {
            Self::Account(command) => command.request(),
            Self::Key(command) => command.request(),
            Self::TopUp(top_up) => top_up.request(),
            Self::Price(command) => command.request(),
            Self::Ledger(ledger) => ledger.request(),
            Self::Statement(statement) => statement.request(),
            Self::Finding(command) => command.request()?,
            Self::Delivery(command) => command.request(),
            Self::Endpoint(command) => command.request(),
            Self::WebhookSecret(command) => command.request(),
            Self::Radar(command) => command.request(),
            Self::Source(command) => command.request(),
            Self::Actors => Request::get("/operator/v1/actors".to_owned()),
            Self::Clock(command) => command.request(),
            Self::Health => Request::get("/health/ready".to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use crate::cli::admin::request::Request;
    use clap::Parser;
    use serde_json::{Value, json};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn request(line: &str) -> Request {
        let parts = std::iter::once("admin").chain(line.split(' '));
        Line::try_parse_from(parts).expect(line).arguments.command.request().expect(line)
    }

    #[test]
    fn each_command_is_one_request() {
        let nothing = Value::Null;
        for (line, method, path, body) in [
            ("account create Acme", "POST", "/operator/v1/accounts", json!({"name": "Acme"})),
            (
                "account create Acme --approval manual --per-second 5",
                "POST",
                "/operator/v1/accounts",
                json!({"name": "Acme", "approval": "manual", "limits": {"per_second": 5}}),
            ),
            ("account list", "GET", "/operator/v1/accounts", nothing.clone()),
            ("account show a1", "GET", "/operator/v1/accounts/a1", nothing.clone()),
            ("account set a1 --status inactive", "PATCH", "/operator/v1/accounts/a1", json!({"status": "inactive"})),
            ("key create a1", "POST", "/operator/v1/accounts/a1/api-keys", json!({})),
            ("key list a1", "GET", "/operator/v1/accounts/a1/api-keys", nothing.clone()),
            ("key revoke a1 k/1", "DELETE", "/operator/v1/accounts/a1/api-keys/k%2F1", nothing.clone()),
            (
                "top-up a1 12.50 --payment-ref inv-7 --expires-at 2027-01-01T00:00:00Z",
                "POST",
                "/operator/v1/accounts/a1/top-ups",
                json!({"amount_usd": "12.50", "payment_ref": "inv-7", "expires_at": "2027-01-01T00:00:00Z"}),
            ),
            (
                "price set a1 company_reviews --model update_based --rate 0.01 --grace-period none",
                "PUT",
                "/operator/v1/accounts/a1/prices/company_reviews",
                json!({"model": "update_based", "rate_usd": "0.01", "grace_period": "none"}),
            ),
            ("ledger a1", "GET", "/operator/v1/accounts/a1/ledger", nothing.clone()),
            (
                "ledger a1 --limit 5 --cursor x+y",
                "GET",
                "/operator/v1/accounts/a1/ledger?limit=5&cursor=x%2By",
                nothing.clone(),
            ),
            ("account set a1 --frozen false", "PATCH", "/operator/v1/accounts/a1", json!({"frozen": false})),
            ("ledger a1 --csv", "GET", "/operator/v1/accounts/a1/ledger.csv", nothing.clone()),
            (
                "ledger a1 --csv --month 2026-01",
                "GET",
                "/operator/v1/accounts/a1/ledger.csv?month=2026-01",
                nothing.clone(),
            ),
            ("statement a1 2026-01", "GET", "/operator/v1/accounts/a1/statements/2026-01", nothing.clone()),
            (
                "finding push --radar-type company_reviews --domain acme.com --native-id n --source s --content {}",
                "POST",
                "/operator/v1/findings",
                json!({"radar_type": "company_reviews", "target": {"domain": "acme.com"}, "native_id": "n",
                       "source": "s", "content": {}}),
            ),
            (
                "finding push --radar-id r --native-id n --source s --content {}",
                "POST",
                "/operator/v1/findings",
                json!({"radar_id": "r", "native_id": "n", "source": "s", "content": {}}),
            ),
            ("finding list", "GET", "/operator/v1/findings", nothing.clone()),
            (
                "finding list --state approved --account a1 --cursor x+y",
                "GET",
                "/operator/v1/findings?state=approved&account_id=a1&cursor=x%2By",
                nothing.clone(),
            ),
            ("finding approve f", "POST", "/operator/v1/findings/f/approve", json!({})),
            ("finding reject f", "POST", "/operator/v1/findings/f/reject", json!({})),
            ("delivery list", "GET", "/operator/v1/deliveries", nothing.clone()),
            (
                "delivery list --account a1 --state held --limit 5",
                "GET",
                "/operator/v1/deliveries?account_id=a1&state=held&limit=5",
                nothing.clone(),
            ),
            ("delivery show u", "GET", "/operator/v1/deliveries/u", nothing.clone()),
            ("delivery resend u", "POST", "/operator/v1/deliveries/u/resend", json!({})),
            (
                "delivery recover --since s --until u --account a1 --dry-run",
                "POST",
                "/operator/v1/deliveries/recover",
                json!({"account_id": "a1", "since": "s", "until": "u", "dry_run": true}),
            ),
            ("delivery recovery r", "GET", "/operator/v1/deliveries/recover/r", nothing.clone()),
            ("endpoint list --state disabled", "GET", "/operator/v1/endpoints?state=disabled", nothing.clone()),
            ("endpoint enable e", "POST", "/operator/v1/endpoints/e/enable", json!({})),
            ("webhook-secret rotate a1", "POST", "/operator/v1/accounts/a1/webhook-secret/rotate", json!({})),
            ("radar show r", "GET", "/operator/v1/radars/r", nothing.clone()),
            ("source list", "GET", "/operator/v1/sources", nothing.clone()),
            ("source show greenhouse", "GET", "/operator/v1/sources/greenhouse", nothing.clone()),
            ("actors", "GET", "/operator/v1/actors", nothing.clone()),
            ("clock show", "GET", "/operator/v1/clock", nothing.clone()),
            ("clock advance 30d", "POST", "/operator/v1/clock/advance", json!({"seconds": 2_592_000})),
            ("health", "GET", "/health/ready", nothing.clone()),
        ] {
            let request = request(line);
            assert_eq!((request.method.as_str(), request.path.as_str()), (method, path), "{line}");
            assert_eq!(request.body.unwrap_or(Value::Null), body, "{line}");
        }
    }

    #[test]
    fn what_makes_no_request_is_refused() {
        for line in [
            "clock advance soon",
            "clock advance 250ms",
            "top-up a1 5",
            "ledger a1 --month 2026-01",
            "ledger a1 --csv --limit 5",
            "finding push --native-id n --source s --content {}",
            "finding push --radar-id r --domain acme.com --native-id n --source s --content {}",
        ] {
            let parts = std::iter::once("admin").chain(line.split(' '));
            assert!(Line::try_parse_from(parts).is_err(), "{line}");
        }
    }
}

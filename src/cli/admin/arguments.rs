//! What `radar admin` understands.

use actix_web::http::Method;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Error, FromArgMatches, Subcommand};
use serde_json::{Value, json};

use super::access::Access;
use super::command::{Command, OPENING_PAYMENT, Request};
use super::commands::{COMMANDS, Group};

/// `radar admin …`
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) access: Access,
    /// Show every column of a table, however wide it is
    #[arg(long, global = true)]
    pub wide: bool,
    #[command(subcommand)]
    pub(super) command: AdminCommand,
}

/// A command of the table, and what its arguments are.
#[derive(Debug)]
pub(super) struct AdminCommand {
    pub(super) command: &'static Command,
    pub(super) given: ArgMatches,
}

impl AdminCommand {
    /// The payment into an account that was just created, where the command asks for one.
    pub(super) fn opening_payment(&self, created: &Value) -> Option<Request> {
        let amount = self.given.try_get_one::<String>(OPENING_PAYMENT).ok()??;
        let account_id = created.pointer("/data/account_id")?.as_str()?;
        Some(Request {
            method: Method::POST,
            path: format!("/operator/v1/accounts/{account_id}/top-ups"),
            body: Some(json!({"amount_usd": amount, "payment_ref": "opening"})),
            is_download: false,
        })
    }
}

impl Subcommand for AdminCommand {
    fn augment_subcommands(admin: clap::Command) -> clap::Command {
        let parser = |&(name, about, commands): &Group| match commands {
            [only] if only.name.is_empty() => only.parser(name, about),
            _ => {
                let group = clap::Command::new(name).about(about);
                let group = group.subcommand_required(true).arg_required_else_help(true);
                group.subcommands(commands.iter().map(|command| command.parser(command.name, command.about)))
            }
        };
        admin.subcommands(COMMANDS.iter().map(parser))
    }

    fn augment_subcommands_for_update(admin: clap::Command) -> clap::Command {
        Self::augment_subcommands(admin)
    }

    fn has_subcommand(name: &str) -> bool {
        COMMANDS.iter().any(|(group, ..)| *group == name)
    }
}

impl FromArgMatches for AdminCommand {
    fn from_arg_matches(given: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(ErrorKind::MissingSubcommand);
        let (group, given) = given.subcommand().ok_or_else(missing)?;
        let (name, given) = given.subcommand().unwrap_or(("", given));
        let commands = COMMANDS.iter().find(|(other, ..)| *other == group).map(|(_, _, commands)| *commands);
        let command = commands.unwrap_or_default().iter().find(|command| command.name == name).ok_or_else(missing)?;
        Ok(Self { command, given: given.clone() })
    }

    fn update_from_arg_matches(&mut self, given: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(given)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AdminCommand, Arguments};
    use crate::cli::admin::command::{Ids, Request};
    use clap::Parser;
    use serde_json::{Value, json};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn request(line: &str) -> Request {
        let parts = std::iter::once("admin").chain(line.split(' '));
        let AdminCommand { command, given } = Line::try_parse_from(parts).expect(line).arguments.command;
        command.request(&given, &Ids::new()).expect(line)
    }

    #[test]
    fn a_new_account_may_be_paid_into_at_once() {
        let created = json!({"data": {"account_id": "a1"}});
        let payment = |line: &str| {
            let parts = std::iter::once("admin").chain(line.split(' '));
            Line::try_parse_from(parts).expect(line).arguments.command.opening_payment(&created)
        };
        assert_eq!(request("account create Acme --top-up 25").body, Some(json!({"name": "Acme"})));
        let paid = payment("account create Acme --top-up 25").expect("a payment");
        assert_eq!(paid.path, "/operator/v1/accounts/a1/top-ups");
        assert_eq!(paid.body, Some(json!({"amount_usd": "25", "payment_ref": "opening"})));
        for line in ["account create Acme", "account list"] {
            assert_eq!(payment(line), None, "{line}");
        }
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
            (
                "account list --name ac --state frozen",
                "GET",
                "/operator/v1/accounts?name=ac&state=frozen",
                nothing.clone(),
            ),
            ("spend a1 2026-01", "GET", "/operator/v1/accounts/a1/spend/2026-01", nothing.clone()),
            ("price list a1", "GET", "/operator/v1/accounts/a1/prices?in_force=true", nothing.clone()),
            ("price history a1", "GET", "/operator/v1/accounts/a1/prices", nothing.clone()),
            ("source list --failing", "GET", "/operator/v1/sources?failing=true", nothing.clone()),
            ("attention", "GET", "/operator/v1/attention", nothing.clone()),
            ("account show a1", "GET", "/operator/v1/accounts/a1", nothing.clone()),
            ("account set a1 --status inactive", "PATCH", "/operator/v1/accounts/a1", json!({"status": "inactive"})),
            ("key create a1", "POST", "/operator/v1/accounts/a1/api-keys", json!({})),
            ("key list a1", "GET", "/operator/v1/accounts/a1/api-keys", nothing.clone()),
            (
                "portal-link a1 --scopes read",
                "POST",
                "/operator/v1/accounts/a1/portal-links",
                json!({"scopes": ["read"]}),
            ),
            ("key revoke a1 k/1", "DELETE", "/operator/v1/accounts/a1/api-keys/k%2F1", nothing.clone()),
            (
                "top-up a1 12.50 --payment-ref inv-7 --expires-at 2027-01-01T00:00:00Z",
                "POST",
                "/operator/v1/accounts/a1/top-ups",
                json!({"amount_usd": "12.50", "payment_ref": "inv-7", "expires_at": "2027-01-01T00:00:00Z"}),
            ),
            (
                "price set a1 company_reviews --model update_based --rate 0.01 --grace-period none --findings-per-day 9",
                "PUT",
                "/operator/v1/accounts/a1/prices/company_reviews",
                json!({"model": "update_based", "rate_usd": "0.01", "grace_period": "none", "findings_per_day": 9}),
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
            (
                "radar deactivate --account a1 --domain acme.com --dry-run",
                "POST",
                "/operator/v1/radars/deactivate",
                json!({"account": "a1", "domain": "acme.com", "dry_run": true}),
            ),
            ("job list", "GET", "/operator/v1/jobs", nothing.clone()),
            ("job stop j", "POST", "/operator/v1/jobs/j/stop", json!({})),
            ("radar release r", "POST", "/operator/v1/radars/r/release", json!({})),
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
            (
                "radar list --domain acme.com --name Ada --radar-type t --limit 5",
                "GET",
                "/operator/v1/radars?domain=acme.com&name=Ada&radar_type=t&limit=5",
                nothing.clone(),
            ),
            ("radar timeline r", "GET", "/operator/v1/radars/r/timeline", nothing.clone()),
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

//! Each command of `radar admin` is one request of the operator API; here is which.

use actix_web::http::Method;
use serde_json::{Map, Value, json};
use url::form_urlencoded::byte_serialize;

use super::arguments::{
    AccountCommand, AccountSettings, AdminCommand, ClockCommand, FindingCommand, FindingPush, KeyCommand, Ledger,
    PriceCommand, RadarCommand, TopUp,
};
use crate::cli::failure::Failure;
use crate::config::duration;

const ACCOUNTS: &str = "/operator/v1/accounts";

/// One request of the operator API.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) body: Option<Value>,
    /// Whether the answer is a file, of any length.
    pub(super) is_download: bool,
}

/// The request that `command` stands for.
pub(super) fn of(command: &AdminCommand) -> Result<Request, Failure> {
    Ok(match command {
        AdminCommand::Account(command) => account(command),
        AdminCommand::Key(command) => key(command),
        AdminCommand::TopUp(top_up) => self::top_up(top_up),
        AdminCommand::Price(command) => price(command),
        AdminCommand::Ledger(part) => ledger(part),
        AdminCommand::Statement { account, month } => {
            get(account_path(account, &format!("/statements/{}", segment(month))))
        }
        AdminCommand::Finding(command) => finding(command)?,
        AdminCommand::Radar(RadarCommand::Show { radar }) => get(format!("/operator/v1/radars/{}", segment(radar))),
        AdminCommand::Actors => get("/operator/v1/actors".to_owned()),
        AdminCommand::Clock(ClockCommand::Show) => get("/operator/v1/clock".to_owned()),
        AdminCommand::Clock(ClockCommand::Advance { duration }) => {
            post("/operator/v1/clock/advance".to_owned(), json!({ "seconds": duration }))
        }
        AdminCommand::Health => get("/health/ready".to_owned()),
    })
}

/// Whole seconds of a duration such as `30d`.
pub(super) fn seconds(text: &str) -> Result<u64, &'static str> {
    let duration = duration::parse(text).ok_or("must be a duration such as 30d or 90s")?;
    if duration.subsec_nanos() == 0 { Ok(duration.as_secs()) } else { Err("must be whole seconds") }
}

fn account(command: &AccountCommand) -> Request {
    match command {
        AccountCommand::Create { name, settings } => {
            let mut body = account_settings(settings);
            body.insert("name".to_owned(), json!(name));
            post(ACCOUNTS.to_owned(), Value::Object(body))
        }
        AccountCommand::List => get(ACCOUNTS.to_owned()),
        AccountCommand::Show { account } => get(account_path(account, "")),
        AccountCommand::Set { account, status, frozen, settings } => {
            let mut body = account_settings(settings);
            set(&mut body, "status", status.as_deref());
            set(&mut body, "frozen", *frozen);
            with(Method::PATCH, account_path(account, ""), Value::Object(body))
        }
    }
}

fn account_settings(settings: &AccountSettings) -> Map<String, Value> {
    let mut body = Map::new();
    set(&mut body, "approval", settings.approval.as_deref());
    let mut limits = Map::new();
    set(&mut limits, "write_per_minute", settings.write_per_minute);
    set(&mut limits, "read_per_minute", settings.read_per_minute);
    set(&mut limits, "per_second", settings.per_second);
    if !limits.is_empty() {
        body.insert("limits".to_owned(), Value::Object(limits));
    }
    body
}

fn key(command: &KeyCommand) -> Request {
    match command {
        KeyCommand::Create { account } => post(account_path(account, "/api-keys"), json!({})),
        KeyCommand::List { account } => get(account_path(account, "/api-keys")),
        KeyCommand::Revoke { account, key } => Request {
            method: Method::DELETE,
            path: account_path(account, &format!("/api-keys/{}", segment(key))),
            body: None,
            is_download: false,
        },
    }
}

fn top_up(top_up: &TopUp) -> Request {
    let mut body = Map::new();
    set(&mut body, "amount_usd", Some(&top_up.amount));
    set(&mut body, "payment_ref", Some(&top_up.payment_ref));
    set(&mut body, "expires_at", top_up.expires_at.as_deref());
    post(account_path(&top_up.account, "/top-ups"), Value::Object(body))
}

fn price(command: &PriceCommand) -> Request {
    let PriceCommand::Set { account, radar_type, model, rate, grace_period, effective_from } = command;
    let mut body = Map::new();
    set(&mut body, "model", Some(model));
    set(&mut body, "rate_usd", Some(rate));
    set(&mut body, "grace_period", grace_period.as_deref());
    set(&mut body, "effective_from", effective_from.as_deref());
    with(Method::PUT, account_path(account, &format!("/prices/{}", segment(radar_type))), Value::Object(body))
}

fn ledger(part: &Ledger) -> Request {
    let Ledger { account, limit, cursor, csv, month, from, to } = part;
    let limit = limit.map(|limit| limit.to_string());
    let query: Vec<String> = [("limit", &limit), ("cursor", cursor), ("month", month), ("from", from), ("to", to)]
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", segment(value.as_deref()?))))
        .collect();
    let path = account_path(account, if *csv { "/ledger.csv" } else { "/ledger" });
    let path = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
    Request { is_download: *csv, ..get(path) }
}

fn finding(command: &FindingCommand) -> Result<Request, Failure> {
    const FINDINGS: &str = "/operator/v1/findings";
    let judged = |finding: &str, verdict: &str| post(format!("{FINDINGS}/{}/{verdict}", segment(finding)), json!({}));
    Ok(match command {
        FindingCommand::Push(push) => post(FINDINGS.to_owned(), pushed(push)?),
        FindingCommand::List { state, account, cursor } => {
            let given = [("state", state), ("account_id", account), ("cursor", cursor)];
            let given = given.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
            let query: Vec<String> = given.map(|(name, value)| format!("{name}={}", segment(value))).collect();
            get(if query.is_empty() { FINDINGS.to_owned() } else { format!("{FINDINGS}?{}", query.join("&")) })
        }
        FindingCommand::Approve { finding } => judged(finding, "approve"),
        FindingCommand::Reject { finding } => judged(finding, "reject"),
    })
}

fn pushed(push: &FindingPush) -> Result<Value, Failure> {
    let text = match push.content.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|error| Failure::of(file, error))?,
        None => push.content.clone(),
    };
    let content: Value = serde_json::from_str(&text).map_err(|error| Failure::of("--content", error))?;
    let mut target = Map::new();
    set(&mut target, "domain", push.domain.as_deref());
    set(&mut target, "profile_url", push.profile_url.as_deref());
    set(&mut target, "email", push.email.as_deref());
    set(&mut target, "keyword", push.keyword.as_deref());
    let mut body = Map::new();
    set(&mut body, "radar_id", push.radar_id.as_deref());
    if let Some(radar_type) = &push.radar_type {
        set(&mut body, "radar_type", Some(radar_type));
        body.insert("target".to_owned(), Value::Object(target));
    }
    set(&mut body, "native_id", Some(&push.native_id));
    set(&mut body, "source", Some(&push.source));
    body.insert("content".to_owned(), content);
    Ok(Value::Object(body))
}

fn set<T: serde::Serialize>(body: &mut Map<String, Value>, name: &str, value: Option<T>) {
    if let Some(value) = value {
        body.insert(name.to_owned(), json!(value));
    }
}

fn account_path(account: &str, rest: &str) -> String {
    format!("{ACCOUNTS}/{}{rest}", segment(account))
}

/// An identifier that somebody typed, fit for a path or a query.
fn segment(text: &str) -> String {
    byte_serialize(text.as_bytes()).map(|part| part.replace('+', "%20")).collect()
}

fn get(path: String) -> Request {
    Request { method: Method::GET, path, body: None, is_download: false }
}

fn post(path: String, body: Value) -> Request {
    with(Method::POST, path, body)
}

fn with(method: Method, path: String, body: Value) -> Request {
    Request { method, path, body: Some(body), is_download: false }
}

#[cfg(test)]
mod tests {
    use super::{Request, of};
    use crate::cli::admin::Arguments;
    use clap::Parser;
    use serde_json::{Value, json};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn request(line: &str) -> Request {
        let parts = std::iter::once("admin").chain(line.split(' '));
        of(&Line::try_parse_from(parts).expect(line).arguments.command).expect(line)
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
            ("radar show r", "GET", "/operator/v1/radars/r", nothing.clone()),
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

//! `/operator/v1/accounts`: customers, their state and their limits.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::api_keys::fresh_key;
use super::secrets;
use crate::domain::account::SetStatus;
use crate::domain::account_status::AccountStatus;
use crate::domain::approval::Approval;
use crate::domain::ids::AccountId;
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::operator::call::Call;
use crate::store::{Account, AccountChange, NewAccount, OwnLimits};
use crate::web::DefaultLimits;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::webhooks::secret::WebhookSecret;
use crate::wire::fields::Fields;
use crate::wire::operator::page::{LIMIT_DEFAULT, LIMIT_MAX, Page};
use crate::wire::operator::values::{label, word};
use crate::wire::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use crate::wire::time::Instant;

/// The largest limit.
const LIMIT_VALUE_MAX: u64 = 1_000_000;

/// Why an account is stopped whose rows are sound.
const FROZEN_BY_OPERATOR: &str = "frozen by the operator";

/// An account, with the limits that hold for it.
#[derive(Debug, Serialize)]
struct AccountRecord {
    account_id: Uuid,
    name: String,
    status: &'static str,
    approval: &'static str,
    limits: Limits,
    created_at: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    frozen_since: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frozen_reason: Option<String>,
}

#[derive(Debug, Serialize)]
struct Limits {
    write_per_minute: u32,
    read_per_minute: u32,
    per_second: u32,
    radars: u32,
}

/// A new account, with what is shown once.
#[derive(Serialize)]
struct NewAccountRecord {
    #[serde(flatten)]
    account: AccountRecord,
    api_key: String,
    webhook_secret: String,
}

/// `POST /operator/v1/accounts`
pub(crate) async fn create(mut call: Call) -> Answer {
    let (name, approval, limits) = parse_new(&call.body().await?.value)?;
    let now = call.now();
    let (key, stored_key) = fresh_key(&call)?;
    let webhook_secret = WebhookSecret::generate(secrets::random()?).expose();
    let account_id = AccountId(call.state.shared.ids.next(now));
    let new = NewAccount {
        account_id,
        name: name.clone(),
        approval,
        limits,
        webhook_secret: webhook_secret.clone(),
        api_key: stored_key,
    };
    call.state.shared.store.create_account(new, now).await?;
    let status = AccountStatus::Active;
    let account = Account { account_id, name, status, approval, limits, created_at: now, frozen: None };
    let account = AccountRecord::of(account, call.state.shared.limits);
    let api_key = key.expose().to_owned();
    call.data(201, "Account created", NewAccountRecord { account, api_key, webhook_secret })
}

/// `GET /operator/v1/accounts`
pub(crate) async fn list(call: Call) -> Answer {
    let mut parameters = Parameters::of(call.query(), &["limit", "cursor"]);
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX) as usize;
    let after = parameters.one("cursor", |text| uuid_text(text).map(AccountId).map_err(|_| NOT_A_CURSOR));
    let after = parameters.finish(after)?;
    let mut accounts = call.state.shared.store.sweep_accounts(after, limit as u64 + 1).await?;
    let has_more = accounts.len() > limit;
    accounts.truncate(limit);
    let next = accounts.last().filter(|_| has_more).map(|account| account.account_id.to_string());
    let records = accounts.into_iter().map(|account| AccountRecord::of(account, call.state.shared.limits)).collect();
    call.fields(200, "Accounts", Page::of(records, next))
}

/// `GET /operator/v1/accounts/{id}`
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let account = found(&call, call.account_id()?).await?;
    call.data(200, "Account", AccountRecord::of(account, call.state.shared.limits))
}

/// `PATCH /operator/v1/accounts/{id}`
pub(crate) async fn change(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let Changed { change, status, is_frozen } = parse_change(&call.body().await?.value)?;
    if !call.state.shared.store.change_account(account_id, change).await? {
        return Err(Rejection::NotFound(Missing::Account).into());
    }
    if let Some(status) = status {
        call.state.shared.ledger.ask(account_id, SetStatus { status }).await??;
        call.state.shared.shards.look_again(account_id);
    }
    call.state.shared.keys.clear();
    match is_frozen {
        Some(true) => drop(call.state.shared.store.freeze_account(account_id, FROZEN_BY_OPERATOR, call.now()).await?),
        Some(false) => {
            call.state.shared.store.unfreeze_account(account_id, call.now()).await?;
            call.state.shared.ledger.wake(account_id);
        }
        None => {}
    }
    let account = found(&call, account_id).await?;
    call.data(200, "Account changed", AccountRecord::of(account, call.state.shared.limits))
}

/// The account, or a 404.
pub(crate) async fn found(call: &Call, account_id: AccountId) -> Result<Account, Failure> {
    let account = call.state.shared.store.account(account_id).await?;
    account.ok_or_else(|| Rejection::NotFound(Missing::Account).into())
}

impl AccountRecord {
    fn of(account: Account, defaults: DefaultLimits) -> Self {
        let own = account.limits;
        Self {
            account_id: account.account_id.0,
            name: account.name,
            status: account.status.as_str(),
            approval: account.approval.as_str(),
            limits: Limits {
                write_per_minute: own.write_per_minute.unwrap_or(defaults.write_per_minute),
                read_per_minute: own.read_per_minute.unwrap_or(defaults.read_per_minute),
                per_second: own.per_second.unwrap_or(defaults.per_second),
                radars: own.radars.unwrap_or(defaults.radars),
            },
            created_at: Instant(account.created_at),
            frozen_since: account.frozen.as_ref().map(|frozen| Instant(frozen.since)),
            frozen_reason: account.frozen.map(|frozen| frozen.reason),
        }
    }
}

fn parse_new(body: &Value) -> Result<(String, Approval, OwnLimits), Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["name", "approval", "limits"]);
    let name = fields.required("name", label);
    let approval = approval(&mut fields).unwrap_or(Approval::Auto);
    let limits = limits(&mut fields);
    fields.finish(name.map(|name| (name, approval, limits)))
}

/// What is to be changed.
#[derive(Debug)]
struct Changed {
    change: AccountChange,
    status: Option<AccountStatus>,
    is_frozen: Option<bool>,
}

fn parse_change(body: &Value) -> Result<Changed, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["status", "approval", "limits", "frozen"]);
    let words: Vec<&str> = AccountStatus::ALL.iter().map(|status| status.as_str()).collect();
    let status = fields.parsed("status", |text| word(text, AccountStatus::from_stored, &words));
    let change = AccountChange { approval: approval(&mut fields), limits: limits(&mut fields) };
    let is_frozen = fields.get("frozen").and_then(Value::as_bool);
    if is_frozen.is_none() && fields.get("frozen").is_some() {
        fields.refuse("frozen", "must be true or false");
    }
    fields.finish(Some(Changed { change, status, is_frozen }))
}

fn approval(fields: &mut Fields<'_>) -> Option<Approval> {
    let words: Vec<&str> = Approval::ALL.iter().map(|approval| approval.as_str()).collect();
    fields.parsed("approval", |text| word(text, Approval::from_stored, &words))
}

fn limits(fields: &mut Fields<'_>) -> OwnLimits {
    let mut limits = OwnLimits::default();
    let given = match fields.get("limits") {
        None => return limits,
        Some(Value::Object(given)) => given,
        Some(_) => {
            fields.refuse("limits", "must be an object");
            return limits;
        }
    };
    for (name, value) in given {
        let limit = match name.as_str() {
            "write_per_minute" => &mut limits.write_per_minute,
            "read_per_minute" => &mut limits.read_per_minute,
            "per_second" => &mut limits.per_second,
            "radars" => &mut limits.radars,
            _ => {
                fields.refuse(&format!("limits.{name}"), "is not a known field");
                continue;
            }
        };
        let whole = value.as_u64().filter(|whole| (1..=LIMIT_VALUE_MAX).contains(whole));
        *limit = whole.and_then(|whole| u32::try_from(whole).ok());
        if limit.is_none() && !value.is_null() {
            fields.refuse(&format!("limits.{name}"), format!("must be an integer from 1 to {LIMIT_VALUE_MAX}"));
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Changed, parse_change, parse_new};
    use crate::domain::account_status::AccountStatus;
    use crate::domain::approval::Approval;
    use crate::domain::rejection::FieldError;
    use crate::store::OwnLimits;

    fn offending<T: std::fmt::Debug>(parsed: Result<T, Vec<FieldError>>) -> Vec<String> {
        parsed.expect_err("a refusal").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_new_account_needs_a_name_alone() {
        let read = |body: Value| parse_new(&body);
        let nothing = OwnLimits::default();
        assert_eq!(read(json!({"name": " Acme "})), Ok(("Acme".into(), Approval::Auto, nothing)));
        let limits = OwnLimits { per_second: Some(5), ..nothing };
        let body = json!({"name": "Acme", "approval": "manual", "limits": {"per_second": 5, "read_per_minute": null}});
        assert_eq!(read(body), Ok(("Acme".into(), Approval::Manual, limits)));
        let body = json!({"approval": "never", "limits": {"per_second": 0, "per_day": 1}, "status": "active"});
        let mut fields = offending(read(body));
        fields.sort();
        assert_eq!(fields, ["approval", "limits.per_day", "limits.per_second", "name", "status"]);
        assert_eq!(offending(read(json!({"name": "a", "limits": [1]}))), ["limits"]);
    }

    #[test]
    fn a_change_names_only_what_changes() {
        let Changed { change, status, is_frozen } = parse_change(&json!({"status": "inactive"})).expect("a change");
        assert_eq!(is_frozen, None);
        let frozen = |value: Value| parse_change(&json!({"frozen": value})).map(|changed| changed.is_frozen);
        assert_eq!((frozen(json!(false)), frozen(json!(true))), (Ok(Some(false)), Ok(Some(true))));
        assert_eq!((frozen(Value::Null), offending(frozen(json!("no")))), (Ok(None), vec!["frozen".to_owned()]));
        assert_eq!((status, change.approval), (Some(AccountStatus::Inactive), None));
        assert_eq!(change.limits, OwnLimits::default());
        assert_eq!(offending(parse_change(&json!({"name": "x", "status": 1}))), ["name", "status"]);
        assert_eq!(offending(parse_change(&json!({"limits": {"write_per_minute": 1.5}}))), ["limits.write_per_minute"]);
    }
}

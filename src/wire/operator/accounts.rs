//! Accounts, as operators make and change them.

use serde_json::Value;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX, label};
use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use domain::delivery::webhook_url;
use domain::{
    AccountId, AccountSearch, AccountStanding, AccountStatus, Approval, FieldError, Fields, IsForbidden, OwnLimits,
    Scope, Scopes,
};

/// The largest limit.
const LIMIT_VALUE_MAX: u64 = 1_000_000;

/// Reads a new account: name, approval, own limits.
pub fn parse_new(body: &Value) -> Result<(String, Approval, OwnLimits), Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["name", "approval", "limits"]);
    let name = fields.required("name", label);
    let approval = approval(&mut fields).unwrap_or(Approval::Auto);
    let limits = limits(&mut fields);
    fields.finish(name.map(|name| (name, approval, limits)))
}

/// Reads what the session of a new link to the portal may be used for: everything unless something else is said.
pub fn parse_portal_link(body: &Value) -> Result<Scopes, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["scopes"]);
    let scopes = fields.list("scopes", Scope::ALL.len(), str::parse::<Scope>);
    let scopes = scopes.map_or(Scopes::ALL, |scopes| Scopes::of(&scopes));
    if !scopes.permit(Scope::Read) {
        fields.refuse("scopes", "must have read among them");
    }
    fields.finish(Some(scopes))
}

/// Reads the query of `GET /operator/v1/accounts`: which accounts, and how many at most.
pub fn search(raw: &str) -> Result<(AccountSearch, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["name", "state", "limit", "cursor"]);
    let search = AccountSearch {
        name: parameters.one("name", label),
        state: parameters.one("state", str::parse::<AccountStanding>),
        after: parameters.one("cursor", |text| uuid_text(text).map(AccountId).map_err(|_| NOT_A_CURSOR)),
    };
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish((search, limit))
}

/// What is to be changed about an account; `None` leaves as it is.
#[derive(Debug)]
pub struct ChangedAccount {
    pub approval: Option<Approval>,
    pub limits: OwnLimits,
    pub status: Option<AccountStatus>,
    pub is_frozen: Option<bool>,
    /// Where it hears of its endpoints, normalised; the inner `None` removes the address.
    pub alert_url: Option<Option<String>>,
}

/// Reads a change of an account.
pub fn parse_change(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<ChangedAccount, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["status", "approval", "limits", "frozen", "alert_url"]);
    let status = fields.parsed("status", str::parse::<AccountStatus>);
    let approval = approval(&mut fields);
    let limits = limits(&mut fields);
    let is_frozen = fields.flag("frozen");
    let alert_url = fields.parsed("alert_url", |text| webhook_url::parse(text, is_forbidden));
    let alert_url = fields.names().any(|name| name == "alert_url").then_some(alert_url);
    fields.finish(Some(ChangedAccount { approval, limits, status, is_frozen, alert_url }))
}

fn approval(fields: &mut Fields<'_>) -> Option<Approval> {
    fields.parsed("approval", str::parse::<Approval>)
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

    use super::{ChangedAccount, parse_new};
    use domain::{AccountStatus, Approval, FieldError, OwnLimits};

    fn parse_change(body: &Value) -> Result<ChangedAccount, Vec<FieldError>> {
        super::parse_change(body, &|_| false)
    }

    fn offending<T: std::fmt::Debug>(parsed: Result<T, Vec<FieldError>>) -> Vec<String> {
        parsed.expect_err("a rejection").into_iter().map(|error| error.field).collect()
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
        let change = parse_change(&json!({"status": "inactive"})).expect("a change");
        assert_eq!(change.is_frozen, None);
        let frozen = |value: Value| parse_change(&json!({"frozen": value})).map(|changed| changed.is_frozen);
        assert_eq!((frozen(json!(false)), frozen(json!(true))), (Ok(Some(false)), Ok(Some(true))));
        assert_eq!((frozen(Value::Null), offending(frozen(json!("no")))), (Ok(None), vec!["frozen".to_owned()]));
        assert_eq!((change.status, change.approval), (Some(AccountStatus::Inactive), None));
        assert_eq!((change.limits, change.alert_url), (OwnLimits::default(), None));
        let alert_url = |value: Value| parse_change(&json!({"alert_url": value})).map(|changed| changed.alert_url);
        assert_eq!(alert_url(json!("HTTPS://Ops.example")), Ok(Some(Some("https://ops.example/".to_owned()))));
        assert_eq!(alert_url(Value::Null), Ok(Some(None)), "null removes it");
        assert_eq!(offending(alert_url(json!("ops"))), ["alert_url"]);
        assert_eq!(offending(parse_change(&json!({"name": "x", "status": 1}))), ["name", "status"]);
        assert_eq!(offending(parse_change(&json!({"limits": {"write_per_minute": 1.5}}))), ["limits.write_per_minute"]);
    }
}

//! API keys, as customers and operators make them and see them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::parameters::instant;
use crate::record::records;
use crate::time::Instant;
use domain::{FieldError, Fields, Grant, KeyKind, Scope, Scopes};

/// The name of the schema of an API key.
pub const API_KEY: &str = "ApiKey";

records! {
    /// An API key; the key itself is shown once, when it is made.
    #[derive(Debug)]
    pub struct ApiKeyRecord {
        /// The key's identifier.
        pub key_id: Uuid,
        /// The first characters of the key, to tell keys apart.
        pub key_hint: String,
        /// Who uses it: programs, or somebody on the portal until the session is over.
        pub kind: KeyKind,
        /// When it was made.
        pub created_at: Instant,
        /// What it may be used for.
        pub scopes: Vec<Scope>,
        /// From when on it is good no more; null where it has no end.
        pub expires_at: Option<Instant>,
        /// When it was revoked.
        pub revoked_at: Option<Instant>,
    }
}

/// Reads what a new key is to be good for, at `now`. Nobody can hand on more than the `maker` has; what is not said is what the
/// maker has.
///
/// # Errors
/// Every offending field.
pub fn parse(body: &Value, maker: Grant, now: DateTime<Utc>) -> Result<Grant, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&["scopes", "expires_at"]);
    let scopes = fields.list("scopes", Scope::ALL.len(), str::parse::<Scope>);
    let scopes = scopes.map_or(maker.scopes, |scopes| Scopes::of(&scopes));
    if let Some(lacking) = maker.lacks(scopes).first() {
        fields.refuse("scopes", format_args!("must be among those of your own key, which lacks {}", lacking.as_str()));
    }
    let expires_at = fields.parsed("expires_at", instant);
    if expires_at.is_some_and(|expires_at| expires_at <= now) {
        fields.refuse("expires_at", "must be in the future");
    }
    let expires_at = expires_at.or(maker.expires_at);
    if maker.ends_before(expires_at) {
        fields.refuse("expires_at", "must not be after the end of your own key");
    }
    fields.finish(Some(Grant { scopes, expires_at }))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Duration, Utc};
    use serde_json::{Value, json};

    use super::parse;
    use domain::{FieldError, Grant, Scopes};

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn offending(parsed: Result<Grant, Vec<FieldError>>) -> Vec<String> {
        parsed.expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_new_key_may_do_everything_for_ever_unless_something_else_is_said() {
        let read = |body: Value| parse(&body, Grant::ALL, NOW);
        assert_eq!(read(json!({})), Ok(Grant::ALL));
        let body = json!({"scopes": ["read"], "expires_at": "1970-01-01T00:00:01Z"});
        assert_eq!(read(body), Ok(Grant { scopes: Scopes::READ, expires_at: Some(NOW + Duration::seconds(1)) }));
        assert_eq!(read(json!({"scopes": ["write", "read"]})), Ok(Grant::ALL));
        let body = json!({"scopes": [], "expires_at": "soon", "name": "x"});
        assert_eq!(offending(read(body)), ["name", "scopes", "expires_at"]);
        let past = json!({"scopes": ["admin"], "expires_at": "1970-01-01T00:00:00Z"});
        assert_eq!(offending(read(past)), ["scopes", "expires_at"]);
    }

    #[test]
    fn nobody_hands_on_more_than_they_have() {
        let end = NOW + Duration::seconds(10);
        let maker = Grant { scopes: Scopes::of(&[domain::api_key::Scope::Write]), expires_at: Some(end) };
        let read = |body: Value| parse(&body, maker, NOW);
        assert_eq!(read(json!({})), Ok(maker));
        assert_eq!(read(json!({"expires_at": "1970-01-01T00:00:10Z"})), Ok(maker));
        assert_eq!(offending(read(json!({"scopes": ["read"]}))), ["scopes"]);
        assert_eq!(offending(read(json!({"expires_at": "1970-01-01T00:00:11Z"}))), ["expires_at"]);
    }
}

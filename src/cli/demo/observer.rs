//! What a customer and an operator can see of the running demo, through the two APIs.
//!
//! Duty: ask, and report what is new since the last time. It knows nothing of the service's insides.

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

use crate::cli::api_client::{ApiClient, ApiError};
use crate::cli::failure::{Failure, Result};

/// An update as it was pulled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pulled {
    pub(super) update: Update,
    /// The exact text of the element of `updates`.
    pub(super) text: String,
}

/// Somebody with an API key and an operator key.
pub(super) struct Observer {
    pub(super) public: ApiClient,
    pub(super) operator: ApiClient,
    account_id: String,
    since: Option<String>,
    /// The number of the last entry of the ledger that was seen.
    last_entry: u64,
    balance: Option<String>,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    updates: Vec<&'a RawValue>,
    next_cursor: Option<String>,
}

/// What the demo reads of an update.
#[derive(Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Update {
    pub(super) update_id: String,
    pub(super) update_type: String,
    pub(super) radar_type: String,
    discovered_at: String,
    data: Value,
    pub(super) content: Value,
}

impl Update {
    /// What it says, in a few words.
    pub(super) fn summary(&self) -> String {
        let domain = words(&self.data, "domain");
        match self.update_type.as_str() {
            "radar_failure" => format!("failure at {domain}: {}", words(&self.content, "failure_reason")),
            _ => format!("{} at {domain}", words(&self.content, "job_title")),
        }
    }
}

impl Observer {
    pub(super) fn new(public: ApiClient, operator: ApiClient, account_id: String) -> Self {
        Self { public, operator, account_id, since: None, last_entry: 0, balance: None }
    }

    /// Passes over what is there already.
    pub(super) async fn pass_over(&mut self) -> Result<()> {
        self.new_updates().await?;
        while !self.new_entries().await?.is_empty() {}
        Ok(())
    }

    /// Updates that were not there before.
    pub(super) async fn new_updates(&mut self) -> Result<Vec<Pulled>> {
        let mut pulled = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let path = updates_path(self.since.as_deref(), cursor.as_deref());
            let answer = self.public.send(Method::GET, &path, None).await?;
            answer.accepted()?;
            let page: Page<'_> =
                serde_json::from_slice(&answer.body).map_err(|error| Failure::of("GET /v1/updates", error))?;
            for raw in page.updates {
                let update: Update =
                    serde_json::from_str(raw.get()).map_err(|error| Failure::of("an update", error))?;
                self.since = Some(update.discovered_at.clone());
                pulled.push(Pulled { update, text: raw.get().to_owned() });
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(pulled),
            }
        }
    }

    /// Entries of the ledger that were not there before, a page at most, each in a few words.
    pub(super) async fn new_entries(&mut self) -> Result<Vec<String>, ApiError> {
        let path = format!("/operator/v1/accounts/{}/ledger?after={}", self.account_id, self.last_entry);
        let answer = self.operator.call(Method::GET, &path, None).await?;
        let new = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        self.last_entry = new.last().and_then(|entry| entry["seq"].as_u64()).unwrap_or(self.last_entry);
        let line = |entry: &Value| {
            let amount = entry.get("amount_usd").map(Value::to_string).unwrap_or_default();
            format!("{} {amount} USD", words(entry, "kind").replace('_', " "))
        };
        Ok(new.iter().map(line).collect())
    }

    /// The balance, if it is another than the last time.
    pub(super) async fn new_balance(&mut self) -> Result<Option<String>, ApiError> {
        let answer = self.public.call(Method::GET, "/v1/account", None).await?;
        let balance = answer.pointer("/data/balance_remaining_usd").map(Value::to_string);
        if balance == self.balance {
            return Ok(None);
        }
        self.balance.clone_from(&balance);
        Ok(balance)
    }
}

fn updates_path(since: Option<&str>, cursor: Option<&str>) -> String {
    let mut query = Serializer::new(String::new());
    query.extend_pairs([("update_type", "radar_finding,radar_failure"), ("limit", "100")]);
    query.extend_pairs(since.map(|since| ("since", since)));
    query.extend_pairs(cursor.map(|cursor| ("cursor", cursor)));
    format!("/v1/updates?{}", query.finish())
}

fn words<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::{Page, Update, updates_path};

    #[test]
    fn the_text_of_an_update_is_cut_out_byte_for_byte() {
        let element = r#"{"update_id":"u1",  "update_type":"radar_finding","radar_type":"company_job_openings","discovered_at":"2026-01-01T00:00:00.000000Z","data":{"domain":"acme.com"},"content":{"job_title":"Cook \u0026 more","n":1.50}}"#;
        let body = format!(r#"{{"status":"success", "updates": [ {element} ] ,"has_more":false,"next_cursor":null}}"#);
        let page: Page<'_> = serde_json::from_str(&body).expect("a page");
        assert_eq!(page.updates[0].get(), element);
        let update: Update = serde_json::from_str(element).expect("an update");
        assert_eq!(update.summary(), "Cook & more at acme.com");
        assert_eq!(update.discovered_at, "2026-01-01T00:00:00.000000Z");
    }

    #[test]
    fn the_query_says_from_where_to_go_on() {
        assert_eq!(
            updates_path(Some("2026-01-01T00:00:00Z"), Some("a/b")),
            "/v1/updates?update_type=radar_finding%2Cradar_failure&limit=100&since=2026-01-01T00%3A00%3A00Z&cursor=a%2Fb"
        );
    }
}

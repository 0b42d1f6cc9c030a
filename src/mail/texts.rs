//! What mails say, as plain text.

use chrono::{DateTime, Utc};
use serde_json::Value;

use wire::forms::summary::Summary;

/// Where the links in mails lead.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// How the public API is reached from outside, without a slash at the end.
    pub(super) public_url: String,
}

impl Links {
    pub(super) fn confirm(&self, token: &str) -> String {
        format!("{}/v1/email/{token}/confirm", self.public_url)
    }

    pub(super) fn stop(&self, token: &str) -> String {
        format!("{}/v1/email/{token}/stop", self.public_url)
    }
}

/// Subject and text.
type Text = (String, String);

pub(super) fn confirmation(links: &Links, token: &str) -> Text {
    let body = format!(
        "Somebody wants alerts and a daily digest of their radars to be sent here.\n\nConfirm it: {}\n\nIf that was not \
         you, do nothing: nothing else is sent then.\n",
        links.confirm(token)
    );
    ("Confirm your address".to_owned(), with_end(body, links, token))
}

/// An alert, key by key as its payload has them.
pub(super) fn alert(links: &Links, token: &str, payload: &str) -> Text {
    let payload: Value = serde_json::from_str(payload).unwrap_or_default();
    let kind = payload["alert_type"].as_str().unwrap_or("alert").replace('_', " ");
    let facts = payload.as_object().into_iter().flatten().map(|(name, value)| match value {
        Value::String(text) => format!("{}: {text}\n", name.replace('_', " ")),
        other => format!("{}: {other}\n", name.replace('_', " ")),
    });
    (format!("Radar alert: {kind}"), with_end(facts.collect(), links, token))
}

pub(super) fn digest(links: &Links, token: &str, until: DateTime<Utc>, count: i64, payloads: &[String]) -> Text {
    let updates = if count == 1 { "update" } else { "updates" };
    let mut body = format!("{count} {updates} until {}\n\n", until.format("%Y-%m-%d %H:%M UTC"));
    for summary in payloads.iter().map(|payload| Summary::of(payload)) {
        body.push_str(&format!("- {}\n", summary.title));
        if let Some(link) = &summary.link {
            body.push_str(&format!("  {link}\n"));
        }
    }
    let more = count - payloads.len() as i64;
    if more > 0 {
        body.push_str(&format!("\nand {more} more\n"));
    }
    (format!("{count} radar {updates}"), with_end(body, links, token))
}

fn with_end(body: String, links: &Links, token: &str) -> String {
    format!("{body}\n--\nStop these mails: {}\n", links.stop(token))
}

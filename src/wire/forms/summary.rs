//! An update in a few lines for people, whatever its type: a title, a link, and what is known.
//!
//! Its texts are on one line, without characters that end a line, turn the direction of writing or are none in XML; how long
//! each may be is a constant here. Escaping is up to who writes them.

use serde_json::{Map, Value};
use url::Url;

use domain::content::Key;
use domain::{ContentLayout, RadarType};

/// Lengths are in units of UTF-16, in which receivers count: that of a title.
pub const TITLE_MAX: usize = 140;
/// How many facts there are at most.
pub const FACTS_MAX: usize = 12;
/// The length of the name of a fact.
pub const NAME_MAX: usize = 60;
/// The length of what is known.
pub const VALUE_MAX: usize = 400;
/// The length of a link.
pub const LINK_MAX: usize = 2_048;

/// What a failure tells.
const OF_FAILURE: [&str; 2] = ["failure_reason", "refund_amount_usd"];

/// An update for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// What consumers deduplicate on.
    pub update_id: String,
    /// When it was discovered, as its payload says it.
    pub discovered_at: String,
    /// What has happened.
    pub title: String,
    /// An http or https address where it stands.
    pub link: Option<Url>,
    /// What is known: names and values.
    pub facts: Vec<(String, String)>,
}

impl Summary {
    /// The summary of the update with this payload.
    pub fn of(payload: &str) -> Self {
        let payload: Value = serde_json::from_str(payload).unwrap_or_default();
        let text = |name: &str| payload[name].as_str().unwrap_or_default();
        let empty = Map::new();
        let content = payload["content"].as_object().unwrap_or(&empty);
        let mut facts = Vec::new();
        facts.extend(fact("domain", &payload["data"]["domain"]));
        let radar_type = text("radar_type");
        let (headline, link) = match radar_type.parse::<RadarType>() {
            Ok(radar_type) if text("update_type") == "radar_finding" => {
                let layout = ContentLayout::of(radar_type);
                add_facts(&mut facts, "", layout.keys(), content);
                (headline(layout, content), content.get(layout.address).and_then(link))
            }
            _ => {
                facts.extend(OF_FAILURE.iter().filter_map(|name| fact(name, content.get(*name)?)));
                (content.get("message").and_then(Value::as_str), None)
            }
        };
        facts.truncate(FACTS_MAX);
        let failed = if text("update_type") == "radar_failure" { " failed" } else { "" };
        let title = format!("{}{failed}: {}", label(radar_type), headline.unwrap_or("new"));
        Self {
            update_id: plain(text("update_id"), NAME_MAX),
            discovered_at: plain(text("discovered_at"), NAME_MAX),
            title: plain(&title, TITLE_MAX),
            link,
            facts,
        }
    }
}

impl Summary {
    /// What is known, a fact a line.
    pub fn text(&self) -> String {
        self.facts.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    }
}

/// The title that filters look at, or else the first text.
fn headline<'a>(layout: &ContentLayout, content: &'a Map<String, Value>) -> Option<&'a str> {
    let first = || layout.keys().filter(|key| !is_address(key.name)).find_map(|key| content.get(key.name)?.as_str());
    layout.role_title_of(|name| content.get(name)).or_else(first)
}

/// Adds what `object` tells under `keys`; `of` is the name of what it is about. Addresses are no facts.
fn add_facts(
    facts: &mut Vec<(String, String)>,
    of: &str,
    keys: impl IntoIterator<Item = &'static Key>,
    object: &Map<String, Value>,
) {
    for key in keys.into_iter().filter(|key| !is_address(key.name)) {
        let name = if of.is_empty() { key.name.to_owned() } else { format!("{of} {}", key.name) };
        match object.get(key.name) {
            Some(Value::Object(nested)) => add_facts(facts, &name, key.nested(), nested),
            Some(value) => facts.extend(fact(&name, value)),
            None => {}
        }
    }
}

fn is_address(name: &str) -> bool {
    name.ends_with("_url")
}

fn fact(name: &str, value: &Value) -> Option<(String, String)> {
    let value = match value {
        Value::String(text) => plain(text, VALUE_MAX),
        Value::Number(number) => number.to_string(),
        Value::Array(texts) => {
            let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
            plain(&texts.join(", "), VALUE_MAX)
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => return None,
    };
    (!value.is_empty()).then(|| (label(name), value))
}

fn link(value: &Value) -> Option<Url> {
    let url = Url::parse(value.as_str()?).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.as_str().len() <= LINK_MAX).then_some(url)
}

/// `job_title` as `Job title`.
fn label(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    plain(&first.into_iter().chain(letters).collect::<String>(), NAME_MAX)
}

/// The text on one line and not longer than `most`; an ellipsis stands for what is cut off.
fn plain(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(|letter: char| letter.is_whitespace() || is_unfit(letter)).filter(|word| !word.is_empty()) {
        let blank = if line.is_empty() { None } else { Some(' ') };
        for letter in blank.into_iter().chain(word.chars()) {
            length += letter.len_utf16();
            if length >= most {
                line.push('…');
                return line;
            }
            line.push(letter);
        }
    }
    line
}

/// Controls, marks that turn the direction of writing, and what is no character.
fn is_unfit(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
        || u32::from(letter) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn facts(summary: &Summary) -> Vec<(&str, &str)> {
        summary.facts.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    #[test]
    fn a_finding_tells_what_its_type_knows() {
        let payload = json!({
            "update_id": "7", "update_type": "radar_finding", "radar_type": "company_social_posts_cxo",
            "data": {"domain": "example.com"},
            "content": {
                "post_content": "We\n are\u{202e} hiring", "post_url": "https://x.com/ada/1", "post_channel": null,
                "author": {"name": "Ada", "title": "CTO", "profile_url": "https://x.com/ada"},
                "source_name": "x",
            },
        });
        let summary = Summary::of(&payload.to_string());
        assert_eq!((summary.update_id.as_str(), summary.title.as_str()), ("7", "Company social posts cxo: CTO"));
        assert_eq!(summary.link.as_ref().map(Url::as_str), Some("https://x.com/ada/1"));
        assert_eq!(
            facts(&summary),
            [
                ("Domain", "example.com"),
                ("Post content", "We are hiring"),
                ("Author name", "Ada"),
                ("Author title", "CTO"),
                ("Source name", "x"),
            ]
        );
    }

    #[test]
    fn a_failure_tells_why_and_what_was_refunded() {
        let payload = json!({
            "update_id": "7", "update_type": "radar_failure", "radar_type": "industry_mentions", "data": {},
            "content": {"failure_reason": "setup_failure", "refund_amount_usd": 0.1, "message": "No source."},
        });
        let summary = Summary::of(&payload.to_string());
        assert_eq!(summary.title, "Industry mentions failed: No source.");
        assert_eq!(facts(&summary), [("Failure reason", "setup_failure"), ("Refund amount usd", "0.1")]);
        assert_eq!(summary.link, None);
    }

    #[test]
    fn an_address_is_a_link_only_where_a_browser_may_go() {
        for (address, is_link) in [
            ("https://example.com/a|b", true),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("example.com", false),
        ] {
            assert_eq!(link(&json!(address)).is_some(), is_link, "{address}");
        }
        assert_eq!(link(&json!(format!("https://example.com/{}", "a".repeat(LINK_MAX)))), None);
    }

    proptest! {
        #[test]
        fn a_line_is_one_and_within_bounds(text in any::<String>(), most in 1_usize..50) {
            let line = plain(&text, most);
            prop_assert!(line.encode_utf16().count() <= most);
            let is_break = |letter: char| letter != ' ' && letter.is_whitespace();
            prop_assert!(!line.contains(is_unfit) && !line.contains(is_break));
        }
    }
}

//! An update as the payload of an incoming webhook of Slack (decision 5.10).
//!
//! Slack refuses a section of more than 3,000 characters and a header of more than 150. What strangers wrote cannot mention
//! anybody: `&`, `<` and `>` are escaped, and Slack is told not to look for names and links in it.

use serde_json::{Value, json};
use url::Url;

use super::summary::Summary;

/// The length of the section of facts, with room to spare.
const SECTION_MAX: usize = 2_900;

/// The message.
pub fn body(summary: &Summary) -> String {
    let Summary { update_id, title, link, facts, .. } = summary;
    let mut blocks = vec![json!({
        "type": "header", "block_id": update_id, "text": {"type": "plain_text", "text": title, "emoji": false},
    })];
    let lines = lines(facts);
    if !lines.is_empty() {
        blocks.push(json!({"type": "section", "text": mrkdwn(&lines)}));
    }
    if let Some(link) = link.as_ref().map(|link| linked(link, "Open")).filter(|link| link.len() <= SECTION_MAX) {
        blocks.push(json!({"type": "section", "text": mrkdwn(&link)}));
    }
    blocks.push(json!({"type": "context", "elements": [mrkdwn(&format!("update_id {update_id}"))]}));
    json!({"text": escaped(title), "mrkdwn": false, "unfurl_links": false, "unfurl_media": false, "blocks": blocks})
        .to_string()
}

/// A fact a line, as many as there is room for.
fn lines(facts: &[(String, String)]) -> String {
    let mut lines = String::new();
    for (name, value) in facts {
        let line = format!("*{}:* {}\n", escaped(name), escaped(value));
        if lines.encode_utf16().count() + line.encode_utf16().count() > SECTION_MAX {
            break;
        }
        lines.push_str(&line);
    }
    lines
}

fn mrkdwn(text: &str) -> Value {
    json!({"type": "mrkdwn", "text": text, "verbatim": true})
}

/// `|` ends the address in a link.
fn linked(url: &Url, text: &str) -> String {
    format!("<{}|{text}>", escaped(url.as_str()).replace('|', "%7C"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::forms::summary::FACTS_MAX;

    fn message(summary: &Summary) -> Value {
        serde_json::from_str(&body(summary)).expect("JSON")
    }

    #[test]
    fn decision_5_10_a_message_for_slack_mentions_nobody() {
        let summary = Summary {
            update_id: "7".into(),
            title: "Mentions: <!channel> & co".into(),
            link: Url::parse("https://example.com/a|b?x=1&y=<!here>").ok(),
            facts: vec![("Text".into(), "<@U1> <https://evil.example|bank>".into())],
            ..Summary::default()
        };
        let message = message(&summary);
        assert_eq!(message["text"], "Mentions: &lt;!channel&gt; &amp; co");
        assert_eq!(
            (&message["blocks"][0]["block_id"], &message["blocks"][0]["text"]["type"]),
            (&json!("7"), &json!("plain_text"))
        );
        assert_eq!(message["blocks"][1]["text"]["text"], "*Text:* &lt;@U1&gt; &lt;https://evil.example|bank&gt;\n");
        assert_eq!(message["blocks"][2]["text"]["text"], "<https://example.com/a%7Cb?x=1&amp;y=%3C!here%3E|Open>");
        assert_eq!(message["blocks"][3]["elements"][0]["text"], "update_id 7");
    }

    fn units(text: &Value) -> usize {
        text.as_str().expect("a text").encode_utf16().count()
    }

    proptest! {
        #[test]
        fn decision_5_10_whatever_was_found_fits_the_limits_of_slack(
            title in "[&<>a\u{1f600}]{0,70}",
            link in "https://example\\.com/[&a<]{0,1000}",
            facts in prop::collection::vec(("[&<>a]{1,60}", "[&<>a\u{1f600}]{1,200}"), 0..=FACTS_MAX),
        ) {
            let summary = Summary { update_id: "7".into(), title, link: Url::parse(&link).ok(), facts, ..Summary::default() };
            let message = message(&summary);
            let blocks = message["blocks"].as_array().expect("blocks");
            prop_assert!(blocks.len() <= 50);
            for block in blocks {
                let most = if block["type"] == "header" { 150 } else { 3_000 };
                let text = block.pointer("/text/text").or_else(|| block.pointer("/elements/0/text")).expect("a text");
                prop_assert!(units(text) <= most);
                if let Some(id) = block.get("block_id") {
                    prop_assert!(units(id) <= 255);
                }
                if block["type"] != "header" {
                    let rest = text.as_str().expect("a text").replace("|Open>", "").replace("<https://", "");
                    prop_assert!(!rest.contains(['<', '>']));
                }
            }
            prop_assert!(units(&message["text"]) <= 4_000);
        }
    }
}

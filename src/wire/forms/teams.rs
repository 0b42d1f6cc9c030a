//! An update as a message with an Adaptive Card, as a workflow of Microsoft Teams takes it (decision 5.10).
//!
//! Teams refuses more than 28 KB. Runs of text know neither Markdown nor mentions, so that what strangers wrote is shown as it
//! stands.

use serde_json::{Value, json};

use super::summary::Summary;

/// The message.
pub fn body(summary: &Summary) -> String {
    let Summary { update_id, title, link, facts, .. } = summary;
    let mut elements = vec![runs([json!({"type": "TextRun", "text": title, "weight": "Bolder", "size": "Medium"})])];
    elements[0]["id"] = Value::from(update_id.as_str());
    elements.extend(facts.iter().map(|(name, value)| {
        runs([
            json!({"type": "TextRun", "text": format!("{name}: "), "weight": "Bolder"}),
            json!({"type": "TextRun", "text": value}),
        ])
    }));
    elements.push(runs([json!({"type": "TextRun", "text": format!("update_id {update_id}"), "isSubtle": true})]));
    let actions = link.iter().map(|link| json!({"type": "Action.OpenUrl", "title": "Open", "url": link.as_str()}));
    let card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": elements,
        "actions": actions.collect::<Vec<_>>(),
    });
    let attachment =
        json!({"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": null, "content": card});
    json!({"type": "message", "attachments": [attachment]}).to_string()
}

fn runs<const N: usize>(runs: [Value; N]) -> Value {
    json!({"type": "RichTextBlock", "inlines": runs.as_slice()})
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;
    use crate::forms::summary::{FACTS_MAX, NAME_MAX, TITLE_MAX, VALUE_MAX};

    #[test]
    fn decision_5_10_a_message_for_teams_is_a_card() {
        let summary = Summary {
            update_id: "7".into(),
            title: "Mentions: **big** <at>all</at>".into(),
            link: Url::parse("https://example.com/").ok(),
            facts: vec![("Text".into(), "[bank](https://evil.example)".into())],
            ..Summary::default()
        };
        let message: Value = serde_json::from_str(&body(&summary)).expect("JSON");
        let card = &message["attachments"][0]["content"];
        assert_eq!(card["body"][0]["inlines"][0]["text"], "Mentions: **big** <at>all</at>");
        assert_eq!(card["body"][0]["id"], "7");
        assert_eq!(card["body"][1]["inlines"][1]["text"], "[bank](https://evil.example)");
        assert_eq!(card["actions"][0]["url"], "https://example.com/");
        assert!(!message.to_string().contains("\"TextBlock\""), "a TextBlock reads Markdown");
    }

    proptest! {
        #[test]
        fn decision_5_10_whatever_was_found_fits_the_limit_of_teams(
            letter in any::<char>().prop_filter("no control", |letter| !letter.is_control()),
        ) {
            let long = |most: usize| letter.to_string().repeat(most / letter.len_utf16());
            let summary = Summary {
                update_id: long(NAME_MAX),
                title: long(TITLE_MAX),
                facts: vec![(long(NAME_MAX), long(VALUE_MAX)); FACTS_MAX],
                link: Url::parse(&format!("https://example.com/{}", "a".repeat(2_000))).ok(),
                ..Summary::default()
            };
            prop_assert!(body(&summary).len() <= 28_000);
        }
    }
}

//! What the document says in more than a few words, from `prose.md`: of operations under their identifiers, with what they do in a
//! few words behind that; of the rejections that they share under their names. A test finds out what is missing there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use utoipa::openapi::path::OperationBuilder;

use domain::delivery::job::UNFINISHED_MAX;
use domain::field_limits::{
    BULK_ITEMS_MAX, FEED_ENTRIES_MAX, PREVIEWS_PER_HOUR, STREAMS_PER_KEY_MAX, UPDATE_RETENTION_DAYS,
    WEBHOOK_SECRETS_MAX,
};

/// By identifier or name: the few words, and all others.
static PROSE: LazyLock<BTreeMap<&str, (&str, String)>> =
    LazyLock::new(|| include_str!("prose.md").split("## ").filter_map(section).collect());

/// The operation of that identifier, which has no parameters and answers yet.
pub(crate) fn operation(id: &str) -> OperationBuilder {
    let summary = PROSE.get(id).map(|(summary, _)| *summary);
    OperationBuilder::new().operation_id(Some(id)).summary(summary).description(Some(description(id)))
}

pub(super) fn description(name: &str) -> &'static str {
    PROSE.get(name).map(|(_, text)| text.as_str()).unwrap_or_default()
}

/// A heading and its paragraphs, whose lines are joined.
fn section(text: &'static str) -> Option<(&'static str, (&'static str, String))> {
    let (heading, text) = text.split_once("\n\n")?;
    let (name, summary) = heading.split_once(": ").unwrap_or((heading, ""));
    let paragraphs = text.trim_end().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    Some((name, (summary, with_bounds(paragraphs.collect::<Vec<_>>().join("\n\n")))))
}

/// The text with bounds of the domain in the places that their names hold.
fn with_bounds(text: String) -> String {
    let bounds = [
        ("{BULK_ITEMS_MAX}", BULK_ITEMS_MAX.to_string()),
        ("{FEED_ENTRIES_MAX}", FEED_ENTRIES_MAX.to_string()),
        ("{PREVIEWS_PER_HOUR}", PREVIEWS_PER_HOUR.to_string()),
        ("{STREAMS_PER_KEY_MAX}", STREAMS_PER_KEY_MAX.to_string()),
        ("{UNFINISHED_MAX}", UNFINISHED_MAX.to_string()),
        ("{UPDATE_RETENTION_DAYS}", UPDATE_RETENTION_DAYS.to_string()),
        ("{WEBHOOK_SECRETS_MAX}", WEBHOOK_SECRETS_MAX.to_string()),
    ];
    bounds.iter().fold(text, |text, (name, bound)| text.replace(name, bound))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::PROSE;

    #[test]
    fn every_operation_and_rejection_has_its_words_and_nothing_else_has() {
        let document = serde_json::to_value(crate::api::document()).expect("JSON");
        let items = ["paths", "webhooks"].map(|part| document[part].as_object().expect("paths"));
        let operations = items.into_iter().flatten().flat_map(|(_, item)| item.as_object().expect("methods").values());
        let ids = operations.filter_map(|operation| operation["operationId"].as_str());
        let rejections = document["components"]["responses"].as_object().expect("answers").keys().map(String::as_str);
        assert_eq!(PROSE.keys().copied().collect::<BTreeSet<_>>(), ids.chain(rejections).collect());
        assert!(PROSE.values().all(|(_, text)| !text.is_empty() && !text.contains('{')), "a bound is not filled in");
        let is_summed_up = |operation: &Value| operation["summary"].as_str().is_some_and(|summary| !summary.is_empty());
        assert!(is_summed_up(&document["paths"]["/v1/account"]["get"]));
    }
}

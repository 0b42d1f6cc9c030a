//! Updates as a JSON Feed 1.1.

use serde_json::{Value, json};

use super::summary::Summary;

/// The media type.
pub const MEDIA_TYPE: &str = "application/feed+json";

/// A feed of these entries, the newest first.
pub fn feed(entries: &[Summary]) -> String {
    let items: Vec<Value> = entries.iter().map(item).collect();
    json!({"version": "https://jsonfeed.org/version/1.1", "title": "Radar updates", "items": items}).to_string()
}

fn item(summary: &Summary) -> Value {
    let mut item = json!({
        "id": format!("urn:uuid:{}", summary.update_id),
        "title": summary.title,
        "content_text": summary.text(),
        "date_published": summary.discovered_at,
    });
    if let Some(link) = &summary.link {
        item["url"] = Value::from(link.as_str());
    }
    item
}

//! A new item of a feed, in the form in which findings carry it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use url::Url;

use super::bounds::{TITLE_BYTES_MAX, cut};
use super::classification::role_of;
use domain::content::ContentLayout;
use domain::{RadarType, Role};
use outbound::fetch::Validators;
use outbound::web_address::is_web_address;

/// A new item of a feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundItem {
    /// The type whose content it carries.
    pub radar_type: RadarType,
    /// What the source calls it; unique within the source.
    pub native_id: String,
    /// The `content` of a finding about it: every key of its type (decision 6).
    pub content: Map<String, Value>,
    /// What filters look at.
    pub role: Role,
    /// When it happened by its own date, of a day alone the end.
    pub dated_at: Option<DateTime<Utc>>,
    /// Where it was read; of an item that was made without a page nothing.
    pub page: Option<Arc<ReadPage>>,
    /// What stood there, where the content does not say all of it.
    pub excerpt: Option<String>,
}

/// What was asked for and answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPage {
    /// Its address, without what may be a credential.
    pub url: String,
    /// SHA-256 of the body, in hexadecimal.
    pub body_hash: Option<String>,
}

impl ReadPage {
    /// The answer at `url`.
    pub fn new(url: &Url, validators: &Validators) -> Arc<Self> {
        Arc::new(Self { url: url.to_string(), body_hash: validators.body_hash.clone() })
    }
}

impl FoundItem {
    /// An item with `content`; `None` if that lacks a key that its type requires, or a usable address.
    ///
    /// `department_words` are the source's own words for the department.
    pub fn new(
        radar_type: RadarType,
        native_id: String,
        content: Map<String, Value>,
        department_words: &[String],
    ) -> Option<Self> {
        let layout = ContentLayout::of(radar_type);
        let is_given = |name: &&str| content.get(*name).is_some_and(|value| !value.is_null() && *value != "");
        let address = Url::parse(content.get(layout.address)?.as_str()?).ok()?;
        if !is_web_address(&address) || !layout.required.iter().all(is_given) {
            return None;
        }
        let title = layout.role_title_of(|name| content.get(name));
        let role = title.map(|title| role_of(cut(title, TITLE_BYTES_MAX), department_words)).unwrap_or_default();
        let dated_at = layout.date_of(&content);
        Some(Self { radar_type, native_id, content, role, dated_at, page: None, excerpt: None })
    }
}

/// The content of a finding of `radar_type`: every key of it, null where nothing is given.
pub fn content_of<'a>(radar_type: RadarType, given: impl IntoIterator<Item = (&'a str, Value)>) -> Map<String, Value> {
    let mut content: Map<String, Value> =
        ContentLayout::of(radar_type).keys().map(|key| (key.name.to_owned(), Value::Null)).collect();
    for (name, value) in given {
        content.entry(name).and_modify(|content| *content = value);
    }
    content
}

/// Oldest first; items without a date come first, in the order of the source.
pub fn sort_oldest_first(items: &mut [FoundItem]) {
    items.sort_by_cached_key(|item| {
        let key = ContentLayout::of(item.radar_type).dated_by?;
        item.content.get(key)?.as_str().map(str::to_owned)
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{FoundItem, sort_oldest_first};
    use domain::RadarType;
    use domain::content::ContentLayout;

    fn item(radar_type: RadarType, content: Map<String, Value>) -> Option<FoundItem> {
        FoundItem::new(radar_type, "1".into(), content, &[])
    }

    #[test]
    fn an_item_of_any_type_needs_an_address_and_what_its_type_requires() {
        for radar_type in RadarType::ALL {
            let layout = ContentLayout::of(*radar_type);
            let whole = layout.example();
            assert!(item(*radar_type, whole.clone()).is_some(), "{radar_type}");
            for name in layout.required.iter().chain([&layout.address]) {
                for missing in [Value::Null, json!("")] {
                    let mut content = whole.clone();
                    content.insert((*name).to_owned(), missing);
                    assert_eq!(item(*radar_type, content), None, "{radar_type} without {name}");
                }
            }
            let mut content = whole;
            content.insert(layout.address.to_owned(), json!("ftp://example.com/1"));
            assert_eq!(item(*radar_type, content), None, "{radar_type}");
        }
    }

    #[test]
    fn the_oldest_comes_first_and_what_has_no_date_before_it() {
        let of = |day: Value| {
            let mut content = ContentLayout::of(RadarType::CompanyReviews).example();
            content.insert("reviewed_at".to_owned(), day);
            item(RadarType::CompanyReviews, content).expect("an item")
        };
        let mut items = [json!("2026-02-01"), json!("2025-12-31"), Value::Null].map(of);
        sort_oldest_first(&mut items);
        let days = items.map(|item| item.content["reviewed_at"].clone());
        assert_eq!(days, [Value::Null, json!("2025-12-31"), json!("2026-02-01")]);
    }
}

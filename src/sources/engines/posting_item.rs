//! The item that a JobPosting makes.

use serde_json::Value;
use url::Url;

use crate::domain::content::ContentLayout;
use crate::domain::radar::filter::Role;
use crate::domain::radar_type::RadarType;
use crate::sources::bounds::{TITLE_BYTES_MAX, cut};
use crate::sources::classification::role_of;
use crate::sources::extraction::job_posting::JobPosting;
use crate::sources::item::FoundItem;
use crate::sources::text::canonical_url::canonical;

/// The only type that a company's own pages serve: each of their postings is one of its job openings.
pub const RADAR_TYPE: RadarType = RadarType::CompanyJobOpenings;

/// The item of `posting`, which was read on `page_url`.
pub fn item_of_posting(native_id: String, posting: &JobPosting, page_url: &Url, source_id: &str) -> FoundItem {
    let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
    let content = ContentLayout::of(RADAR_TYPE).keys().map(|key| {
        let value = match key.name {
            "job_title" => Value::String(posting.title.clone()),
            "job_url" => Value::String(canonical(posting.url.as_ref().unwrap_or(page_url)).into()),
            "job_posted_at" => text(&posting.posted_on.map(|day| day.to_string())),
            "job_description" => text(&posting.description),
            "job_source" => Value::String(source_id.to_owned()),
            "country" => text(&posting.country.map(str::to_owned)),
            _ => Value::Null,
        };
        (key.name.to_owned(), value)
    });
    let role: Role = role_of(cut(&posting.title, TITLE_BYTES_MAX), &posting.department_words);
    FoundItem { radar_type: RADAR_TYPE, native_id, content: content.collect(), role }
}

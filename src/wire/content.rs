//! The `content` of findings, key by key (decisions, section 6): the one table of it, and how pushed content is read.
//!
//! Every key is always present, in the order of the table; what a source does not give is null.

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::object::Object;
use super::time;
use crate::domain::radar::radar_type::RadarType;
use crate::domain::rejection::FieldError;

/// What a key holds when it is not null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// `YYYY-MM-DD`.
    Date,
    /// An instant.
    Instant,
    /// A list of texts.
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object, or null.
    Object(&'static [Key]),
    /// An object that is never null itself.
    Always(&'static [Key]),
}

/// A key and what it holds.
pub type Key = (&'static str, Shape);

use Shape::{Always, Date, Instant, Number, Object as Nested, Text, Texts, Word};

const AUTHOR: &[Key] = &[
    ("profile_type", Word(&["contact", "company"])),
    ("name", Text),
    ("first_name", Text),
    ("last_name", Text),
    ("title", Text),
    ("profile_url", Text),
    ("company_name", Text),
    ("company_domain", Text),
    ("country", Text),
];
const ROLE: &[Key] =
    &[("title", Text), ("company_name", Text), ("company_domain", Text), ("start_date", Date), ("end_date", Date)];
const CHANGE_TYPES: &[&str] = &["departure", "promotion", "additional_role", "new_company_role"];
const ENGAGEMENT_TYPES: &[&str] = &["like", "comment", "repost", "quote"];

/// Where a finding was seen; beside the other keys of every type but job openings.
const EVIDENCE: &[Key] = &[("source_url", Text), ("source_name", Text)];
const COMPANY: &[Key] = &[("company_name", Text), ("company_domain", Text)];
const BY: &[Key] = &[("author", Nested(AUTHOR))];
const JOB: &[Key] = &[
    ("job_title", Text),
    ("job_url", Text),
    ("job_posted_at", Date),
    ("job_description", Text),
    ("job_source", Text),
    ("country", Text),
];
const PERSON: &[Key] = &[("full_name", Text), ("first_name", Text), ("last_name", Text), ("profile_url", Text)];
const NEW_HIRE: &[Key] = &[("title", Text), ("start_date", Date), ("country", Text)];
const PROMOTION: &[Key] =
    &[("previous_title", Text), ("current_title", Text), ("promotion_date", Date), ("country", Text)];
const REVIEW: &[Key] = &[
    ("review_content", Text),
    ("review_url", Text),
    ("review_source", Text),
    ("review_rating", Number),
    ("reviewed_at", Date),
];
const MENTION: &[Key] = &[
    ("mention_content", Text),
    ("mention_url", Text),
    ("mention_channel", Text),
    ("mention_posted_at", Instant),
    ("author", Nested(AUTHOR)),
];
const POST: &[Key] = &[("post_content", Text), ("post_url", Text), ("post_channel", Text), ("post_posted_at", Instant)];
const ENGAGEMENT: &[Key] = &[
    ("engagement_type", Word(ENGAGEMENT_TYPES)),
    ("engagement_content", Text),
    ("engaged_at", Instant),
    ("post_url", Text),
    ("post_posted_at", Instant),
    ("author", Nested(AUTHOR)),
];
const JOB_CHANGE: &[Key] =
    &[("change_type", Word(CHANGE_TYPES)), ("new_role", Always(ROLE)), ("previous_role", Always(ROLE))];
const FUNDING: &[Key] =
    &[("round", Text), ("amount", Number), ("currency", Text), ("announced_at", Date), ("investors", Texts)];
const NEW_COMPANY: &[Key] =
    &[("registration_number", Text), ("jurisdiction", Text), ("registered_at", Date), ("activity", Text)];

/// The keys of a type's `content`, in order, in groups.
pub const fn keys(radar_type: RadarType) -> &'static [&'static [Key]] {
    match radar_type {
        RadarType::CompanyJobOpenings => &[JOB],
        RadarType::IndustryJobOpenings => &[JOB, COMPANY],
        RadarType::CompanyNewHires => &[PERSON, NEW_HIRE, EVIDENCE],
        RadarType::CompanyPromotions => &[PERSON, PROMOTION, EVIDENCE],
        RadarType::CompanyReviews => &[REVIEW, EVIDENCE],
        RadarType::CompanyMentions => &[MENTION, EVIDENCE],
        RadarType::IndustryMentions => &[MENTION, COMPANY, EVIDENCE],
        RadarType::CompanySocialPosts | RadarType::CompanySocialPostsCxo => &[POST, BY, EVIDENCE],
        RadarType::ContactSocialPosts => &[POST, EVIDENCE],
        RadarType::CompanySocialEngagements | RadarType::ContactSocialEngagements => &[ENGAGEMENT, EVIDENCE],
        RadarType::ContactJobChanges => &[JOB_CHANGE, EVIDENCE],
        RadarType::IndustryFundingRounds => &[COMPANY, FUNDING, EVIDENCE],
        RadarType::IndustryNewCompanies => &[COMPANY, NEW_COMPANY, EVIDENCE],
    }
}

/// Reads pushed content into the form in which findings carry it.
///
/// # Errors
/// Every offending key, as `content.key`.
pub fn read(radar_type: RadarType, content: &Value) -> Result<String, Vec<FieldError>> {
    let mut errors = Vec::new();
    let written = match content {
        Value::Object(given) => write(given, keys(radar_type), "content", &mut errors),
        _ => {
            errors.push(FieldError::new("content", "must be an object"));
            String::new()
        }
    };
    if errors.is_empty() { Ok(written) } else { Err(errors) }
}

/// The title of the position that pushed content is about, for the filters of Spec 2.7.
pub fn title(radar_type: RadarType, content: &Value) -> Option<&str> {
    let place = match radar_type {
        RadarType::CompanyJobOpenings | RadarType::IndustryJobOpenings => "/job_title",
        RadarType::CompanyNewHires => "/title",
        RadarType::CompanyPromotions => "/current_title",
        RadarType::CompanySocialPostsCxo => "/author/title",
        _ => return None,
    };
    content.pointer(place)?.as_str()
}

fn write(given: &Map<String, Value>, groups: &[&[Key]], path: &str, errors: &mut Vec<FieldError>) -> String {
    let known = || groups.iter().copied().flatten();
    for name in given.keys().filter(|name| known().all(|(known, _)| known != name)) {
        errors.push(FieldError::new(format!("{path}.{name}"), "is not a known field"));
    }
    let object = known().fold(Object::new(), |object, (name, shape)| {
        let value = given.get(*name).unwrap_or(&Value::Null);
        object.raw(name, &written(value, *shape, &format!("{path}.{name}"), errors))
    });
    object.finish()
}

fn written(value: &Value, shape: Shape, path: &str, errors: &mut Vec<FieldError>) -> String {
    let reason = match (shape, value) {
        (Always(keys), Value::Null) => return write(&Map::new(), &[keys], path, errors),
        (_, Value::Null) => return value.to_string(),
        (Nested(keys) | Always(keys), Value::Object(given)) => return write(given, &[keys], path, errors),
        (Text, Value::String(_)) | (Number, Value::Number(_)) => return value.to_string(),
        (Texts, Value::Array(values)) if values.iter().all(Value::is_string) => return value.to_string(),
        (Word(words), Value::String(word)) if words.contains(&word.as_str()) => return value.to_string(),
        (Date, Value::String(date)) if is_date(date) => return value.to_string(),
        (Instant, Value::String(text)) if let Some(instant) = time::parse(text) => {
            return Value::from(time::text(instant)).to_string();
        }
        (Text, _) => "must be a string".to_owned(),
        (Number, _) => "must be a number".to_owned(),
        (Texts, _) => "must be an array of strings".to_owned(),
        (Word(words), _) => format!("must be one of {}", words.join(", ")),
        (Date, _) => "must be a date such as 2026-01-31".to_owned(),
        (Instant, _) => "must be an ISO 8601 timestamp with a time zone such as 2026-01-31T12:00:00Z".to_owned(),
        (Nested(_) | Always(_), _) => "must be an object".to_owned(),
    };
    errors.push(FieldError::new(path, reason));
    Value::Null.to_string()
}

/// Ten characters: the library would also read `2026-1-5`.
fn is_date(text: &str) -> bool {
    text.len() == 10 && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{keys, read, title};
    use crate::domain::radar::radar_type::RadarType;

    #[test]
    fn every_key_is_present_in_the_order_of_the_table() {
        for radar_type in RadarType::ALL {
            let content = read(*radar_type, &json!({})).expect("nothing is required");
            let names: Vec<&str> = keys(*radar_type).iter().copied().flatten().map(|(name, _)| *name).collect();
            let mut from = 0;
            for name in &names {
                let place = content[from..].find(&format!("\"{name}\":"));
                from += place.unwrap_or_else(|| panic!("{radar_type}: {name} is missing or out of order"));
            }
            let value: Value = serde_json::from_str(&content).expect("JSON");
            assert_eq!(value.as_object().map(serde_json::Map::len), Some(names.len()), "{radar_type}");
            let has_evidence = names.contains(&"source_url") && names.contains(&"source_name");
            assert_eq!(has_evidence, !radar_type.as_str().ends_with("job_openings"), "{radar_type}");
        }
    }

    #[test]
    fn what_is_given_is_kept_and_instants_take_our_form() {
        let given = json!({"post_content": "hi \"you\"", "post_posted_at": "2026-01-31T12:00:00+01:00",
                           "author": {"name": "Ada", "profile_type": "contact"}});
        let content = read(RadarType::CompanySocialPosts, &given).expect("content");
        assert!(content.starts_with(
            r#"{"post_content":"hi \"you\"","post_url":null,"post_channel":null,"post_posted_at":"2026-01-31T11:00:00.000000Z","author":{"profile_type":"contact","name":"Ada","#
        ));
        let change = read(RadarType::ContactJobChanges, &json!({"change_type": "departure"})).expect("content");
        let change: Value = serde_json::from_str(&change).expect("JSON");
        assert_eq!(change["new_role"]["end_date"], Value::Null);
        assert_eq!(change["new_role"].as_object().map(serde_json::Map::len), Some(5));
    }

    #[test]
    fn what_does_not_fit_is_listed() {
        let given =
            json!({"change_type": "fired", "new_role": {"title": 1, "salary": 1, "start_date": "2026-1-5"}, "x": 1});
        let errors = read(RadarType::ContactJobChanges, &given).expect_err("a refusal");
        let mut offending: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        offending.sort_unstable();
        assert_eq!(
            offending,
            [
                "content.change_type",
                "content.new_role.salary",
                "content.new_role.start_date",
                "content.new_role.title",
                "content.x"
            ]
        );
        assert!(read(RadarType::CompanyReviews, &json!([])).is_err());
        assert!(read(RadarType::CompanyReviews, &json!({"review_rating": "4"})).is_err());
        assert!(read(RadarType::ContactSocialPosts, &json!({"author": {"name": "Ada"}})).is_err());
    }

    #[test]
    fn the_title_is_where_the_type_has_it() {
        let content = json!({"job_title": "a", "title": "b", "current_title": "c", "author": {"title": "d"}});
        for (radar_type, wanted) in [
            (RadarType::CompanyJobOpenings, Some("a")),
            (RadarType::CompanyNewHires, Some("b")),
            (RadarType::CompanyPromotions, Some("c")),
            (RadarType::CompanySocialPostsCxo, Some("d")),
            (RadarType::CompanyReviews, None),
        ] {
            assert_eq!(title(radar_type, &content), wanted, "{radar_type}");
        }
    }
}

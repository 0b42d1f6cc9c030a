//! Pushed content, read by the table of `domain::content` into the form in which findings carry it.

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::object::Object;
use super::time;
use domain::content::{Key, Shape};
use domain::{ContentLayout, FieldError, RadarType};

/// Reads pushed content into the form in which findings carry it.
///
/// # Errors
/// Every offending key, as `content.key`.
pub fn read(radar_type: RadarType, content: &Value) -> Result<String, Vec<FieldError>> {
    let mut errors = Vec::new();
    let written = match content {
        Value::Object(given) => {
            let keys: Vec<&Key> = ContentLayout::of(radar_type).keys().collect();
            write(given, &keys, "content", &mut errors)
        }
        _ => {
            errors.push(FieldError::new("content", "must be an object"));
            String::new()
        }
    };
    if errors.is_empty() { Ok(written) } else { Err(errors) }
}

fn write(given: &Map<String, Value>, keys: &[&Key], path: &str, errors: &mut Vec<FieldError>) -> String {
    for name in given.keys().filter(|name| keys.iter().all(|key| key.name != *name)) {
        errors.push(FieldError::new(format!("{path}.{name}"), "is not a known field"));
    }
    let object = keys.iter().fold(Object::new(), |object, key| {
        let value = given.get(key.name).unwrap_or(&Value::Null);
        object.raw(key.name, &written(value, key, &format!("{path}.{}", key.name), errors))
    });
    object.finish()
}

fn written(value: &Value, key: &Key, path: &str, errors: &mut Vec<FieldError>) -> String {
    let nested = |given, errors: &mut Vec<FieldError>| {
        let keys: Vec<&Key> = key.nested().iter().collect();
        write(given, &keys, path, errors)
    };
    let reason = match (key.shape, value) {
        (Shape::Always(_), Value::Null) => return nested(&Map::new(), errors),
        (_, Value::Null) => return value.to_string(),
        (Shape::Object(_) | Shape::Always(_), Value::Object(given)) => return nested(given, errors),
        (Shape::Text, Value::String(_)) | (Shape::Number, Value::Number(_)) => return value.to_string(),
        (Shape::Texts, Value::Array(values)) if values.iter().all(Value::is_string) => return value.to_string(),
        (Shape::Word(words), Value::String(word)) if words.contains(&word.as_str()) => return value.to_string(),
        (Shape::Date, Value::String(date)) if is_date(date) => return value.to_string(),
        (Shape::Instant, Value::String(text)) if let Some(instant) = time::parse(text) => {
            return Value::from(time::text(instant)).to_string();
        }
        (shape, _) => expected(shape),
    };
    errors.push(FieldError::new(path, reason));
    Value::Null.to_string()
}

/// What a value of this shape must be, as the end of a sentence.
fn expected(shape: Shape) -> String {
    match shape {
        Shape::Text => "must be a string".to_owned(),
        Shape::Number => "must be a number".to_owned(),
        Shape::Texts => "must be an array of strings".to_owned(),
        Shape::Word(words) => format!("must be one of {}", words.join(", ")),
        Shape::Date => "must be a date such as 2026-01-31".to_owned(),
        Shape::Instant => "must be an ISO 8601 timestamp with a time zone such as 2026-01-31T12:00:00Z".to_owned(),
        Shape::Object(_) | Shape::Always(_) => "must be an object".to_owned(),
    }
}

/// Ten characters: the library would also read `2026-1-5`.
fn is_date(text: &str) -> bool {
    text.len() == 10 && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read;
    use domain::RadarType;
    use domain::content::ContentLayout;

    #[test]
    fn decision_3_12_every_key_is_present_in_the_order_of_the_table() {
        for radar_type in RadarType::ALL {
            let content = read(*radar_type, &json!({})).expect("nothing is required");
            let names: Vec<&str> = ContentLayout::of(*radar_type).keys().map(|key| key.name).collect();
            let mut from = 0;
            for name in &names {
                let place = content[from..].find(&format!("\"{name}\":"));
                from += place.unwrap_or_else(|| panic!("{radar_type}: {name} is missing or out of order"));
            }
            let value: Value = serde_json::from_str(&content).expect("JSON");
            assert_eq!(value.as_object().map(serde_json::Map::len), Some(names.len()), "{radar_type}");
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
        let errors = read(RadarType::ContactJobChanges, &given).expect_err("a rejection");
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
}

//! From an item of a JSON answer to the content of a finding, as the source file says.
//!
//! Duty: pure reading of JSON, for any radar type. Never here: requests, or what is new.

use serde_json::{Map, Number, Value};
use serde_json_path::JsonPath;

use crate::domain::content::{ContentLayout, Key, Shape};
use crate::sources::bounds::{LINE_BYTES_MAX, NATIVE_ID_BYTES_MAX, PLACE_BYTES_MAX, TITLE_BYTES_MAX, cut};
use crate::sources::classification::country::{country_of_field, country_of_place, the_one_country};
use crate::sources::format::json_source::{Field, Format, JsonBoard, Lookup};
use crate::sources::text::dates::{day_of, instant_of, text_of_instant};
use crate::sources::text::plain::{one_line, plain_of_escaped_html, plain_of_html, tidy};

/// Departments of one item that are looked at.
const DEPARTMENTS_MAX: usize = 10;
/// Places of one item that are looked at.
const PLACES_MAX: usize = 200;
/// Entries of a list that are taken.
const TEXTS_MAX: usize = 100;

/// The content of `item`: every key of its radar type, null where the source gives nothing.
pub fn content_of(board: &JsonBoard, item: &Value) -> Map<String, Value> {
    object(board, ContentLayout::of(board.radar_type).keys(), "", item)
}

/// The item's own id: the first that one of the paths gives.
pub fn native_id_of(board: &JsonBoard, item: &Value) -> Option<String> {
    let mut ids = board.items.id.iter().flat_map(|path| path.query(item).all()).filter_map(scalar);
    ids.find(|id| !id.is_empty()).filter(|id| id.len() <= NATIVE_ID_BYTES_MAX)
}

/// Words of the source that hint at the department.
pub fn department_words_of(board: &JsonBoard, item: &Value) -> Vec<String> {
    let words = board.department_paths.iter().flat_map(|path| path.query(item).all()).filter_map(scalar);
    words.take(DEPARTMENTS_MAX).map(|words| cut(&words, TITLE_BYTES_MAX).to_owned()).collect()
}

/// `prefix` is what stands before the names of `keys` in the `[map]` table.
fn object<'a>(
    board: &JsonBoard,
    keys: impl IntoIterator<Item = &'a Key>,
    prefix: &str,
    item: &Value,
) -> Map<String, Value> {
    let value = |key: &Key| value_of_key(board, key, &format!("{prefix}{}", key.name), item);
    keys.into_iter().map(|key| (key.name.to_owned(), value(key))).collect()
}

fn value_of_key(board: &JsonBoard, key: &Key, path: &str, item: &Value) -> Value {
    let nested = |keys: &[Key]| object(board, keys, &format!("{path}."), item);
    match key.shape {
        Shape::Always(keys) => Value::Object(nested(keys)),
        Shape::Object(keys) => {
            let object = nested(keys);
            if object.values().all(Value::is_null) { Value::Null } else { Value::Object(object) }
        }
        shape => board.map.get(path).and_then(|field| value_of_field(field, shape, item)).unwrap_or(Value::Null),
    }
}

fn value_of_field(field: &Field, shape: Shape, item: &Value) -> Option<Value> {
    match (shape, field) {
        (Shape::Texts, Field::First(lookup)) => {
            let texts = lookup.paths.iter().map(|path| texts_at(path, item, lookup.format));
            let mut texts = texts.into_iter().find(|texts| !texts.is_empty())?;
            texts.truncate(TEXTS_MAX);
            Some(Value::from(texts))
        }
        (Shape::Texts, other) => Some(Value::from(vec![text_of_field(other, item)?])),
        (Shape::Number, field) => text_of_field(field, item)?.parse::<Number>().ok().map(Value::Number),
        (Shape::Word(words), field) => {
            text_of_field(field, item).filter(|text| words.contains(&text.as_str())).map(Value::String)
        }
        (_, field) => text_of_field(field, item).map(Value::String),
    }
}

fn text_of_field(field: &Field, item: &Value) -> Option<String> {
    match field {
        Field::Constant(text) => Some(text.clone()),
        Field::First(lookup) => text_of_lookup(lookup, item),
        Field::Join(lookups) => {
            let texts: Vec<String> = lookups.iter().filter_map(|lookup| text_of_lookup(lookup, item)).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        }
    }
}

fn text_of_lookup(lookup: &Lookup, item: &Value) -> Option<String> {
    lookup.paths.iter().find_map(|path| text_at(path, item, lookup.format))
}

fn text_at(path: &JsonPath, item: &Value, format: Format) -> Option<String> {
    let nodes = path.query(item);
    match format {
        Format::Date(date) => nodes.iter().find_map(|value| day_of(value, date)).map(|day| day.to_string()),
        Format::Instant(date) => nodes.iter().find_map(|value| instant_of(value, date)).map(text_of_instant),
        Format::CountryField | Format::CountryPlace => country_of_all(nodes.iter().copied(), format),
        Format::Line | Format::Plain | Format::Html | Format::Entities => {
            let texts = texts_at(path, item, format);
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
    }
}

/// The texts at `path` that are not empty.
fn texts_at(path: &JsonPath, item: &Value, format: Format) -> Vec<String> {
    let texts = path.query(item).all().into_iter().filter_map(scalar).map(|text| plain(&text, format));
    texts.filter(|text| !text.is_empty()).collect()
}

/// The one country that the places name.
fn country_of_all<'a>(places: impl Iterator<Item = &'a Value>, format: Format) -> Option<String> {
    let read = |text: &str| match format {
        Format::CountryField => country_of_field(text).or_else(|| country_of_place(text)),
        _ => country_of_place(text),
    };
    let places = places.filter_map(Value::as_str).take(PLACES_MAX).map(|place| cut(place, PLACE_BYTES_MAX));
    the_one_country(places.filter_map(read)).map(str::to_owned)
}

fn plain(text: &str, format: Format) -> String {
    match format {
        Format::Html => plain_of_html(text),
        Format::Entities => plain_of_escaped_html(text),
        Format::Plain => tidy(text),
        _ => one_line(cut(text, LINE_BYTES_MAX)),
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::content_of;
    use crate::domain::content::ContentLayout;
    use crate::domain::radar::radar_type::RadarType;
    use crate::sources::format::source::SourceKind;
    use crate::sources::format::source_file::read_source;

    fn content(radar_type: RadarType, map: &str, item: &Value) -> Value {
        let text = format!(
            "format_version = 1\nid = \"quarry\"\nkind = \"json\"\nradar_types = [\"{radar_type}\"]\n\
             [discovery]\ntarget = \"keyword\"\n[request]\nurl = \"https://quarry.example/{{token}}\"\n\
             [items]\nlist = \"$\"\nid = \"$.id\"\n[map]\n{map}"
        );
        let source = read_source("quarry.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        let SourceKind::Json(board) = source.kind() else { panic!("a JSON source") };
        Value::Object(content_of(board, item))
    }

    #[test]
    fn values_take_the_shape_of_their_key() {
        let map = r#"
            company_name = { paths = ["$.name"] }
            round = { const = "Seed" }
            amount = { paths = ["$.sum"] }
            announced_at = { paths = ["$.day"] }
            investors = { paths = ["$.by[*]"] }
            source_url = { paths = ["$.url"] }"#;
        let item = json!({"name": " Acme ", "sum": "2500000.5", "day": "2026-03-04T01:00:00+02:00", "by": ["One", "", "Two"],
                          "url": "https://quarry.example/1"});
        let read = content(RadarType::IndustryFundingRounds, map, &item);
        assert_eq!(
            read,
            json!({"company_name": "Acme", "company_domain": null, "round": "Seed", "amount": 2_500_000.5, "currency": null,
                   "announced_at": "2026-03-04", "investors": ["One", "Two"], "source_url": "https://quarry.example/1",
                   "source_name": null})
        );
        let read = content(RadarType::IndustryFundingRounds, map, &json!({"sum": "a lot", "day": "soon", "by": []}));
        assert!(["amount", "announced_at", "investors"].iter().all(|name| read[name].is_null()), "{read}");
    }

    #[test]
    fn objects_are_filled_from_keys_with_dots() {
        let map = r#"
            post_url = { paths = ["$.url"] }
            post_posted_at = { paths = ["$.at"], date = "epoch_s" }
            "author.name" = { paths = ["$.by"] }
            "author.profile_type" = { paths = ["$.kind"] }"#;
        let item = json!({"url": "https://a.example/1", "at": 1_767_225_600, "by": "Ada", "kind": "robot"});
        let read = content(RadarType::CompanySocialPosts, map, &item);
        assert_eq!(read["post_posted_at"], "2026-01-01T00:00:00.000000Z");
        assert_eq!((&read["author"]["name"], &read["author"]["profile_type"]), (&json!("Ada"), &Value::Null));
        assert_eq!(content(RadarType::CompanySocialPosts, map, &json!({}))["author"], Value::Null);
        let map = "change_type = { const = \"departure\" }\nsource_url = { paths = [\"$.url\"] }";
        let read = content(RadarType::ContactJobChanges, map, &json!({}));
        assert!(read["new_role"].as_object().is_some_and(|role| role.values().all(Value::is_null)), "{read}");
    }

    #[test]
    fn every_key_of_the_type_is_there_whatever_the_item_holds() {
        for radar_type in RadarType::ALL {
            let layout = ContentLayout::of(*radar_type);
            let given = |name: &&str| format!("{name} = {{ paths = [\"$.x\"] }}\n");
            let map: String = layout.required.iter().chain([&layout.address]).map(given).collect();
            let read = content(*radar_type, &map, &json!({"x": [1, {}]}));
            assert_eq!(read.as_object().map(serde_json::Map::len), Some(layout.keys().count()), "{radar_type}");
        }
    }
}

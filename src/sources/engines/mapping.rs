//! From an item of a board's answer to the content of a finding, as the source file says.
//!
//! Duty: pure reading of JSON. Never here: requests, or what is new.

use serde_json::{Map, Value};
use serde_json_path::JsonPath;

use crate::domain::radar::radar_type::RadarType;
use crate::sources::bounds::{LINE_BYTES_MAX, NATIVE_ID_BYTES_MAX, PLACE_BYTES_MAX, TITLE_BYTES_MAX, cut};
use crate::sources::classification::country::{country_of_field, country_of_place};
use crate::sources::format::content_keys::content_keys;
use crate::sources::format::source::{Field, Format, JsonBoard, Reading};
use crate::sources::text::dates::day_of;
use crate::sources::text::plain::{one_line, plain_of_escaped_html, plain_of_html, tidy};

/// Departments of one item that are looked at.
const DEPARTMENTS_MAX: usize = 10;
/// Places of one item that are looked at.
const PLACES_MAX: usize = 200;

/// The content of `item`: every key of its radar type, null where the source gives nothing.
pub fn content_of(board: &JsonBoard, item: &Value) -> Map<String, Value> {
    let keys = content_keys(RadarType::CompanyJobOpenings);
    let value =
        |key: &str| board.map.get(key).and_then(|field| text_of_field(field, item)).map_or(Value::Null, Value::String);
    keys.iter().map(|key| ((*key).to_owned(), value(key))).collect()
}

/// The item's own id.
pub fn native_id_of(board: &JsonBoard, item: &Value) -> Option<String> {
    board.items.id.query(item).iter().find_map(|value| scalar(value)).filter(|id| is_id(id))
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= NATIVE_ID_BYTES_MAX
}

/// Words of the source that hint at the department.
pub fn department_words_of(board: &JsonBoard, item: &Value) -> Vec<String> {
    let words = board.department_paths.iter().flat_map(|path| path.query(item).all()).filter_map(scalar);
    words.take(DEPARTMENTS_MAX).map(|words| cut(&words, TITLE_BYTES_MAX).to_owned()).collect()
}

fn text_of_field(field: &Field, item: &Value) -> Option<String> {
    match field {
        Field::Constant(text) => Some(text.clone()),
        Field::First(reading) => text_of_reading(reading, item),
        Field::Join(readings) => {
            let texts: Vec<String> = readings.iter().filter_map(|reading| text_of_reading(reading, item)).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        }
    }
}

fn text_of_reading(reading: &Reading, item: &Value) -> Option<String> {
    reading.paths.iter().find_map(|path| text_at(path, item, reading.format))
}

fn text_at(path: &JsonPath, item: &Value, format: Format) -> Option<String> {
    let nodes = path.query(item);
    match format {
        Format::Date(date) => nodes.iter().find_map(|value| day_of(value, date)).map(|day| day.to_string()),
        Format::CountryField | Format::CountryPlace => country_of_all(nodes.iter().copied(), format),
        Format::Line | Format::Plain | Format::Html | Format::Entities => {
            let texts = nodes.iter().filter_map(|value| scalar(value)).map(|text| plain(&text, format));
            let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
    }
}

/// The one country that the places name; two different ones are none.
fn country_of_all<'a>(places: impl Iterator<Item = &'a Value>, format: Format) -> Option<String> {
    let read = |text: &str| match format {
        Format::CountryField => country_of_field(text).or_else(|| country_of_place(text)),
        _ => country_of_place(text),
    };
    let places = places.filter_map(Value::as_str).take(PLACES_MAX).map(|place| cut(place, PLACE_BYTES_MAX));
    let mut countries = places.filter_map(read);
    let first = countries.next()?;
    countries.all(|country| country == first).then(|| first.to_owned())
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

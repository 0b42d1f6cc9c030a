//! From an item of an answer to the content of a finding, as the source file says.
//!
//! Duty: pure reading of values, for any radar type. Never here: requests, or what is new.

use std::slice;

use chrono::{DateTime, Utc};
use serde_json::{Map, Number, Value};
use serde_json_path::JsonPath;
use url::Url;

use crate::announced_move::{AnnouncedMove, is_of_type};
use crate::bounds::{LINE_BYTES_MAX, MATCHED_BYTES_MAX, NATIVE_ID_BYTES_MAX, TITLE_BYTES_MAX, cut};
use crate::classification::country::{country_of_field, country_of_place, the_one_country};
use crate::extraction::json::{each, scalar};
use crate::format::fields::{CountryFormat, Format, Gives, Lookup, TextFormat, Way};
use crate::format::list_source::items::{Dated, Origin};
use crate::format::list_source::{ListSource, MatchBy, Matching};
use crate::format::template::Values;
use crate::matching::{MatchTarget, is_about, is_by};
use crate::text::canonical_url::identity;
use crate::text::dates::{day_of, instant_of, text_of_instant};
use crate::text::plain::{one_line, plain_of_escaped_html, plain_of_html, tidy, without_nul};
use domain::Category;
use domain::content::{ContentLayout, Key, Shape, end_of};
use outbound::reading;
use outbound::web_address;

/// Departments of one item that are looked at.
const DEPARTMENTS_MAX: usize = 10;
/// Places of one item that are looked at.
const PLACES_MAX: usize = 200;
/// Entries of a list that are taken.
const TEXTS_MAX: usize = 100;
/// The key of who wrote or did something.
const AUTHOR: &str = "author";
/// The length of a UUID as it is written.
const UUID_BYTES: usize = 36;

/// What the items of one answer have in common.
#[derive(Clone, Debug)]
pub struct Around {
    /// The values of the target.
    pub values: Values,
    /// What they say of whom items are about.
    pub target: MatchTarget,
    /// Where the answer was found.
    pub url: Url,
    /// When it was read.
    pub now: DateTime<Utc>,
}

impl Around {
    /// What items of the answer at `url` have in common that is read at `now` for a target with these values.
    pub fn new(values: Values, url: Url, now: DateTime<Utc>) -> Self {
        Self { target: MatchTarget::of_values(&values), values, url, now }
    }
}

/// The content of `item`: every key of its radar type, null where the source gives nothing.
pub fn content_of(list: &ListSource, item: &Value, around: &Around) -> Map<String, Value> {
    let mut content = object(list, ContentLayout::of(list.radar_type).keys(), "", item, around);
    // What contacts do is theirs: the author would be the contact, whose identifiers never travel (decision 6).
    if list.radar_type.category() == Category::Contact
        && let Some(author) = content.get_mut(AUTHOR)
    {
        *author = Value::Null;
    }
    content
}

/// The item's own id: the first that one of the paths gives, with what makes an edited item new.
pub fn native_id_of(list: &ListSource, item: &Value, around: &Around) -> Option<String> {
    let items = &list.items;
    let mut id = texts_under(&items.id, item).find(|id| !id.is_empty())?;
    if items.id_is_address
        && let Some(url) = web_address::join(&around.url, &id)
    {
        id = identity(&url);
    }
    // Some hosts write the same UUID in capitals one day and in small letters the next.
    if id.len() == UUID_BYTES && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') {
        id.make_ascii_lowercase();
    }
    if let Some(edition) = texts_under(&items.edition, item).next() {
        id = format!("{id}@{edition}");
    }
    Some(without_nul(&id)).filter(|id| id.len() <= NATIVE_ID_BYTES_MAX)
}

/// Whether `item` is something that the feed's radars report, and of or about its target.
pub fn is_wanted(list: &ListSource, item: &Value, around: &Around) -> bool {
    is_of_type(list, item)
        && list.origin.iter().all(|origin| is_from(origin, item, around))
        && list.matching.as_ref().is_none_or(|matching| is_about_target(matching, item, around))
}

/// Whether `item` says that it comes from where the target's items do.
fn is_from(origin: &Origin, item: &Value, around: &Around) -> bool {
    let part = |text: String| match &origin.capture {
        Some(capture) => capture.of(&text).map(str::to_lowercase),
        None => Some(text.to_lowercase()),
    };
    let texts_at = |path| texts_under(slice::from_ref(path), item).filter_map(part).filter(|text| !text.is_empty());
    let given = origin.paths.iter().map(|path| texts_at(path).collect::<Vec<_>>()).find(|texts| !texts.is_empty());
    let mut wanted = origin.is.iter().filter_map(|wanted| wanted.text(&around.values));
    given.map_or(origin.if_given, |texts| wanted.any(|wanted| texts.contains(&wanted.to_lowercase())))
}

/// When `item` happened, where the file says where that stands; of a day alone the end.
pub fn date_of(list: &ListSource, item: &Value, around: &Around) -> Option<DateTime<Utc>> {
    let Dated { paths, format } = list.items.dated.as_ref()?;
    let read = |text: Value| instant_of(&text, format).or_else(|| end_of(day_of(&text, format, around.now)?));
    texts_under(paths, item).map(Value::String).find_map(read)
}

fn is_about_target(matching: &Matching, item: &Value, around: &Around) -> bool {
    let mut bytes_left = MATCHED_BYTES_MAX;
    let matched = |text: String| {
        let text = cut(&text, bytes_left);
        bytes_left -= text.len();
        plain(text, TextFormat::Html)
    };
    let texts: Vec<String> = texts_under(&matching.texts, item).take(TEXTS_MAX).map(matched).collect();
    let authors = texts_under(&matching.authors, item).take(TEXTS_MAX);
    let target = &around.target;
    if is_by(target, &authors.collect::<Vec<String>>()) {
        return false;
    }
    let addresses = texts_under(&matching.addresses, item);
    let addresses: Vec<Url> =
        addresses.filter_map(|text| web_address::join(&around.url, &text)).take(TEXTS_MAX).collect();
    match matching.by {
        MatchBy::Employer | MatchBy::Person => {
            AnnouncedMove::of(item).is_some_and(|found| found.is_of(matching.by, target, &texts, &addresses))
        }
        by => is_about(by, target, &texts, &addresses),
    }
}

/// Words of the source that hint at the department.
pub fn department_words_of(list: &ListSource, item: &Value) -> Vec<String> {
    let words = texts_under(&list.department_paths, item);
    words.take(DEPARTMENTS_MAX).map(|words| cut(&words, TITLE_BYTES_MAX).to_owned()).collect()
}

/// `prefix` is what stands before the names of `keys` in the `[map]` table.
fn object<'a>(
    list: &ListSource,
    keys: impl IntoIterator<Item = &'a Key>,
    prefix: &str,
    item: &Value,
    around: &Around,
) -> Map<String, Value> {
    let value = |key: &Key| value_of_key(list, key, &format!("{prefix}{}", key.name), item, around);
    keys.into_iter().map(|key| (key.name.to_owned(), value(key))).collect()
}

fn value_of_key(list: &ListSource, key: &Key, path: &str, item: &Value, around: &Around) -> Value {
    let nested = |keys: &[Key]| object(list, keys, &format!("{path}."), item, around);
    match key.shape {
        Shape::Always(keys) => Value::Object(nested(keys)),
        Shape::Object(keys) => {
            let object = nested(keys);
            // A constant alone, such as the kind of a profile, says nothing of anybody.
            let is_empty = keys.iter().all(|key| {
                object.get(key.name).is_none_or(Value::is_null)
                    || list
                        .map
                        .get(&format!("{path}.{}", key.name))
                        .is_some_and(|ways| ways.iter().all(Way::is_constant))
            });
            if is_empty { Value::Null } else { Value::Object(object) }
        }
        shape => {
            let field = list.map.get(path);
            field.and_then(|field| value_of_field(field, shape, item, around)).unwrap_or(Value::Null)
        }
    }
}

fn value_of_field(ways: &[Way], shape: Shape, item: &Value, around: &Around) -> Option<Value> {
    let selects = |path: &JsonPath| !path.query(item).is_empty();
    let counts = |way: &&Way| way.when.as_ref().is_none_or(selects) && !way.unless.as_ref().is_some_and(selects);
    ways.iter().filter(counts).find_map(|way| value_of_way(&way.gives, shape, item, around))
}

fn value_of_way(gives: &Gives, shape: Shape, item: &Value, around: &Around) -> Option<Value> {
    match (shape, gives) {
        (Shape::Texts, Gives::First(lookup)) => {
            let texts = lookup.paths.iter().map(|path| texts_at(path, lookup, item));
            let mut texts = texts.into_iter().find(|texts| !texts.is_empty())?;
            texts.truncate(TEXTS_MAX);
            Some(Value::from(texts))
        }
        (Shape::Texts, other) => Some(Value::from(vec![text_of_way(other, item, around)?])),
        (Shape::Number, gives) => text_of_way(gives, item, around)?.parse::<Number>().ok().map(Value::Number),
        (Shape::Word(words), gives) => {
            text_of_way(gives, item, around).filter(|text| words.contains(&text.as_str())).map(Value::String)
        }
        (_, gives) => text_of_way(gives, item, around).map(Value::String),
    }
}

fn text_of_way(gives: &Gives, item: &Value, around: &Around) -> Option<String> {
    match gives {
        Gives::Constant(text) => Some(text.clone()),
        Gives::First(lookup) => text_of_lookup(lookup, item, around),
        Gives::Join(lookups) => {
            let texts: Vec<String> = lookups.iter().filter_map(|lookup| text_of_lookup(lookup, item, around)).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        }
        Gives::Template { template, with } => {
            let mut values = around.values.clone();
            for (name, lookup) in with {
                values.insert(name.clone(), text_of_lookup(lookup, item, around)?);
            }
            match template.is_address() {
                true => template.url(&values).map(String::from),
                false => template.text(&values),
            }
        }
    }
}

fn text_of_lookup(lookup: &Lookup, item: &Value, around: &Around) -> Option<String> {
    lookup.paths.iter().find_map(|path| text_at(path, lookup, item, around))
}

fn text_at(path: &JsonPath, lookup: &Lookup, item: &Value, around: &Around) -> Option<String> {
    let scalars = || {
        let texts = texts_of(path.query(item).all());
        texts.filter_map(|text| part_of(lookup, text)).map(Value::String)
    };
    match &lookup.format {
        Format::Date(date) => scalars().find_map(|value| day_of(&value, date, around.now)).map(|day| day.to_string()),
        Format::Instant(date) => scalars().find_map(|value| instant_of(&value, date)).map(text_of_instant),
        Format::Country(country) => country_of_all(scalars(), *country),
        Format::Text(TextFormat::Url) => {
            scalars().find_map(|value| web_address::join(&around.url, value.as_str()?)).map(String::from)
        }
        Format::Text(_) => {
            let texts = texts_at(path, lookup, item);
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
    }
}

/// The texts at `path` that are not empty.
fn texts_at(path: &JsonPath, lookup: &Lookup, item: &Value) -> Vec<String> {
    let texts = texts_of(path.query(item).all()).filter_map(|text| part_of(lookup, text));
    let format = if let Format::Text(format) = lookup.format { format } else { TextFormat::Line };
    texts.map(|text| plain(&text, format)).filter(|text| !text.is_empty()).collect()
}

/// The part of `text` that counts, and what it stands for.
fn part_of(lookup: &Lookup, text: String) -> Option<String> {
    let text = match &lookup.capture {
        Some(capture) => capture.of(&text)?.to_owned(),
        None => text,
    };
    let Some(values) = &lookup.values else { return Some(text) };
    values.get(&text).cloned()
}

/// The one country that the places name.
fn country_of_all(places: impl Iterator<Item = Value>, format: CountryFormat) -> Option<String> {
    let read = |text: &str| match format {
        CountryFormat::Field => country_of_field(text).or_else(|| country_of_place(text)),
        CountryFormat::Place => country_of_place(text),
    };
    let places: Vec<Value> = places.take(PLACES_MAX).collect();
    the_one_country(places.iter().filter_map(Value::as_str).filter_map(read)).map(str::to_owned)
}

pub fn plain(text: &str, format: TextFormat) -> String {
    match format {
        TextFormat::Html => plain_of_html(text),
        TextFormat::Entities => plain_of_escaped_html(text),
        TextFormat::Plain => tidy(text),
        TextFormat::Line | TextFormat::Url => one_line(cut(text, LINE_BYTES_MAX)),
    }
}

/// The texts and numbers in `item` that `paths` select, one path after the other.
pub fn texts_under<'a>(paths: &'a [JsonPath], item: &'a Value) -> impl Iterator<Item = String> + 'a {
    paths.iter().take_while(|_| reading::goes_on()).flat_map(|path| texts_of(path.query(item).all()))
}

/// The texts and numbers among `values`, and in lists among them.
fn texts_of(values: Vec<&Value>) -> impl Iterator<Item = String> {
    values.into_iter().flat_map(each).filter_map(entry_text)
}

/// A text or number; of an XML element with attributes its text.
fn entry_text(value: &Value) -> Option<String> {
    let value = value.as_object().map_or(Some(value), |element| element.get("#text"))?;
    scalar(value).map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{Around, content_of, date_of, is_wanted, native_id_of};
    use crate::format::list_source::ListSource;
    use crate::format::source::SourceKind;
    use crate::format::source_file::read_sources;
    use domain::RadarType;
    use domain::content::ContentLayout;

    fn list(radar_type: RadarType, rest: &str) -> Arc<ListSource> {
        let text = format!(
            "format_version = 1\nid = \"quarry\"\nkind = \"json\"\nradar_types = [\"{radar_type}\"]\n\
             [request]\nurl = \"https://quarry.example/{{keyword}}\"\n[items]\nlist = \"$\"\nid = \"$.id\"\n{rest}"
        );
        let sources = read_sources("quarry.toml", &text, &|_| None).unwrap_or_else(|error| panic!("{error}"));
        let SourceKind::List(list) = &sources[0].kind else { panic!("a list") };
        list.clone()
    }

    fn around() -> Around {
        let values = [("keyword".to_owned(), "stone".to_owned())].into();
        let url = "https://quarry.example/list".parse().unwrap();
        Around::new(values, url, "2026-11-21T10:00:00Z".parse().unwrap())
    }

    fn content(radar_type: RadarType, map: &str, item: &Value) -> Value {
        Value::Object(content_of(&list(radar_type, &format!("[map]\n{map}")), item, &around()))
    }

    #[test]
    fn decision_4_14_only_items_that_say_where_they_come_from_count() {
        let origin = |more: &str| {
            let map = "[map]\npost_url = { paths = [\"$.url\"] }";
            let origin = "[[origin]]\npaths = [\"$.boost.by\", \"$.by\"]\ncapture = \"^@?(.+)\"\nis = [\"{keyword}\", \"{keyword}@quarry.example\"]";
            list(RadarType::CompanySocialPosts, &format!("{origin}\n{more}\n{map}"))
        };
        for (item, is_ours, is_ours_if_given) in [
            (json!({"by": "stone"}), true, true),
            (json!({"by": "@Stone@Quarry.example"}), true, true),
            (json!({"by": "mallory@evil.example"}), false, false),
            (json!({"by": "stone@evil.example"}), false, false),
            (json!({"by": "stone", "boost": {"by": "mallory"}}), false, false),
            (json!({"by": "mallory", "boost": {"by": "stone"}}), true, true),
            (json!({"by": ["mallory", "stone"]}), true, true),
            (json!({"by": ""}), false, true),
            (json!({}), false, true),
        ] {
            assert_eq!(is_wanted(&origin(""), &item, &around()), is_ours, "{item}");
            assert_eq!(is_wanted(&origin("if_given = true"), &item, &around()), is_ours_if_given, "{item}");
        }
    }

    #[test]
    fn decision_4_14_the_own_date_of_an_item_is_read_as_the_file_says() {
        let map = "[map]\npost_url = { paths = [\"$.url\"] }";
        for (dated, item, wanted) in [
            ("date = \"rfc3339\"", json!({"at": "2019-05-01T08:00:00Z"}), Some("2019-05-01T08:00:00Z")),
            ("", json!({"at": "2019-05-01"}), Some("2019-05-01T23:59:59.999999Z")),
            ("", json!({"at": "soon", "other": "2019-05-01T10:00:00+02:00"}), Some("2019-05-01T08:00:00Z")),
            ("date = \"epoch_s\"", json!({"at": 1_556_697_600}), Some("2019-05-01T08:00:00Z")),
            ("date_format = \"%d.%m.%Y\"", json!({"at": "01.05.2019"}), Some("2019-05-01T23:59:59.999999Z")),
            ("", json!({}), None),
        ] {
            let comma = if dated.is_empty() { "" } else { ", " };
            let items = format!("dated = {{ paths = [\"$.at\", \"$.other\"]{comma}{dated} }}\n{map}");
            let list = list(RadarType::CompanySocialPosts, &items);
            let wanted = wanted.map(|text| text.parse().unwrap());
            assert_eq!(date_of(&list, &item, &around()), wanted, "{dated} {item}");
        }
    }

    #[test]
    fn parts_tables_and_templates_make_values() {
        let map = r#"
            engagement_type = { paths = ["$.kind"], values = { boost = "repost", like = "like" } }
            post_url = { template = "https://social.example/{user}/{id}?of={keyword}", with = { user = { paths = ["$.by.name"] }, id = { paths = ["$.uri"], capture = "([^/]+)$" } } }
            engagement_content = [{ paths = ["$.text"], capture = "^RE: (.+)" }, { paths = ["$.title"] }]
            "author.profile_type" = { const = "contact" }
            "author.name" = { paths = ["$.by.name"] }
            "author.profile_url" = { paths = ["$.by.href"], text = "url" }"#;
        let item = json!({"kind": "boost", "uri": "at://x/3abc", "by": {"name": "Ada L", "href": "/ada"}, "text": "RE: yes", "title": "no"});
        let read = content(RadarType::CompanySocialEngagements, map, &item);
        assert_eq!(read["engagement_type"], "repost");
        assert_eq!(read["post_url"], "https://social.example/Ada%20L/3abc?of=stone");
        assert_eq!(read["engagement_content"], "yes");
        assert_eq!(read["author"]["profile_url"], "https://quarry.example/ada");
        let read = content(RadarType::CompanySocialEngagements, map, &json!({"kind": "flag", "title": "no"}));
        assert_eq!(
            (&read["engagement_type"], &read["post_url"], &read["engagement_content"]),
            (&Value::Null, &Value::Null, &json!("no"))
        );
        assert_eq!(read["author"], Value::Null, "a kind of profile alone is nobody");
    }

    #[test]
    fn what_stands_once_or_often_is_read_alike() {
        let map = r#"
            company_name = { paths = ["$.name"] }
            investors = { paths = ["$.by"] }
            source_url = { paths = ["$.url"] }"#;
        let item = json!({"name": {"@lang": "en", "#text": "Acme"}, "by": ["One", {"#text": "Two"}], "url": "https://a.example/"});
        let read = content(RadarType::IndustryFundingRounds, map, &item);
        assert_eq!((&read["company_name"], &read["investors"]), (&json!("Acme"), &json!(["One", "Two"])));
    }

    #[test]
    fn the_same_item_has_one_id() {
        let map = "edition = \"$.version\"\n[map]\nmention_url = { paths = [\"$.id\"] }\nmention_content = { paths = [\"$.id\"] }";
        let plain = list(RadarType::CompanyMentions, map);
        let address = list(RadarType::CompanyMentions, &map.replace("edition = \"$.version\"", "id_is_address = true"));
        for (list, item, wanted) in [
            (&plain, json!({"id": 7}), Some("7")),
            (&plain, json!({"id": "A"}), Some("A")),
            (&plain, json!({"id": "A", "version": 2}), Some("A@2")),
            (
                &plain,
                json!({"id": "5B2D7C10-2222-4C3D-9E4F-0A1B2C3D4E5F"}),
                Some("5b2d7c10-2222-4c3d-9e4f-0a1b2c3d4e5f"),
            ),
            (&plain, json!({"id": " "}), None),
            (&plain, json!({"id": "a\u{0}b"}), Some("a\u{fffd}b")),
            (&address, json!({"id": "/a/?utm_source=feed"}), Some("https://quarry.example/a")),
        ] {
            assert_eq!(native_id_of(list, &item, &around()).as_deref(), wanted, "{item}");
        }
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

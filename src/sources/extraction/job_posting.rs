//! schema.org `JobPosting` in the JSON-LD of a page.
//!
//! Duty: find the postings in any shape that sites use (lists, `@graph`, nesting, references) and read what a finding
//! needs of them. Never here: fetching, or whether a posting is new.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Map, Value};
use url::Url;

use super::json::scalar;
use super::json_ld::{is_of, objects, values};
use crate::bounds::{LINE_BYTES_MAX, POSTINGS_MAX, TITLE_BYTES_MAX, cut};
use crate::classification::country::{country_of_field, country_of_place, the_one_country};
use crate::text::dates::{day_of_text, is_over};
use crate::text::plain::{one_line, plain_of_escaped_html};
use outbound::web_address;

/// Values of one page that are looked at; beyond that it is no list of postings.
const VALUES_MAX: usize = 50_000;
/// An employer's reference, in bytes.
const IDENTIFIER_BYTES_MAX: usize = 500;
/// Places of one posting that are looked at.
const PLACES_MAX: usize = 20;

/// One posting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobPosting {
    /// The title, one line.
    pub title: String,
    /// The posting's own page, if it names one.
    pub url: Option<Url>,
    /// The employer's reference.
    pub identifier: Option<String>,
    /// Day of publication, in the posting's own offset.
    pub posted_on: Option<NaiveDate>,
    /// Plain text.
    pub description: Option<String>,
    /// ISO 3166-1 alpha-2, where all places whose country is known are in one country.
    pub country: Option<&'static str>,
    /// Words of the source that hint at the department.
    pub department_words: Vec<String>,
    /// Whether its `validThrough` has passed.
    pub is_over: bool,
}

/// The postings in the JSON-LD blocks of the page at `page_url`, as of `now`.
pub fn postings(json_ld: &[Value], page_url: &Url, now: DateTime<Utc>) -> Vec<JobPosting> {
    let mut found = Vec::new();
    let mut by_id = HashMap::new();
    for object in objects(json_ld, VALUES_MAX, |_| false) {
        if let (Some(Value::String(id)), true) = (object.get("@id"), object.len() > 1) {
            by_id.insert(id.as_str(), object);
        }
        if found.len() < POSTINGS_MAX && is_of(object, |name| name.eq_ignore_ascii_case("JobPosting")) {
            found.push(object);
        }
    }
    found.into_iter().filter_map(|object| read(object, &by_id, page_url, now)).collect()
}

type ById<'a> = HashMap<&'a str, &'a Map<String, Value>>;

fn read(object: &Map<String, Value>, by_id: &ById<'_>, page_url: &Url, now: DateTime<Utc>) -> Option<JobPosting> {
    let text = |key: &str| object.get(key).and_then(text_of);
    let title = text("title").or_else(|| text("name"))?;
    let title = one_line(&plain_of_escaped_html(cut(&title, LINE_BYTES_MAX)));
    let title = Some(title).filter(|title| !title.is_empty())?;
    let url = text("url")
        .and_then(|url| web_address::join(page_url, &url))
        .filter(|url| url.path() != "/" || url.query().is_some());
    Some(JobPosting {
        title,
        url,
        identifier: object
            .get("identifier")
            .and_then(|identifier| text_under(&["value", "@value", "@id"], identifier))
            .map(|id| cut(&id, IDENTIFIER_BYTES_MAX).to_owned()),
        posted_on: text("datePosted").and_then(|date| day_of_text(&date)),
        description: text("description").map(|html| plain_of_escaped_html(&html)).filter(|text| !text.is_empty()),
        country: country(object, by_id),
        department_words: ["occupationalCategory", "department"]
            .into_iter()
            .filter_map(|key| Some(cut(&text(key)?, TITLE_BYTES_MAX).to_owned()))
            .collect(),
        is_over: text("validThrough").is_some_and(|end| is_over(&end, now)),
    })
}

/// What an object in the place of a text may say it under.
const TEXT_KEYS: &[&str] = &["@value", "name", "@id"];

fn text_of(value: &Value) -> Option<String> {
    text_under(TEXT_KEYS, value)
}

/// A text or number, what stands under the first of `keys` that an object has, or the first of a list of these.
fn text_under(keys: &[&str], value: &Value) -> Option<String> {
    let text = |value| scalar(value).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match value {
        Value::Object(object) => keys.iter().find_map(|key| text(object.get(*key)?)),
        Value::Array(values) => {
            values.iter().filter(|value| !value.is_array()).find_map(|value| text_under(keys, value))
        }
        value => text(value),
    }
}

/// The one country of all its places; for work from anywhere, the one where applicants must be.
fn country(object: &Map<String, Value>, by_id: &ById<'_>) -> Option<&'static str> {
    let places = |key: &str| values(object, key).iter().take(PLACES_MAX);
    let mut locations = places("jobLocation").filter_map(|place| country_of_location(place, by_id)).peekable();
    if locations.peek().is_some() {
        return the_one_country(locations);
    }
    let applicants = places("applicantLocationRequirements");
    the_one_country(applicants.filter_map(|place| country_of_name(place, by_id)))
}

fn country_of_location(place: &Value, by_id: &ById<'_>) -> Option<&'static str> {
    if let Value::String(text) = place {
        return country_of_place(text);
    }
    let place = resolved(place.as_object()?, by_id);
    match values(place, "address").first() {
        Some(Value::String(text)) => country_of_place(text),
        Some(Value::Object(address)) => {
            let address = resolved(address, by_id);
            let country = address.get("addressCountry").and_then(|country| country_of_name(country, by_id));
            // Some sites write the whole place into the locality.
            country.or_else(|| country_of_place(&address.get("addressLocality").and_then(text_of)?))
        }
        _ => place.get("addressCountry").and_then(|country| country_of_name(country, by_id)),
    }
}

fn country_of_name(value: &Value, by_id: &ById<'_>) -> Option<&'static str> {
    match value {
        Value::Object(object) => country_of_field(resolved(object, by_id).get("name")?.as_str()?),
        other => country_of_field(&text_of(other)?),
    }
}

/// The object that `{"@id": …}` refers to, or the object itself.
fn resolved<'a>(object: &'a Map<String, Value>, by_id: &ById<'a>) -> &'a Map<String, Value> {
    match object.get("@id") {
        Some(Value::String(id)) if object.len() == 1 => by_id.get(id.as_str()).copied().unwrap_or(object),
        _ => object,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::{JobPosting, postings};

    fn read(json_ld: Value) -> Vec<JobPosting> {
        let page_url = Url::parse("https://acme.example/careers/data").unwrap();
        postings(&[json_ld], &page_url, "2026-11-21T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn postings_are_found_in_every_shape() {
        let posting = json!({"@type": "JobPosting", "title": "Data Steward"});
        for shape in [
            posting.clone(),
            json!([posting]),
            json!({"@graph": [{"@type": "WebPage"}, posting]}),
            json!({"@type": "WebPage", "mainEntity": {"@type": "ItemList", "itemListElement": [{"item": posting}]}}),
            json!({"@type": ["Thing", "JobPosting"], "title": "Data Steward"}),
            json!({"@type": "https://schema.org/JobPosting", "title": " Data\n Steward "}),
            json!({"@type": "JobPosting", "name": "Data Steward"}),
        ] {
            let found = read(shape.clone());
            assert_eq!(found.len(), 1, "{shape}");
            assert_eq!(found[0].title, "Data Steward");
        }
        for shape in [json!("JobPosting"), json!({"@type": "Organization"}), json!({"@type": "JobPosting"}), json!(7)] {
            assert_eq!(read(shape.clone()), [], "{shape}");
        }
    }

    #[test]
    fn a_whole_posting_is_read() {
        let found = read(json!({
            "@context": "https://schema.org", "@type": "JobPosting", "title": "R&amp;D Lead",
            "identifier": {"@type": "PropertyValue", "name": "Acme", "value": 9},
            "datePosted": "2026-11-11T23:00:00+02:00", "validThrough": "2026-12-31", "url": "/careers/rd?utm_source=x",
            "hiringOrganization": "Acme", "occupationalCategory": ["Research"],
            "jobLocation": [{"@type": "Place", "address": {"addressLocality": "Lyon", "addressCountry": {"@type": "Country", "name": "France"}}}],
            "description": "&lt;p&gt;Guard the data.&lt;/p&gt;"
        }));
        assert_eq!(
            found,
            [JobPosting {
                title: "R&D Lead".into(),
                url: Some(Url::parse("https://acme.example/careers/rd?utm_source=x").unwrap()),
                identifier: Some("9".into()),
                posted_on: Some("2026-11-11".parse().unwrap()),
                description: Some("Guard the data.".into()),
                country: Some("FR"),
                department_words: vec!["Research".into()],
                is_over: false,
            }]
        );
    }

    #[test]
    fn countries_are_read_in_every_shape() {
        for (location, wanted) in [
            (json!({"address": {"addressCountry": "FR"}}), Some("FR")),
            (json!([{"address": {"addressCountry": ""}}, {"address": {"addressCountry": "Norway"}}]), Some("NO")),
            (json!([{"address": {"addressCountry": "FR"}}, {"address": {"addressCountry": "NO"}}]), None),
            (json!([{"address": {"addressCountry": "FR"}}, {"address": {"addressLocality": "Lyon"}}]), Some("FR")),
            (json!({"address": {"addressLocality": "Oulu"}}), Some("FI")),
            (json!({"address": {"addressLocality": "Elsewhere"}}), None),
            (json!({"address": "Main St 1, Bergen, Norway"}), Some("NO")),
            (json!("Berlin, Germany"), Some("DE")),
            (json!({"@id": "#office"}), Some("SE")),
            (json!({"address": 7}), None),
            (json!(null), None),
        ] {
            let found = read(json!([
                {"@id": "#office", "address": {"addressCountry": "SWE"}},
                {"@type": "JobPosting", "title": "T", "jobLocation": location}
            ]));
            assert_eq!(found[0].country, wanted, "{location}");
        }
    }

    #[test]
    fn identifiers_are_strings_numbers_or_property_values() {
        for (identifier, wanted) in [
            (json!("A-1"), Some("A-1")),
            (json!(17), Some("17")),
            (json!({"@type": "PropertyValue", "value": "A-2"}), Some("A-2")),
            (json!([{"value": "A-3"}]), Some("A-3")),
            (json!({"name": "Acme"}), None),
            (json!([[["deep"]]]), None),
        ] {
            let found = read(json!({"@type": "JobPosting", "title": "T", "identifier": identifier}));
            assert_eq!(found[0].identifier.as_deref(), wanted, "{identifier}");
        }
    }
}

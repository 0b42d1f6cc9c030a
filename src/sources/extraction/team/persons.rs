//! schema.org `Person` in the JSON-LD of a page.

use serde_json::{Map, Value};
use url::Url;

use super::{TeamMember, member};
use crate::outbound::web_address;
use crate::sources::bounds::{LINE_BYTES_MAX, cut};
use crate::sources::text::plain::{one_line, plain_of_escaped_html};

/// Values of one page that are looked at.
const VALUES_MAX: usize = 20_000;

/// The people with a title in the JSON-LD of the page at `url`. Who writes an article or is quoted in a review is none of
/// the team.
pub fn described(json_ld: &[Value], url: &Url) -> Vec<TeamMember> {
    let mut found = Vec::new();
    let mut left: Vec<&Value> = json_ld.iter().rev().collect();
    for _ in 0..VALUES_MAX {
        let Some(value) = left.pop() else { break };
        match value {
            Value::Array(values) => left.extend(values.iter().rev()),
            Value::Object(object) => {
                found.extend(person(object, url));
                let nested = object.iter().rev().filter(|(name, _)| !NOT_OF_THE_TEAM.contains(&name.as_str()));
                left.extend(nested.map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// Keys of what names other people.
const NOT_OF_THE_TEAM: &[&str] = &["author", "review", "reviews", "comment", "creator", "contributor", "editor"];

fn person(object: &Map<String, Value>, url: &Url) -> Option<TeamMember> {
    let is_person = |name: &Value| name.as_str().is_some_and(|name| name.rsplit(['/', ':']).next() == Some("Person"));
    let types = object.get("@type").map(each).unwrap_or_default();
    if !types.iter().any(is_person) {
        return None;
    }
    let texts = |key: &str| object.get(key).map(each).unwrap_or_default().iter().filter_map(text);
    let addresses = || texts("sameAs").chain(texts("url")).filter_map(|address| web_address::join(url, &address));
    let profile = addresses().find(super::cards::is_profile).or_else(|| addresses().find(|address| address != url));
    member(&texts("name").next()?, &texts("jobTitle").next()?, profile)
}

fn each(value: &Value) -> &[Value] {
    match value {
        Value::Array(values) => values,
        value => std::slice::from_ref(value),
    }
}

/// A text, or the name of an object, on one line.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::Object(object) => ["name", "@value"].iter().find_map(|key| object.get(*key)?.as_str())?,
        value => value.as_str()?,
    };
    Some(one_line(&plain_of_escaped_html(cut(text, LINE_BYTES_MAX)))).filter(|text| !text.is_empty())
}

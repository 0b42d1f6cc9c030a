//! schema.org `Person` in the JSON-LD of a page.

use serde_json::{Map, Value};
use url::Url;

use super::{TeamMember, member};
use crate::extraction::json_ld::{is_of, objects, text, values};
use outbound::web_address;

/// Values of one page that are looked at.
const VALUES_MAX: usize = 20_000;

/// The people with a title in the JSON-LD of the page at `url`. Who writes an article or is quoted in a review is none of
/// the team.
pub fn described(json_ld: &[Value], url: &Url) -> Vec<TeamMember> {
    let objects = objects(json_ld, VALUES_MAX, |key| NOT_OF_THE_TEAM.contains(&key));
    objects.filter_map(|object| person(object, url)).collect()
}

/// Keys of what names other people.
const NOT_OF_THE_TEAM: &[&str] = &["author", "review", "reviews", "comment", "creator", "contributor", "editor"];

fn person(object: &Map<String, Value>, url: &Url) -> Option<TeamMember> {
    if !is_of(object, |name| name == "Person") {
        return None;
    }
    let texts = |key: &str| values(object, key).iter().filter_map(text);
    let addresses = || texts("sameAs").chain(texts("url")).filter_map(|address| web_address::join(url, &address));
    let profile = addresses().find(super::signs::is_profile).or_else(|| addresses().find(|address| address != url));
    member(&texts("name").next()?, &texts("jobTitle").next()?, profile)
}

//! What Wikidata says of the person with a profile on LinkedIn or X: the accounts of theirs that everybody may read.
//!
//! Duty: the question in SPARQL and the reading of its answer. Never here: sending it.

use std::collections::BTreeSet;

use percent_encoding::percent_decode_str;
use serde_json::Value;
use url::Url;

use super::wikidata::{asking, checked, entry, optional, rows, value};
use crate::extraction::accounts::Account;
use domain::{ProfileEntry, ProfileKey, ProfileUrl};

/// Answers that are looked at.
const ROWS_MAX: usize = 50;
/// Longer names on a network are none, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// Properties of a person, each with the variable that it fills and what that is in a profile.
const PROPERTIES: &[(&str, &str, ProfileKey)] = &[
    ("wdt:P12361", "bluesky", ProfileKey::BlueskyHandle),
    ("wdt:P4033", "mastodon", ProfileKey::MastodonAccount),
    ("wdt:P2397", "youtube", ProfileKey::YoutubeChannelId),
];

/// The address that asks which person has this profile, and which accounts; `None` for a profile on another network.
pub fn question(profile_url: &ProfileUrl) -> Option<Url> {
    let (property, names) = identifier(profile_url)?;
    let optional = optional(PROPERTIES);
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    // Q5 is a human being: accounts of companies and bots are no person's.
    let query = format!(
        "SELECT * WHERE {{ VALUES ?name {{ {} }} ?item wdt:{property} ?name ; wdt:P31 wd:Q5 . {optional}}} LIMIT {ROWS_MAX}",
        names.join(" ")
    );
    asking(&query)
}

/// The property that holds names on the profile's network, and the ways in which the profile's name may be written there.
fn identifier(profile_url: &ProfileUrl) -> Option<(&'static str, BTreeSet<String>)> {
    let url = Url::parse(profile_url.as_str()).ok()?;
    let (property, name) = match Account::of(&url) {
        Some(Account::X(handle)) => ("P2002", handle),
        _ if url.host_str()?.ends_with("linkedin.com") => {
            let mut path = url.path_segments()?;
            ("P6634", path.next().filter(|kind| *kind == "in").and_then(|_| path.next())?.to_owned())
        }
        _ => return None,
    };
    let decoded = percent_decode_str(&name).decode_utf8().ok()?.into_owned();
    // Nothing that ends a text in a query or escapes from one.
    let is_name = |name: &String| {
        (1..=NAME_BYTES_MAX).contains(&name.len())
            && name.chars().all(|letter| letter.is_alphanumeric() || "-_.%".contains(letter))
    };
    let written = [&name, &decoded].into_iter().flat_map(|name| [name.clone(), name.to_lowercase()]);
    let names: BTreeSet<String> = written.filter(is_name).collect();
    (!names.is_empty()).then_some((property, names))
}

/// The accounts of the one person whom the answer is about; none where several people claim the profile.
pub fn entries(answer: &Value) -> Vec<ProfileEntry> {
    let rows = rows(answer, ROWS_MAX);
    let Some(item) = rows.first().and_then(|row| value(row, "item")) else { return Vec::new() };
    if rows.iter().any(|row| value(row, "item") != Some(item)) {
        return Vec::new();
    }
    let entries = rows.iter().flat_map(|row| {
        let found = |(_, variable, key): &(&str, &str, ProfileKey)| Some((*key, checked(*key, value(row, variable)?)?));
        PROPERTIES.iter().filter_map(found)
    });
    entries.map(|(key, value)| entry(item, key, value)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{entries, question};
    use domain::{CompanyProfile, ProfileKey, ProfileUrl};

    fn query(profile_url: &str) -> Option<String> {
        let question = question(&ProfileUrl::from_stored(profile_url.into()))?;
        question.query_pairs().find(|(name, _)| name == "query").map(|(_, query)| query.into_owned())
    }

    #[test]
    fn a_profile_is_asked_about_by_its_name_there_and_by_nothing_else() {
        for (profile_url, wanted) in [
            ("https://x.com/AdaByron", Some(r#"VALUES ?name { "AdaByron" "adabyron" } ?item wdt:P2002 ?name"#)),
            (
                "https://www.linkedin.com/in/ada-byron-1",
                Some(r#"VALUES ?name { "ada-byron-1" } ?item wdt:P6634 ?name"#),
            ),
            ("https://www.linkedin.com/in/zo%C3%AB", Some(r#""zo%C3%AB" "zo%c3%ab" "zoë" } ?item wdt:P6634"#)),
            (
                "https://www.linkedin.com/in/a%22%20%7D%20DROP",
                Some(r#"VALUES ?name { "a%22%20%7D%20DROP" "a%22%20%7d%20drop" }"#),
            ),
            ("https://www.linkedin.com/company/acme", None),
            ("https://bsky.app/profile/ada.example", None),
            ("https://ada.example/", None),
        ] {
            let query = query(profile_url);
            assert_eq!(query.is_some(), wanted.is_some(), "{profile_url}");
            if let (Some(query), Some(wanted)) = (query, wanted) {
                assert!(query.contains(wanted), "{query}");
                assert_eq!(
                    (query.matches('{').count(), query.matches('"').count() % 2),
                    (query.matches('}').count(), 0)
                );
            }
        }
    }

    fn row(item: &str, values: &[(&str, &str)]) -> Value {
        let value = |(name, value): &(&str, &str)| ((*name).to_owned(), json!({"type": "literal", "value": value}));
        let item = ("item", format!("http://www.wikidata.org/entity/{item}"));
        let all = values.iter().map(value).chain([(item.0.to_owned(), json!({"type": "uri", "value": item.1}))]);
        Value::Object(all.collect())
    }

    #[test]
    fn accounts_count_only_where_one_person_has_the_profile() {
        let answer = |rows: &[Value]| json!({"results": {"bindings": rows}});
        let ada =
            row("Q7", &[("bluesky", "Ada.example"), ("mastodon", "@ada@social.example"), ("youtube", "no channel")]);
        let accounts: CompanyProfile = entries(&answer(&[ada.clone(), ada.clone()])).into_iter().collect();
        assert_eq!(accounts.value(ProfileKey::BlueskyHandle), Some("ada.example"));
        assert_eq!(accounts.value(ProfileKey::MastodonAccount), Some("ada@social.example"));
        assert_eq!(accounts.entries().len(), 2);
        assert_eq!(accounts.entries()[0].evidence_url, "https://www.wikidata.org/entity/Q7");
        assert_eq!(entries(&answer(&[ada, row("Q8", &[("bluesky", "other.example")])])), [], "two people");
        assert_eq!(entries(&answer(&[])), []);
        assert_eq!(entries(&json!({"error": 7})), []);
    }
}

//! What Wikidata says of the company with an official website.
//!
//! Duty: the question in SPARQL and the reading of its answer. Never here: sending it. Wikidata's data is CC0.

use serde_json::Value;
use url::Url;

use super::names::{is_full_name, is_ticker, label_of};
use crate::extraction::accounts::{is_channel_id, mastodon_account};
use crate::text::company_name::{Likeness, likeness};
use domain::{EvidenceKind, ProfileEntry, ProfileKey};

/// Where questions are asked.
const ENDPOINT: &str = "https://query.wikidata.org/sparql";
/// Answers that are looked at: an item has one for each combination of its values.
const ROWS_MAX: usize = 200;

/// Properties of a company, each with the variable that it fills and what that is in a profile.
const PROPERTIES: &[(&str, &str, Option<ProfileKey>)] = &[
    ("wdt:P1448", "official", Some(ProfileKey::LegalName)),
    ("p:P414/pq:P249", "listed", Some(ProfileKey::Ticker)),
    ("wdt:P249", "symbol", Some(ProfileKey::Ticker)),
    ("wdt:P2397", "youtube", Some(ProfileKey::YoutubeChannelId)),
    ("wdt:P12361", "bluesky", Some(ProfileKey::BlueskyHandle)),
    ("wdt:P4033", "mastodon", Some(ProfileKey::MastodonAccount)),
    ("wdt:P4264", "linkedin", Some(ProfileKey::LinkedinUrl)),
    ("wdt:P2002", "x", Some(ProfileKey::XHandle)),
    ("wdt:P169", "leader", None),
    ("wdt:P112", "founder", None),
    ("wdt:P169/wdt:P12361", "leaderBluesky", Some(ProfileKey::PersonBlueskyHandle)),
    ("wdt:P169/wdt:P4033", "leaderMastodon", Some(ProfileKey::PersonMastodonAccount)),
    ("wdt:P169/wdt:P2002", "leaderX", Some(ProfileKey::PersonXHandle)),
];
/// The variables that hold the names of people.
const PEOPLE: &[&str] = &["leaderLabel", "founderLabel"];

/// The address that asks which organizations have a website at `domain`, and what is known of them.
pub fn question(domain: &str) -> Option<Url> {
    let sites = ["https", "http"].iter().flat_map(|scheme| {
        let addresses = ["", "www."].map(|prefix| format!("<{scheme}://{prefix}{domain}>"));
        addresses.into_iter().flat_map(|site| [site.clone(), site.replace('>', "/>")])
    });
    let sites: Vec<String> = sites.collect();
    let optional = optional(PROPERTIES);
    let query = format!(
        "SELECT * WHERE {{ VALUES ?site {{ {} }} ?item wdt:P856 ?site . FILTER NOT EXISTS {{ ?item wdt:P31 wd:Q5 }} {optional}\
         SERVICE wikibase:label {{ bd:serviceParam wikibase:language \"en,mul,de,fr,es,it,nl,sv,nb,da,fi,pl,pt\" . \
         ?item rdfs:label ?itemLabel . ?leader rdfs:label ?leaderLabel . ?founder rdfs:label ?founderLabel . }} }} LIMIT {ROWS_MAX}",
        sites.join(" ")
    );
    asking(&query)
}

/// The address at which Wikidata is asked `query`.
pub fn asking(query: &str) -> Option<Url> {
    Url::parse_with_params(ENDPOINT, [("query", query), ("format", "json")]).ok()
}

/// The first rows of an answer.
pub fn rows(answer: &Value, rows_max: usize) -> &[Value] {
    let rows = answer["results"]["bindings"].as_array().map(Vec::as_slice).unwrap_or_default();
    &rows[..rows.len().min(rows_max)]
}

/// The entries that the answer gives for the company with `domain`: of its one item, or of the one that is named like it.
pub fn entries(answer: &Value, domain: &str) -> Vec<ProfileEntry> {
    let rows = rows(answer, ROWS_MAX);
    let Some(item) = item_of(rows, domain) else { return Vec::new() };
    let entry = |key: ProfileKey, value: String| entry(item, key, value);
    let mut entries = Vec::new();
    for row in rows.iter().filter(|row| value(row, "item") == Some(item)) {
        let label = value(row, "itemLabel").filter(|label| is_label(label));
        entries.extend(label.map(|label| entry(ProfileKey::Name, label.to_owned())));
        for (_, variable, key) in PROPERTIES {
            let found = key.zip(value(row, variable));
            entries.extend(found.and_then(|(key, text)| Some(entry(key, checked(key, text)?))));
        }
        let people = PEOPLE.iter().filter_map(|variable| value(row, variable)).filter(|name| is_full_name(name));
        entries.extend(people.map(|name| entry(ProfileKey::Person, name.to_owned())));
    }
    entries
}

/// What a question asks for of an item where it is there: properties, each with its variable.
pub fn optional<T>(properties: &[(&str, &str, T)]) -> String {
    let asked =
        properties.iter().map(|(property, variable, _)| format!("OPTIONAL {{ ?item {property} ?{variable} }} "));
    asked.collect()
}

/// What Wikidata says on the page of `item`.
pub fn entry(item: &str, key: ProfileKey, value: String) -> ProfileEntry {
    ProfileEntry { key, value, evidence: EvidenceKind::Wikidata, evidence_url: item.replace("http://", "https://") }
}

/// The item that is the company: the only one, or the only one that is named like the domain.
fn item_of<'a>(rows: &'a [Value], domain: &str) -> Option<&'a str> {
    let mut items: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let found = value(row, "item").zip(value(row, "itemLabel"));
        items.extend(found.filter(|(item, _)| !items.iter().any(|(known, _)| known == item)));
    }
    let alike = |wanted: Likeness| -> Vec<&str> {
        let label = label_of(domain);
        items.iter().filter(|(_, name)| likeness(name, label) >= wanted).map(|(item, _)| *item).collect()
    };
    let only = |found: Vec<&'a str>| if let [one] = found[..] { Some(one) } else { None };
    match items.len() {
        1 => items.first().map(|(item, _)| *item),
        _ => only(alike(Likeness::Same)).or_else(|| only(alike(Likeness::Related))),
    }
}

/// The text that a row of an answer holds for a variable.
pub fn value<'a>(row: &'a Value, variable: &str) -> Option<&'a str> {
    row[variable]["value"].as_str().filter(|text| !text.trim().is_empty())
}

/// Items without a name in the languages asked for are called by their number.
fn is_label(label: &str) -> bool {
    !label.strip_prefix('Q').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `text` as a profile holds it, if it is of the form that its kind has.
pub fn checked(key: ProfileKey, text: &str) -> Option<String> {
    let text = text.trim();
    let is_handle = |most: usize| {
        text.len() <= most && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    match key {
        ProfileKey::Ticker => is_ticker(text).then(|| text.to_owned()),
        ProfileKey::YoutubeChannelId => is_channel_id(text).then(|| text.to_owned()),
        ProfileKey::BlueskyHandle | ProfileKey::PersonBlueskyHandle => {
            (is_handle(253) && text.contains('.')).then(|| text.to_lowercase())
        }
        ProfileKey::MastodonAccount | ProfileKey::PersonMastodonAccount => mastodon_account(text),
        ProfileKey::LinkedinUrl => is_handle(200).then(|| format!("https://www.linkedin.com/company/{text}")),
        ProfileKey::XHandle | ProfileKey::PersonXHandle => is_handle(15).then(|| text.to_owned()),
        _ => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{entries, question};
    use domain::{CompanyProfile, ProfileKey};

    fn row(values: &[(&str, &str)]) -> Value {
        let value = |(name, value): &(&str, &str)| ((*name).to_owned(), json!({"type": "literal", "value": value}));
        Value::Object(values.iter().map(value).collect())
    }

    fn answer(rows: &[Value]) -> Value {
        json!({"head": {"vars": []}, "results": {"bindings": rows}})
    }

    #[test]
    fn the_question_names_every_form_of_the_website() {
        let question = question("acme.example").unwrap();
        let query = question.query_pairs().find(|(name, _)| name == "query").unwrap().1;
        for site in ["<https://acme.example/>", "<http://www.acme.example>", "<https://www.acme.example/>"] {
            assert!(query.contains(site), "{query}");
        }
        assert_eq!(query.matches('{').count(), query.matches('}').count());
    }

    #[test]
    fn an_item_is_read_and_its_values_checked() {
        let item = ("item", "http://www.wikidata.org/entity/Q7");
        let answer = answer(&[
            row(&[
                item,
                ("itemLabel", "Acme"),
                ("listed", "ACM"),
                ("x", "acme"),
                ("linkedin", "acme-tools"),
                ("leaderLabel", "Ada Byron"),
                ("leaderBluesky", "Ada.example"),
            ]),
            row(&[
                item,
                ("itemLabel", "Acme"),
                ("mastodon", "@acme@Social.example"),
                ("youtube", "not a channel"),
                ("leaderLabel", "Q42"),
            ]),
        ]);
        let profile: CompanyProfile = entries(&answer, "acme.example").into_iter().collect();
        for (key, value) in [
            (ProfileKey::Name, Some("Acme")),
            (ProfileKey::Ticker, Some("ACM")),
            (ProfileKey::XHandle, Some("acme")),
            (ProfileKey::LinkedinUrl, Some("https://www.linkedin.com/company/acme-tools")),
            (ProfileKey::MastodonAccount, Some("acme@social.example")),
            (ProfileKey::Person, Some("Ada Byron")),
            (ProfileKey::PersonBlueskyHandle, Some("ada.example")),
            (ProfileKey::YoutubeChannelId, None),
        ] {
            assert_eq!(profile.value(key), value, "{key:?}");
        }
        assert_eq!(profile.entries()[0].evidence_url, "https://www.wikidata.org/entity/Q7");
    }

    #[test]
    fn of_several_items_only_the_one_named_like_the_domain_counts() {
        let product = row(&[("item", "http://www.wikidata.org/entity/Q1"), ("itemLabel", "Anvil")]);
        let company = row(&[("item", "http://www.wikidata.org/entity/Q2"), ("itemLabel", "Acme, Inc.")]);
        let twin = row(&[("item", "http://www.wikidata.org/entity/Q3"), ("itemLabel", "ACME")]);
        let name = |rows: &[Value]| entries(&answer(rows), "acme.example").first().map(|entry| entry.value.clone());
        assert_eq!(name(&[product.clone(), company.clone()]).as_deref(), Some("Acme, Inc."));
        assert_eq!(name(&[product.clone(), company, twin]), None, "two companies");
        assert_eq!(name(&[product]).as_deref(), Some("Anvil"), "the only item");
        assert_eq!(name(&[]), None);
        assert_eq!(entries(&json!({"error": "x"}), "acme.example"), []);
    }
}

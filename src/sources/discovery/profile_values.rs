//! What a company's profile gives to the sources that are asked about it, and what it lacks.

use super::contact::account_value;
use super::words;
use crate::format::catalog::Catalog;
use crate::target_values::TargetValues;
use domain::{CompanyProfile, ProfileKey, RadarType, Target};

/// What stands between the parts of a value that has several.
const SEPARATOR: &str = ";";
/// Second signs, and places of its own, that a source gets of one company.
const PARTS_MAX: usize = 10;

/// Whether a source of `radar_type` asks for something that only a profile gives.
pub fn needs_profile(catalog: &Catalog, radar_type: RadarType) -> bool {
    wanted(catalog, radar_type).any(|name| name.parse::<ProfileKey>().is_ok())
}

/// The values by which sources of `radar_type` are asked about `target`.
pub fn values_of(radar_type: RadarType, target: &Target, profile: Option<&CompanyProfile>) -> TargetValues {
    let mut values = TargetValues::of_target(target);
    if let Target::Contact { profile_url: Some(profile_url), .. } = target
        && let Some((name, value)) = account_value(profile_url)
    {
        values.add(name, value);
    }
    let Some(profile) = profile else { return values };
    if radar_type == RadarType::CompanySocialPostsCxo {
        // What the company publishes itself is not what its leaders publish.
        for (key, name) in PEOPLE {
            profile.values(*key).for_each(|value| values.add(name, value));
        }
        return values;
    }
    let own = |key: &ProfileKey| !PEOPLE.iter().any(|(of_people, _)| of_people == key) && !SIGNS.contains(key);
    for entry in profile.entries().iter().filter(|entry| own(&entry.key)) {
        values.add(entry.key.as_str(), entry.value.as_str());
    }
    let joined = |parts: Vec<&str>| {
        let parts = parts.into_iter().filter(|part| !part.contains(SEPARATOR)).take(PARTS_MAX);
        parts.collect::<Vec<_>>().join(SEPARATOR)
    };
    values.add("signs", joined(profile.second_signs().collect()));
    values.add("own_places", joined(profile.own_places().iter().map(String::as_str).collect()));
    values
}

/// Accounts of people, and what sources call them.
pub const PEOPLE: &[(ProfileKey, &str)] = &[
    (ProfileKey::PersonBlueskyHandle, "bluesky_handle"),
    (ProfileKey::PersonMastodonAccount, "mastodon_account"),
    (ProfileKey::PersonXHandle, "x_handle"),
];
/// What sources get as `signs`.
const SIGNS: &[ProfileKey] = &[ProfileKey::LegalName, ProfileKey::Product, ProfileKey::Person];

/// What sources of `radar_type` would need and `values` lack, in words, each once: `no feed`.
pub fn missing(catalog: &Catalog, radar_type: RadarType, values: &TargetValues) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    let whose = if radar_type == RadarType::CompanySocialPostsCxo { "no executive's" } else { "no" };
    for key in wanted(catalog, radar_type).filter_map(|name| name.parse().ok().filter(|_| values.get(name).is_empty()))
    {
        let words = format!("{whose} {}", words::named_by(key));
        if !missing.contains(&words) {
            missing.push(words);
        }
    }
    missing
}

/// The pages and documents on which what is known of a company stands, in a sentence's end.
pub fn looked_at(profile: &CompanyProfile) -> String {
    let mut places: Vec<&str> = profile.entries().iter().map(|entry| entry.evidence_url.as_str()).collect();
    places.sort_unstable();
    places.dedup();
    places.truncate(PARTS_MAX);
    if places.is_empty() { String::new() } else { format!("; visited: {}", places.join(", ")) }
}

fn wanted(catalog: &Catalog, radar_type: RadarType) -> impl Iterator<Item = &str> {
    let needs = catalog.serving(radar_type).filter_map(|source| source.needs());
    needs.flat_map(|needs| needs.required.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::values_of;
    use domain::{CompanyProfile, DomainName, EvidenceKind, ProfileEntry, ProfileKey, ProfileUrl, RadarType, Target};

    fn profile(entries: &[(ProfileKey, &str)]) -> CompanyProfile {
        let evidence_url = "https://acme.example/".to_owned();
        let entry = |(key, value): &(ProfileKey, &str)| ProfileEntry {
            key: *key,
            value: (*value).to_owned(),
            evidence: EvidenceKind::Link,
            evidence_url: evidence_url.clone(),
        };
        entries.iter().map(entry).collect()
    }

    #[test]
    fn a_company_is_asked_about_by_its_own_values_and_its_leaders_by_theirs() {
        let target = Target::Company { domain: DomainName::from_stored("acme.example".into()) };
        let profile = profile(&[
            (ProfileKey::Name, "Acme"),
            (ProfileKey::LegalName, "Acme, Inc."),
            (ProfileKey::Person, "Ada Byron"),
            (ProfileKey::BlueskyHandle, "acme.example"),
            (ProfileKey::PersonBlueskyHandle, "ada.example"),
        ]);
        let own = values_of(RadarType::CompanySocialPosts, &target, Some(&profile));
        assert_eq!(own.get("name"), ["Acme"]);
        assert_eq!(own.get("bluesky_handle"), ["acme.example"]);
        assert_eq!(own.get("signs"), ["Acme, Inc.;Ada Byron"]);
        assert_eq!(own.get("own_places"), ["bsky.app/profile/acme.example"]);
        assert_eq!(own.get("domain"), ["acme.example"]);
        let people = values_of(RadarType::CompanySocialPostsCxo, &target, Some(&profile));
        assert_eq!(people.get("bluesky_handle"), ["ada.example"]);
        assert!(people.get("name").is_empty(), "the company itself is not asked about");
    }

    #[test]
    fn a_person_is_asked_about_on_the_network_of_the_profile() {
        let profile_url = Some(ProfileUrl::from_stored("https://social.example/@ada".into()));
        let target = Target::Contact { domain: None, profile_url, email: None, full_name: None };
        let values = values_of(RadarType::ContactSocialPosts, &target, None);
        assert_eq!(values.get("mastodon_account"), ["ada@social.example"]);
    }
}

//! What is known of a target by name, and the feeds that follow from it.
//!
//! Duty: names and values to tokens and back. Never here: how the values are found.

use std::collections::BTreeMap;

use super::feed::FeedKey;
use super::format::catalog::Catalog;
use super::format::list_source::Needs;
use super::format::source::Source;
use super::format::template::Values;
use domain::{RadarType, Target};

/// Feeds of one source that a target has at most.
const FEEDS_OF_SOURCE_MAX: usize = 5;

/// Values of a target by the names that source files use. A name may have several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetValues {
    by_name: BTreeMap<String, Vec<String>>,
}

impl TargetValues {
    /// What the target itself says.
    pub fn of_target(target: &Target) -> Self {
        let mut values = Self::default();
        let mut add = |name: &str, value: Option<&str>| values.add(name, value.unwrap_or_default());
        add("domain", target.domain().map(|domain| domain.as_str()));
        match target {
            Target::Company { .. } => {}
            Target::Contact { profile_url, email, full_name, .. } => {
                add("profile_url", profile_url.as_ref().map(|url| url.as_str()));
                add("email", email.as_ref().map(|email| email.as_str()));
                add("full_name", full_name.as_deref());
            }
            Target::Industry { keyword, countries } => {
                add("keyword", keyword.as_deref());
                countries.iter().for_each(|country| add("country", Some(country.as_str())));
            }
        }
        values
    }

    /// Adds a value, once. The account of a Mastodon user (`user@host`) gives `mastodon_user` and `mastodon_host` too.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if value.is_empty() {
            return;
        }
        if name == "mastodon_account"
            && let Some((user, host)) = value.trim_start_matches('@').split_once('@')
        {
            // Both halves of the first account only: halves of two accounts make a third.
            if !self.by_name.contains_key("mastodon_user") {
                self.by_name.insert("mastodon_user".to_owned(), vec![user.to_owned()]);
                self.by_name.insert("mastodon_host".to_owned(), vec![host.to_ascii_lowercase()]);
            }
        }
        let values = self.by_name.entry(name.to_owned()).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }

    /// The values of `name`.
    pub fn get(&self, name: &str) -> &[String] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The tokens that `needs` make: one for each value of the name that has several. None if a value is missing.
    fn tokens(&self, needs: &Needs) -> Vec<String> {
        let optional = needs.optional.iter().copied().filter(|name| !self.get(name).is_empty());
        let names: Vec<&str> = needs.required.iter().map(String::as_str).chain(optional).collect();
        let several = names.iter().copied().find(|name| self.get(name).len() > 1);
        let count = several.map_or(1, |name| self.get(name).len()).min(FEEDS_OF_SOURCE_MAX);
        let one = |index: usize| {
            let pick = |name: &&str| {
                let value = self.get(name).get(if Some(*name) == several { index } else { 0 })?;
                Some(((*name).to_owned(), value.clone()))
            };
            Some(needs.token_of(&names.iter().map(pick).collect::<Option<Values>>()?))
        };
        (0..count).filter_map(one).collect()
    }
}

/// The feeds of enabled sources of `radar_type` whose needs `values` meet.
pub fn feeds_from(catalog: &Catalog, radar_type: RadarType, values: &TargetValues) -> Vec<FeedKey> {
    let feeds = |source: &Source| {
        let tokens = source.needs().map(|needs| values.tokens(needs)).unwrap_or_default();
        let source_id = source.id.clone();
        tokens.into_iter().map(move |token| FeedKey { source_id: source_id.clone(), token }).collect::<Vec<_>>()
    };
    catalog.serving(radar_type).flat_map(feeds).collect()
}

#[cfg(test)]
mod tests {
    use super::TargetValues;
    use crate::format::list_source::Needs;

    fn needs(names: &[&str], optional: &'static [&'static str]) -> Needs {
        Needs { required: names.iter().map(|name| (*name).to_owned()).collect(), optional }
    }

    #[test]
    fn tokens_hold_what_is_needed_and_give_it_back() {
        let mut values = TargetValues::default();
        values.add("domain", "acme.example");
        values.add("name", "Acme & Sons");
        values.add("feed_url", "https://acme.example/a.xml");
        values.add("feed_url", "https://acme.example/b.xml?x=1&y=2");
        values.add("feed_url", "https://acme.example/a.xml");
        for (names, optional, tokens) in [
            (&["domain"][..], &[][..], vec!["acme.example"]),
            (&["feed_url"], &[], vec!["https://acme.example/a.xml", "https://acme.example/b.xml?x=1&y=2"]),
            (&["domain", "name"], &["ticker"], vec!["domain=acme.example&name=Acme+%26+Sons"]),
            (&["domain"], &["ticker"], vec!["domain=acme.example"]),
            (&["ticker"], &[], vec![]),
        ] {
            let needs = needs(names, optional);
            let made = values.tokens(&needs);
            assert_eq!(made, tokens, "{names:?}");
            for token in made {
                let back = needs.values_of(&token).unwrap_or_else(|| panic!("{token}"));
                assert_eq!(needs.token_of(&back), token);
            }
        }
        assert_eq!(needs(&["domain", "name"], &[]).values_of("domain=acme.example"), None);
        assert_eq!(
            needs(&["token"], &[]).values_of("a=b&c").map(|values| values["token"].clone()),
            Some("a=b&c".into())
        );
    }

    #[test]
    fn a_mastodon_account_is_taken_apart() {
        let mut values = TargetValues::default();
        values.add("mastodon_account", "@acme@Social.Example");
        values.add("mastodon_account", "other@second.example");
        assert_eq!(values.get("mastodon_user"), ["acme".to_owned()]);
        assert_eq!(values.get("mastodon_host"), ["social.example".to_owned()]);
        assert!(values.get("nothing").is_empty());
    }
}

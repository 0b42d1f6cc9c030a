//! Whether an item of a source is about a target: for sources that show everything to everybody.
//!
//! Duty: texts and addresses of an item against the names of a target. Pure. Never here: how the names are found.

use url::Url;

use super::format::list_source::MatchBy;
use super::format::template::Values;
use super::mentions::{Mentioned, has_phrase};

/// What is known of the target that items are matched with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchTarget {
    /// The keyword.
    pub keyword: Option<String>,
    /// The person's name.
    pub full_name: Option<String>,
    /// The company, as texts mention it.
    pub company: Mentioned,
}

impl MatchTarget {
    /// What `values` say.
    pub fn of_values(values: &Values) -> Self {
        let value = |name: &str| values.get(name).cloned();
        let parts = |name: &str| {
            let parts = values.get(name).into_iter().flat_map(|value| value.split(';'));
            parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        Self {
            keyword: value("keyword"),
            full_name: value("full_name"),
            company: Mentioned {
                name: value("name"),
                domain: value("domain"),
                ticker: value("ticker"),
                signs: parts("signs"),
                own_places: parts("own_places"),
            },
        }
    }
}

/// Whether an item with these texts and addresses is about `target`. What a company publishes itself mentions nobody: the
/// first of the addresses is the item's own, the others are links in it.
pub fn is_about(by: MatchBy, target: &MatchTarget, texts: &[String], addresses: &[Url]) -> bool {
    match by {
        MatchBy::Keyword => {
            target.keyword.as_ref().is_some_and(|keyword| texts.iter().any(|text| has_phrase(text, keyword)))
        }
        MatchBy::Company | MatchBy::Employer | MatchBy::Person => target.company.evidence(texts, addresses).is_some(),
    }
}

/// Whether one of `authors` is the company itself: what it publishes is no mention of it.
pub fn is_by(target: &MatchTarget, authors: &[String]) -> bool {
    let is_company = |name: &String| authors.iter().any(|author| has_phrase(author, name));
    target.company.name.as_ref().is_some_and(is_company)
}

#[cfg(test)]
mod tests {
    use super::{MatchTarget, Mentioned, is_about, is_by};
    use crate::format::list_source::MatchBy;
    use url::Url;

    fn company(domain: Option<String>) -> MatchTarget {
        let company = Mentioned { name: Some("Quarrelake".into()), domain, ..Mentioned::default() };
        MatchTarget { company, ..MatchTarget::default() }
    }

    #[test]
    fn a_phrase_is_found_as_whole_words() {
        let target = MatchTarget { keyword: Some("green steel".into()), ..MatchTarget::default() };
        for (text, wanted) in [
            ("Green Steel is here", true),
            ("(green steel)", true),
            ("evergreen steel", false),
            ("green steelworks", false),
            ("green", false),
        ] {
            assert_eq!(is_about(MatchBy::Keyword, &target, &[text.into()], &[]), wanted, "{text}");
        }
    }

    #[test]
    fn a_company_is_told_from_other_authors() {
        let target = company(None);
        for (author, wanted) in [("Quarrelake Inc.", true), ("Quarry", false)] {
            assert_eq!(is_by(&target, &[author.into()]), wanted, "{author}");
        }
        assert!(!is_by(&MatchTarget::default(), &["Quarrelake".into()]));
    }

    #[test]
    fn a_company_is_mentioned_by_others() {
        let target = company(Some("quarrelake.example".into()));
        for (text, address, wanted) in [
            ("Quarrelake opens a plant", "https://news.example/1", true),
            ("See quarrelake.example", "https://news.example/2", true),
            ("Quarrelake opens a plant", "https://blog.quarrelake.example/1", false),
            ("Nothing of the kind", "https://news.example/3", false),
        ] {
            let addresses = [Url::parse(address).unwrap()];
            assert_eq!(is_about(MatchBy::Company, &target, &[text.into()], &addresses), wanted, "{text} {address}");
        }
    }
}

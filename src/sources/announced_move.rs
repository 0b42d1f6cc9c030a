//! An announced move of a person, as it stands in an item: whether it concerns a target, and what it is for a contact.
//!
//! Duty: pure rules. The company must be named as the employer, not merely be mentioned; on a page of its own it may go
//! unnamed. A person is the same by name together with the company.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use super::announced_index::AnnouncedIndex;
use super::extraction::headlines::person_name;
use super::format::list_source::{ListSource, MatchBy};
use super::matching::MatchTarget;
use super::text::company_name::{first_in_common, letters};
use super::text::folding::folded;
use domain::RadarType;
use domain::content::company_name::without_legal_form;

/// Under this name items carry what was read from their texts.
pub const EXTRACTED: &str = "extracted";

/// Words of seats on a board.
const OF_BOARDS: &[&str] = &["aufsichtsrat", "board", "non-executive", "nonexecutive", "trustee"];
/// Words of other posts that are held beside one.
const ADVISING: &[&str] = &["adviser", "advisor", "advisory"];

/// A move as an item carries it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AnnouncedMove<'a> {
    kind: &'a str,
    /// The person who moves.
    pub full_name: &'a str,
    title: Option<&'a str>,
    previous_title: Option<&'a str>,
    /// Where the move leads, where it is named.
    pub employer: Option<&'a str>,
    previous_employer: Option<&'a str>,
}

impl<'a> AnnouncedMove<'a> {
    /// The move in `item`.
    pub fn of(item: &'a Value) -> Option<Self> {
        Self::deserialize(item.get(EXTRACTED)?).ok()
    }

    /// Whether it concerns `target`: the first of the addresses is the item's own.
    pub fn is_of(&self, by: MatchBy, target: &MatchTarget, texts: &[String], addresses: &[Url]) -> bool {
        let company = &target.company;
        let is_own_page = addresses.first().is_some_and(|url| company.is_own(url));
        let is_about_company = || is_own_page || company.evidence(texts, addresses).is_some();
        match by {
            MatchBy::Person => is_person(target, self.full_name) && is_about_company(),
            _ => match self.employer {
                Some(employer) if is_own_page => {
                    is_named(target, employer) || short_name(target) == Some(employer_key(employer))
                }
                Some(employer) => is_named(target, employer) && is_about_company(),
                None => is_own_page,
            },
        }
    }

    /// What the move is for a contact at the company of `target`: its type, the new role and the one before.
    pub fn change_of(&self, target: &MatchTarget) -> Map<String, Value> {
        let role = |title: Option<&str>, company: Option<&str>| {
            let is_targets = company.is_some_and(|company| is_named(target, company));
            let domain = target.company.domain.as_ref().filter(|_| is_targets);
            json!({"title": title, "company_name": company, "company_domain": domain})
        };
        let targets_name = target.company.name.as_deref();
        let employer = self.employer.or(targets_name);
        let is_at_target = employer.is_none_or(|employer| is_named(target, employer));
        let previous_employer = self.previous_employer.or(targets_name);
        let (change_type, new_role, previous_role) = match self.kind {
            "departure" => ("departure", Value::Null, role(self.title, employer)),
            _ if self.title.is_some_and(|title| has_word(title, OF_BOARDS) || has_word(title, ADVISING)) => {
                ("additional_role", role(self.title, employer), Value::Null)
            }
            "hire" if !is_at_target => {
                ("new_company_role", role(self.title, employer), role(self.previous_title, previous_employer))
            }
            _ => ("promotion", role(self.title, employer), role(self.previous_title, employer)),
        };
        let change = [("change_type", change_type.into()), ("new_role", new_role), ("previous_role", previous_role)];
        change.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Whether radars of the type of `list` report what is announced in `item`; a document is read once it is there.
pub fn is_of_type(list: &ListSource, item: &Value) -> bool {
    if list.extract.as_ref().is_none_or(|extract| extract.document.is_some()) {
        return true;
    }
    let Some(extracted) = item.get(EXTRACTED) else { return false };
    let text = |name: &str| extracted.get(name).and_then(Value::as_str);
    is_reported(list.radar_type, text("kind").unwrap_or_default(), text("title"))
}

/// Whether radars of `radar_type` report moves of this kind to this post: who takes a seat on a board is not hired.
pub fn is_reported(radar_type: RadarType, kind: &str, title: Option<&str>) -> bool {
    match radar_type {
        RadarType::CompanyNewHires => kind == "hire" && !title.is_some_and(|title| has_word(title, OF_BOARDS)),
        RadarType::CompanyPromotions => kind == "promotion",
        _ => true,
    }
}

/// The places of the items in `index` that may be about `target`.
pub fn places_of(by: MatchBy, target: &MatchTarget, index: &AnnouncedIndex) -> Vec<usize> {
    match (by, &target.full_name) {
        (MatchBy::Person, Some(full_name)) => index.of_person(&person_key(full_name)),
        (MatchBy::Person, None) => Vec::new(),
        _ => index.of_employer(employer_keys(target).chain(short_name(target))),
    }
}

/// `item` with what its announcement means for the target of the feed, where that matters.
pub fn of_target<'a>(list: &ListSource, item: &'a Value, target: &MatchTarget) -> Cow<'a, Value> {
    if list.extract.is_none() || list.radar_type != RadarType::ContactJobChanges {
        return Cow::Borrowed(item);
    }
    let change = AnnouncedMove::of(item).map(|found| found.change_of(target));
    let mut item = item.clone();
    if let (Some(mut change), Some(extracted)) = (change, item.get_mut(EXTRACTED).and_then(Value::as_object_mut)) {
        extracted.append(&mut change);
    }
    Cow::Owned(item)
}

/// Whether `company` is a name of the target's: its own, another one that is known, or that of its domain.
fn is_named(target: &MatchTarget, company: &str) -> bool {
    let company = employer_key(company);
    employer_keys(target).any(|name| name == company)
}

/// What the target may call itself on a page of its own.
fn short_name(target: &MatchTarget) -> Option<String> {
    first_in_common(target.company.name.as_ref()?, target.company.domain.as_ref()?)
}

/// The names of `target` as employers are compared.
fn employer_keys(target: &MatchTarget) -> impl Iterator<Item = String> {
    let company = &target.company;
    let label = company.domain.as_ref().and_then(|domain| domain.split('.').next()).map(letters);
    let names = company.name.iter().chain(&company.signs).map(|name| employer_key(name));
    names.chain(label).filter(|name| !name.is_empty())
}

/// What employers are compared by: the letters of the name without its legal form.
pub fn employer_key(company: &str) -> String {
    let name = letters(without_legal_form(company));
    name.strip_prefix("the").filter(|rest| rest.len() > 2).map_or(name.clone(), str::to_owned)
}

/// What people are compared by: the first and the family's name, whatever stands between.
pub fn person_key(name: &str) -> String {
    let parts = || {
        let name = person_name(name)?;
        let first = folded(name.first?.split_whitespace().next()?);
        Some(format!("{first} {}", folded(&name.last?)))
    };
    parts().unwrap_or_else(|| folded(name.trim()))
}

/// Whether `full_name` is that of the target's person.
fn is_person(target: &MatchTarget, full_name: &str) -> bool {
    target.full_name.as_deref().is_some_and(|own| person_key(own) == person_key(full_name))
}

/// Whether a post has one of `words`.
fn has_word(title: &str, words: &[&str]) -> bool {
    let title = folded(title);
    title.split(|letter: char| !letter.is_alphanumeric() && letter != '-').any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::{AnnouncedMove, employer_key, is_reported, person_key, places_of};
    use crate::announced_index::AnnouncedIndex;
    use crate::format::list_source::MatchBy;
    use crate::matching::MatchTarget;
    use crate::mentions::Mentioned;
    use domain::RadarType;

    fn target() -> MatchTarget {
        MatchTarget {
            full_name: Some("Ines Varga".into()),
            company: Mentioned {
                name: Some("Quarrelake Robotics".into()),
                domain: Some("quarrelake.example".into()),
                signs: vec!["Quarrelake Holdings AS".into()],
                ..Mentioned::default()
            },
            ..MatchTarget::default()
        }
    }

    fn moved(kind: &str, person: &str, title: &str, employer: Option<&str>, previous: Option<&str>) -> Value {
        json!({"extracted": {"kind": kind, "full_name": person, "title": title, "employer": employer,
                             "previous_employer": previous}})
    }

    #[test]
    fn the_company_must_be_the_employer_and_the_person_the_contact() {
        let other = "https://wire.example/1";
        for (employer, person, text, address, of_company, of_person) in [
            (Some("Quarrelake Robotics"), "Ines Varga", "Quarrelake Robotics names Ines Varga CFO", other, true, true),
            (Some("Quarrelake"), "Ines K. Varga", "Quarrelake Robotics AS is in Oslo", other, true, true),
            (Some("Quarrelake Robotics"), "Leo Stark", "Quarrelake Robotics names Leo Stark CFO", other, true, false),
            (Some("Mossgrid"), "Ines Varga", "Mossgrid hires from Quarrelake Robotics", other, false, true),
            (Some("Mossgrid"), "Ines Varga", "Mossgrid names Ines Varga CFO", other, false, false),
            (None, "Ines Varga", "Ines Varga joins", other, false, false),
            (None, "Ines Varga", "Ines Varga joins", "https://quarrelake.example/news/1", true, true),
            (Some("Mossgrid"), "Ines Varga", "Ines joins", "https://quarrelake.example/news/1", false, true),
        ] {
            let item = moved("hire", person, "CFO", employer, None);
            let found = AnnouncedMove::of(&item).unwrap();
            let (texts, addresses) = ([text.to_owned()], [Url::parse(address).unwrap()]);
            assert_eq!(found.is_of(MatchBy::Employer, &target(), &texts, &addresses), of_company, "{text} {address}");
            assert_eq!(found.is_of(MatchBy::Person, &target(), &texts, &addresses), of_person, "{text} {address}");
            let mut index = AnnouncedIndex::default();
            index.add(person_key(person), employer.map(employer_key));
            let is_looked_at = |by| !places_of(by, &target(), &index).is_empty();
            assert!(is_looked_at(MatchBy::Employer) || !of_company, "{text} {address}");
            assert_eq!(is_looked_at(MatchBy::Person), person != "Leo Stark", "{text} {address}");
        }
        assert_eq!(AnnouncedMove::of(&json!({"title": "CFO"})), None);
    }

    #[test]
    fn on_its_own_pages_a_company_may_go_by_the_word_with_which_its_name_and_its_domain_begin() {
        let named = |name: &str, domain: &str| MatchTarget {
            company: Mentioned { name: Some(name.into()), domain: Some(domain.into()), ..Mentioned::default() },
            ..MatchTarget::default()
        };
        let drives = named("Quarrelake Drives", "quarrelake-drives.example");
        let (own, other) = ("https://www.quarrelake-drives.example/news/1", "https://wire.example/1");
        for (target, employer, address, wanted) in [
            (&drives, "Quarrelake", own, true),
            (&drives, "Quarrelake", other, false),
            (&drives, "Drives", own, false),
            (&drives, "Mossgrid", own, false),
            (&named("Mossgrid Drives", "quarrelake-drives.example"), "Mossgrid", own, false),
        ] {
            let item = moved("hire", "Ines Varga", "CFO", Some(employer), None);
            let found = AnnouncedMove::of(&item).unwrap();
            let texts = [format!("{employer} names Ines Varga CFO")];
            let is_of = found.is_of(MatchBy::Employer, target, &texts, &[Url::parse(address).unwrap()]);
            assert_eq!(is_of, wanted, "{employer} {address}");
            let mut index = AnnouncedIndex::default();
            index.add(person_key("Ines Varga"), Some(employer_key(employer)));
            assert!(!wanted || places_of(MatchBy::Employer, target, &index) == [0], "{employer} {address}");
        }
    }

    #[test]
    fn decision_6_the_kind_of_a_change_depends_on_where_it_leads() {
        let here = Some("Quarrelake Robotics");
        for (kind, title, employer, previous, wanted) in [
            ("departure", "CFO", here, None, "departure"),
            ("promotion", "CEO", here, None, "promotion"),
            ("hire", "CEO", here, None, "promotion"),
            ("hire", "CEO", Some("Mossgrid"), here, "new_company_role"),
            ("hire", "Board Member", Some("Mossgrid"), None, "additional_role"),
        ] {
            let item = moved(kind, "Ines Varga", title, employer, previous);
            let change = AnnouncedMove::of(&item).unwrap().change_of(&target());
            assert_eq!(change["change_type"], wanted, "{kind} {title}");
            let role = if kind == "departure" { &change["previous_role"] } else { &change["new_role"] };
            assert_eq!((&role["title"], &role["company_name"]), (&json!(title), &json!(employer)));
            let is_here = employer == here;
            assert_eq!(role["company_domain"].is_string(), is_here, "a domain is known of the target's company alone");
        }
    }

    #[test]
    fn who_takes_a_seat_on_a_board_is_not_hired() {
        for (kind, title, of_hires, of_promotions) in [
            ("hire", Some("Chief Financial Officer"), true, false),
            ("hire", Some("Board of Directors"), false, false),
            ("hire", Some("Non-Executive Director"), false, false),
            ("hire", None, true, false),
            ("promotion", Some("CEO"), false, true),
            ("departure", Some("CEO"), false, false),
        ] {
            let is_reported = |radar_type| is_reported(radar_type, kind, title);
            let found = [is_reported(RadarType::CompanyNewHires), is_reported(RadarType::CompanyPromotions)];
            assert_eq!(found, [of_hires, of_promotions], "{kind} {title:?}");
            assert!(is_reported(RadarType::ContactJobChanges));
        }
    }

    #[test]
    fn a_person_is_the_same_without_middle_names_titles_and_accents() {
        for (one, other, wanted) in [
            ("Ines Varga", "Dr. Inés M. Varga, PhD", true),
            ("Varga, Ines", "Ines Varga", true),
            ("Ines Varga", "Irma Varga", false),
            ("Ines Varga", "Ines Stark", false),
            ("Varga", "varga", true),
        ] {
            assert_eq!(person_key(one) == person_key(other), wanted, "{one} {other}");
        }
    }
}

//! Whom the announcements of an answer concern: of all that a wire tells nearly nothing is about one target, and each feed
//! that shares the answer looks only at what may be its own.
//!
//! Duty: items by the names of their announcements. Pure. Never here: whether an item is about a target (`announced_move`).

use std::collections::HashMap;

use serde_json::Value;

use super::announced_move::{AnnouncedMove, employer_key, employer_keys, person_key};
use super::format::list_source::{ListSource, MatchBy};
use super::matching::MatchTarget;

/// What an item takes in the index, about.
const ENTRY_BYTES: usize = 96;

/// The items of an answer, as places in its list, by the person and the employer of the move that each announces.
#[derive(Debug)]
pub struct AnnouncedIndex {
    by_person: HashMap<String, Vec<usize>>,
    by_employer: HashMap<String, Vec<usize>>,
    /// Items that name no employer.
    without_employer: Vec<usize>,
    /// How many items the answer lists.
    pub listed: usize,
}

impl AnnouncedIndex {
    /// The index of an `answer` of `list`, of sources that match people or their employers.
    pub fn of(list: &ListSource, answer: &Value) -> Option<Self> {
        list.extract.as_ref()?;
        list.matching.as_ref().filter(|matching| matches!(matching.by, MatchBy::Employer | MatchBy::Person))?;
        let is_plain = list.items.path.is_none() && list.paging.is_none() && list.answers.error_if.is_none();
        let items = answer.pointer(&list.place_of_items(answer)?)?.as_array().filter(|_| is_plain)?;
        let (by_person, by_employer) = (HashMap::new(), HashMap::new());
        let mut index = Self { by_person, by_employer, without_employer: Vec::new(), listed: items.len() };
        for (place, item) in items.iter().enumerate() {
            let Some(found) = AnnouncedMove::of(item) else { continue };
            index.by_person.entry(person_key(found.full_name)).or_default().push(place);
            match found.employer {
                Some(employer) => index.by_employer.entry(employer_key(employer)).or_default().push(place),
                None => index.without_employer.push(place),
            }
        }
        Some(index)
    }

    /// The places of the items that may be about `target`, in their order.
    pub fn places(&self, by: MatchBy, target: &MatchTarget) -> Vec<usize> {
        let at = |places: Option<&Vec<usize>>| places.cloned().unwrap_or_default();
        let mut places = match by {
            MatchBy::Person => {
                at(target.full_name.as_deref().map(person_key).and_then(|person| self.by_person.get(&person)))
            }
            _ => {
                let named = employer_keys(target).flat_map(|employer| at(self.by_employer.get(&employer)));
                named.chain(self.without_employer.iter().copied()).collect()
            }
        };
        places.sort_unstable();
        places.dedup();
        places
    }

    /// What it takes in memory, about, in bytes.
    pub fn memory(&self) -> usize {
        let names = self.by_person.keys().chain(self.by_employer.keys());
        names.map(|name| ENTRY_BYTES + name.len()).sum::<usize>() + self.listed * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::AnnouncedIndex;
    use crate::sources::SourceKind;
    use crate::sources::format::catalog::Catalog;
    use crate::sources::format::list_source::MatchBy;
    use crate::sources::matching::MatchTarget;

    fn index(source_id: &str, moves: &[(&str, Option<&str>)]) -> Option<AnnouncedIndex> {
        let catalog = Catalog::load(None).unwrap();
        let SourceKind::List(list) = catalog.get(source_id).unwrap().kind() else { panic!("a list") };
        let item = |(person, employer): &(&str, Option<&str>)| json!({"extracted": {"kind": "hire", "full_name": person, "employer": employer}});
        let items: Vec<Value> = moves.iter().map(item).chain([json!({"title": "Nobody moves"})]).collect();
        AnnouncedIndex::of(list, &json!({"entries": items}))
    }

    #[test]
    fn items_are_found_by_any_name_of_the_employer_or_by_the_person() {
        let index = index(
            "prnewswire_all_people",
            &[
                ("Ines Varga", Some("Mossgrid")),
                ("Leo Stark", Some("Quarrelake Robotics AS")),
                ("Dr. Inés M. Varga", Some("Quarrelake")),
                ("Mara Lindqvist", None),
                ("Erik Sundberg", Some("Tern & Sons")),
            ],
        );
        let index = index.unwrap();
        let target = MatchTarget {
            full_name: Some("Ines Varga".into()),
            name: Some("Quarrelake Robotics".into()),
            domain: Some("quarrelake.example".into()),
            signs: vec!["The Tern & Sons Ltd".into(), "!".into()],
            ..MatchTarget::default()
        };
        assert_eq!(index.listed, 6);
        assert_eq!(index.places(MatchBy::Employer, &target), [1, 2, 3, 4], "the third may be on a page of its own");
        assert_eq!(index.places(MatchBy::Person, &target), [0, 2]);
        assert_eq!(index.places(MatchBy::Employer, &MatchTarget::default()), [3]);
        assert!(index.places(MatchBy::Person, &MatchTarget::default()).is_empty());
    }

    #[test]
    fn only_sources_that_go_by_people_or_employers_have_one() {
        assert!(index("prnewswire_all_funding", &[]).is_none());
        assert!(index("prnewswire_all_people-contact_job_changes", &[]).is_some());
    }
}

//! The announcements of an answer by whom they name: of all that a wire tells nearly nothing is about one target, and each
//! feed that shares the answer looks only at what may be its own.
//!
//! Duty: places of items by keys. Pure. Never here: what the keys are, or whether an item is about a target
//! (`announced_move`).

use std::collections::HashMap;

/// What a name takes in the index beside its letters, about.
const ENTRY_BYTES: usize = 96;

/// The items of an answer, as places in its list, by the person and the employer of the move that each announces.
#[derive(Debug, Default)]
pub struct AnnouncedIndex {
    by_person: HashMap<String, Vec<usize>>,
    /// Those that name no employer stand under none.
    by_employer: HashMap<Option<String>, Vec<usize>>,
    /// How many items the answer lists.
    pub listed: usize,
}

impl AnnouncedIndex {
    /// Adds the next item, which announces a move of this person to this employer.
    pub fn add(&mut self, person: String, employer: Option<String>) {
        self.by_person.entry(person).or_default().push(self.listed);
        self.by_employer.entry(employer).or_default().push(self.listed);
        self.listed += 1;
    }

    /// The items that name this person, in their order.
    pub fn of_person(&self, person: &str) -> Vec<usize> {
        self.by_person.get(person).cloned().unwrap_or_default()
    }

    /// The items that name an employer by one of these names or name none, in their order.
    pub fn of_employer(&self, names: impl Iterator<Item = String>) -> Vec<usize> {
        let names = names.map(Some).chain([None]);
        let mut places: Vec<usize> = names.filter_map(|name| self.by_employer.get(&name)).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// What it takes in memory, about, in bytes.
    pub fn memory(&self) -> usize {
        let names = self.by_person.keys().chain(self.by_employer.keys().flatten());
        names.map(|name| ENTRY_BYTES + name.len()).sum::<usize>() + self.listed * 2 * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::AnnouncedIndex;

    #[test]
    fn items_are_found_once_by_any_name_and_in_their_order() {
        let mut index = AnnouncedIndex::default();
        for (person, employer) in [("ada", Some("tern")), ("bob", None), ("ada", Some("mole")), ("cyd", Some("tern"))] {
            index.add(person.to_owned(), employer.map(str::to_owned));
        }
        let employer = |names: &[&str]| index.of_employer(names.iter().map(|name| (*name).to_owned()));
        assert_eq!((index.listed, index.of_person("ada"), index.of_person("dan")), (4, vec![0, 2], vec![]));
        assert_eq!(employer(&["mole", "tern", "tern"]), [0, 1, 2, 3]);
        assert_eq!(employer(&["mole"]), [1, 2]);
        assert_eq!(employer(&[]), [1]);
        assert!(index.memory() > 0);
    }
}

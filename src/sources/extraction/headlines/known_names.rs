//! Names that many people have, folded: those of the United States, which mentions know as well, and those of Europe, Latin
//! America and Asia (made by `tools/names.py`); and those of clubs, whose people are no news of companies (`tools/clubs.py`).

use crate::mentions;

static GIVEN_NAMES: Sorted = Sorted(include_str!("given_names.txt"));
static FAMILY_NAMES: Sorted = Sorted(include_str!("family_names.txt"));
static CLUBS: Sorted = Sorted(include_str!("clubs.txt"));

/// Lines in the order of their bytes: a set that takes no memory beside the program's own.
struct Sorted(&'static str);

impl Sorted {
    fn contains(&self, line: &str) -> bool {
        let mut lines = self.0;
        while !lines.is_empty() {
            let middle = lines.floor_char_boundary(lines.len() / 2);
            let from = lines[..middle].rfind('\n').map_or(0, |end| end + 1);
            let to = lines[from..].find('\n').map_or(lines.len(), |end| from + end);
            match line.cmp(&lines[from..to]) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => lines = &lines[..from],
                std::cmp::Ordering::Greater => lines = lines.get(to + 1..).unwrap_or_default(),
            }
        }
        false
    }
}

/// Whether `name`, folded, is a common given name.
pub fn is_given_name(name: &str) -> bool {
    mentions::is_given_name(name) || GIVEN_NAMES.contains(name)
}

/// Whether `name`, folded, is a family name.
pub fn is_family_name(name: &str) -> bool {
    mentions::is_surname(name) || FAMILY_NAMES.contains(name)
}

/// Whether `name`, folded, is a family name and no English word, though it may look like a form of one: `Weber`.
pub fn is_only_a_family_name(name: &str) -> bool {
    FAMILY_NAMES.contains(name)
}

/// Whether `name`, folded, is a club of football.
pub fn is_club(name: &str) -> bool {
    CLUBS.contains(name)
}

#[cfg(test)]
mod tests {
    use super::{CLUBS, FAMILY_NAMES, GIVEN_NAMES, Sorted};

    #[test]
    fn every_line_is_found_and_nothing_else() {
        let lines = Sorted("ada\nbyron\ngrace\nhopper\n");
        for line in ["ada", "byron", "grace", "hopper"] {
            assert!(lines.contains(line), "{line}");
        }
        for line in ["", "ad", "adam", "hop", "hoppers", "zoe", "byron\ngrace"] {
            assert!(!lines.contains(line), "{line}");
        }
        assert!(!Sorted("").contains("ada"));
    }

    #[test]
    fn the_lists_are_sorted() {
        for list in [&GIVEN_NAMES, &FAMILY_NAMES, &CLUBS] {
            assert!(list.0.lines().is_sorted());
        }
    }
}

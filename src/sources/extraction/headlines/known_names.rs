//! Names that many people have, folded: those of the United States, which mentions know as well, and those of Europe, Latin
//! America and Asia (made by `tools/names.py`).

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::mentions;

static GIVEN_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("given_names.txt").lines().collect());
static FAMILY_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("family_names.txt").lines().collect());

/// Whether `name`, folded, is a common given name.
pub fn is_given_name(name: &str) -> bool {
    mentions::is_given_name(name) || GIVEN_NAMES.contains(name)
}

/// Whether `name`, folded, is a common family name.
pub fn is_family_name(name: &str) -> bool {
    mentions::is_surname(name) || FAMILY_NAMES.contains(name)
}

//! Where on a page its elements stand: in its contents, or in what stands around them on every page of the site.
//!
//! Duty: elements in one pass. Never here: what they say.

use super::{Element, Tree};
use crate::bounds::cut;
use crate::text::pattern::WordSet;

/// As much of the classes of an element is looked at, in bytes.
const CLASS_BYTES_MAX: usize = 500;
/// Words of classes and roles of what stands around the contents of a page.
static AROUND: WordSet = WordSet::new(
    "breadcrumb breadcrumbs cookie filter filters footer languages menu menubar nav navbar navigation pager pagination share \
     sidebar social topbar",
);

/// What an element stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// A menu, a footer or the like.
    pub is_around: bool,
    /// An article, or the contents of the page.
    pub is_inside: bool,
}

/// What each element stands in.
pub fn places(tree: &Tree) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(tree.len());
    for (_, element) in tree.elements() {
        let outer = element.parent.map(|parent| places[parent]).unwrap_or_default();
        let is_inside = outer.is_inside || matches!(element.name.as_str(), "article" | "main");
        let is_around = match element.name.as_str() {
            "article" => false,
            "nav" | "aside" | "form" => true,
            "header" | "footer" => outer.is_around || !is_inside,
            "body" | "html" | "main" => outer.is_around,
            _ => outer.is_around || has_word_of_around(element),
        };
        places.push(Place { is_around, is_inside });
    }
    places
}

fn has_word_of_around(element: &Element) -> bool {
    let attributes = ["class", "role"].into_iter().filter_map(|name| element.attribute(name));
    let mut words =
        attributes.flat_map(|text| cut(text, CLASS_BYTES_MAX).split(|letter: char| !letter.is_ascii_alphabetic()));
    words.any(|word| AROUND.contains(&word.to_ascii_lowercase()))
}

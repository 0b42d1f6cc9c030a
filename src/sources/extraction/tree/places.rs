//! Where on a page its elements stand: in its contents, or in what stands around them on every page of the site.
//!
//! Duty: elements in one pass. Never here: what they say.

use super::{Element, Tree};
use crate::text::pattern::WordSet;

/// Words of classes and roles of what stands around the contents of a page.
static AROUND: WordSet = WordSet::new("cookie menu menubar nav navbar navigation sidebar topbar");
/// The same of what is short: a wrapper of what a filter lets through is called like the filter.
static SHORT: WordSet = WordSet::new("breadcrumb breadcrumbs filter filters languages pager pagination share social");
/// Such is at most so long, in bytes.
const SHORT_BYTES_MAX: usize = 300;

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
    let prose = prose_before(tree);
    let holds_most = |index: usize| (prose[tree.end_of(index)] - prose[index]) * 2 > prose[tree.len()];
    for (index, element) in tree.elements() {
        let outer = element.parent.map(|parent| places[parent]).unwrap_or_default();
        let is_inside = outer.is_inside || matches!(element.name.as_str(), "article" | "main");
        let is_around = match element.name.as_str() {
            "article" | "main" => false,
            "nav" | "aside" => true,
            // Some frameworks wrap all of a page in a form.
            "form" => outer.is_around || !holds_most(index),
            "header" | "footer" => outer.is_around || !is_inside,
            "body" | "html" => outer.is_around,
            // What the page says may stand in an element that is called like the menu beside it.
            _ => {
                let is_short = tree.text_bytes(index) <= SHORT_BYTES_MAX;
                outer.is_around || has_word_of_around(element, is_inside, is_short) && (is_short || !holds_most(index))
            }
        };
        places.push(Place { is_around, is_inside });
    }
    places
}

/// How much text stands before each element, and in all, besides that of links and scripts: menus have none.
fn prose_before(tree: &Tree) -> Vec<usize> {
    let (mut prose, mut other, mut end) = (Vec::with_capacity(tree.len() + 1), 0, 0);
    for (index, element) in tree.elements() {
        let before = tree.bytes_before(index).saturating_sub(other);
        prose.push(before.max(prose.last().copied().unwrap_or_default()));
        if index >= end && matches!(element.name.as_str(), "a" | "script" | "style") {
            (other, end) = (other + tree.text_bytes(index), tree.end_of(index));
        }
    }
    let all = tree.bytes_before(tree.len()).saturating_sub(other);
    prose.push(all.max(prose.last().copied().unwrap_or_default()));
    prose
}

/// An article has a footer of its own, whether that is an element or a class.
fn has_word_of_around(element: &Element, is_inside: bool, is_short: bool) -> bool {
    element.class_words().chain(element.role_words()).any(|word| {
        let word = word.to_ascii_lowercase();
        AROUND.contains(&word) || !is_inside && word == "footer" || is_short && SHORT.contains(&word)
    })
}

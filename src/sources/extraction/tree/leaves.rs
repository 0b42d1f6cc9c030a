//! The texts of a page, each with the kind of element that it is written in: what repeats on a page is of one kind.

use super::Tree;
use crate::text::plain::one_line;
use outbound::reading;

/// Elements that stand within a line.
const INLINE: &[&str] = &["a", "span", "b", "strong", "em", "i", "u", "font"];
/// Texts of one page that are looked at: a team of the most people that are read has a third of them.
const LEAVES_MAX: usize = 4_000;

/// An element with text and no element with text inside of it, or what an element says before the first of these.
pub struct Leaf {
    /// The outermost element of those that hold nothing but this text.
    pub index: usize,
    /// What it says.
    pub text: String,
    /// The kinds of the element and of the one that it stands in.
    pub kind: String,
}

/// The texts of a page in order; scripts and styles have none.
pub fn leaves(tree: &Tree) -> Vec<Leaf> {
    let mut first_inside: Vec<Option<usize>> = vec![None; tree.len()];
    let is_text = |index: usize| {
        let is_shown = tree.element(index).is_some_and(|element| !matches!(element.name.as_str(), "script" | "style"));
        is_shown && tree.text_bytes(index) > 0
    };
    for index in (0..tree.len()).rev() {
        if let (true, Some(parent)) = (is_text(index), tree.element(index).and_then(|element| element.parent)) {
            first_inside[parent] = Some(index);
        }
    }
    let leaf = |(index, text): (usize, String)| {
        // A name that is a link is written in the same element as one that is none.
        let around = std::iter::successors(Some(index), |index| {
            let parent = tree.element(*index).filter(|_| is_named(tree, *index, INLINE))?.parent;
            parent.filter(|parent| tree.text_bytes(*parent) == tree.text_bytes(*index))
        });
        let around: Vec<usize> = around.collect();
        let outermost = around.last().copied().unwrap_or(index);
        // In a heading that makes no difference, in a paragraph it tells names from titles.
        let is_bold = is_named(tree, outermost, &["p", "div", "td", "li"])
            && around.iter().any(|index| is_named(tree, *index, &["b", "strong"]));
        let kind = kind(tree, outermost) + if is_bold { " bold" } else { "" };
        Leaf { index: outermost, text, kind }
    };
    let own_text = |index: usize| match first_inside[index] {
        Some(first) => (index, one_line(&tree.said_before(index, Some(first)))),
        None => (index, tree.text(index)),
    };
    let of_text = (0..tree.len()).filter(|index| is_text(*index)).take_while(|_| reading::goes_on()).map(own_text);
    of_text.filter(|(_, text)| !text.is_empty()).take(LEAVES_MAX).map(leaf).collect()
}

/// Whether the element has one of these names.
pub fn is_named(tree: &Tree, index: usize, names: &[&str]) -> bool {
    tree.element(index).is_some_and(|element| names.contains(&element.name.as_str()))
}

/// The names of an element and of the one that it stands in, with the first of their classes: without its digits, which number
/// what repeats.
pub fn kind(tree: &Tree, index: usize) -> String {
    let word = |index: usize| {
        let element = tree.element(index)?;
        let class = element.classes().split_whitespace().next().unwrap_or_default();
        let name = match element.name.as_str() {
            "b" => "strong",
            "i" => "em",
            name => name,
        };
        Some(format!("{name}.{}", class.replace(|letter: char| letter.is_ascii_digit(), "")))
    };
    let parent = tree.element(index).and_then(|element| element.parent);
    format!("{}>{}", parent.and_then(word).unwrap_or_default(), word(index).unwrap_or_default())
}

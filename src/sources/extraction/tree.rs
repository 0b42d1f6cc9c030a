//! A page as a tree of elements, for selectors: built in one pass, with bounds on elements and depth.
//!
//! Duty: HTML to elements with their attributes and texts. Tags that nobody closes end with what holds them. Never here:
//! which elements matter.

mod classes;
pub mod leaves;
pub mod places;

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Range;

use crate::bounds::{ELEMENTS_MAX, PAGE_DEPTH_MAX, TREE_MEMORY_MAX};
use crate::text::markup::{self, Attributes, Keep, Piece};
use crate::text::plain::{FORMATTING, one_line};
use outbound::web_address::ADDRESS_BYTES_MAX;

/// What an element takes in memory beside its name and attributes, with the room that grows beside it.
const ELEMENT_BYTES: usize = 2 * size_of::<Element>();
/// Elements without content.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that end where the next of their kind begins.
const NOT_NESTED: &[&str] = &["li", "p", "tr", "td", "th", "dt", "dd", "option"];
/// Elements that keep what is inside of them apart from what is around.
const LISTS: &[&str] = &["ul", "ol", "table", "dl", "select", "div", "section", "article", "body"];

/// What stands in the text for a `br`; where lines do not matter it is a blank.
const LINE_BREAK: char = '\u{2028}';

/// A page.
#[derive(Debug, Default)]
pub struct Tree {
    elements: Vec<Element>,
    text: String,
    /// Bytes of the text so far that are no white space.
    solid: usize,
    /// The elements that are open, the innermost last.
    open: Vec<Open>,
    /// What further elements may take, in bytes; `None` once there were too many.
    memory_left: Option<usize>,
}

/// An element that is open, with what each tag asks of all that are.
#[derive(Debug)]
struct Open {
    index: usize,
    /// Its name as a number: hundreds are compared for each tag.
    name: u64,
    is_list: bool,
}

/// An element.
#[derive(Debug)]
pub struct Element {
    /// The name, in lower case.
    pub name: String,
    /// The element that it stands in.
    pub parent: Option<usize>,
    attributes: Attributes,
    /// The first element behind it and what stands in it.
    end: usize,
    text: Range<usize>,
    /// The bytes that are no white space, of all that there are, that stand in it.
    solid: Range<usize>,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name)
    }

    /// The address that it leads to, unless that is too long to be one.
    pub fn href(&self) -> Option<&str> {
        self.attribute("href").filter(|href| href.len() <= ADDRESS_BYTES_MAX)
    }
}

impl Tree {
    /// Reads a page; `None` if it has too many elements, or they take too much memory.
    pub fn read(html: &str) -> Option<Self> {
        Some(Self::beginning_of(html)).filter(Self::is_whole)
    }

    /// Whether the page was read to its end.
    pub fn is_whole(&self) -> bool {
        self.memory_left.is_some()
    }

    /// Reads a page up to where it has too many elements, or they take too much memory.
    pub fn beginning_of(html: &str) -> Self {
        let mut tree = Self { memory_left: Some(TREE_MEMORY_MAX), ..Self::default() };
        markup::walk(html, Keep::Attributes, |piece| match piece {
            Piece::Start(name, attributes) => {
                let taken = ELEMENT_BYTES + name.len() + attributes.bytes();
                let left = tree.memory_left.and_then(|left| left.checked_sub(taken));
                tree.memory_left = left.filter(|_| tree.len() < ELEMENTS_MAX);
                if tree.memory_left.is_some() {
                    tree.start(name, attributes);
                }
            }
            Piece::End(name) => tree.end(name),
            Piece::Text(text) => {
                tree.solid += text.split_whitespace().map(str::len).sum::<usize>();
                tree.text.push_str(text);
            }
        });
        tree.close_to(0);
        tree
    }

    /// The elements with their numbers, in the order in which they begin.
    pub fn elements(&self) -> impl Iterator<Item = (usize, &Element)> {
        self.elements.iter().enumerate()
    }

    /// Those of them with this name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Element)> {
        self.elements().filter(move |(_, element)| element.name == name)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// The element with this number, in the order in which they begin.
    pub fn element(&self, index: usize) -> Option<&Element> {
        self.elements.get(index)
    }

    /// The first element behind this one and all that stands in it.
    pub fn end_of(&self, index: usize) -> usize {
        self.element(index).map_or(index, |element| element.end)
    }

    /// How much text stands in an element, white space aside; known without reading it.
    pub fn text_bytes(&self, index: usize) -> usize {
        self.element(index).map_or(0, |element| element.solid.len())
    }

    /// How much text stands before an element, white space aside.
    pub fn bytes_before(&self, index: usize) -> usize {
        self.element(index).map_or(self.solid, |element| element.solid.start)
    }

    /// The text in an element, on one line.
    pub fn text(&self, index: usize) -> String {
        one_line(self.raw_text(index))
    }

    /// The lines of it, as `br` ends them; empty ones are none.
    pub fn lines(&self, index: usize) -> impl Iterator<Item = String> {
        self.raw_text(index).split(LINE_BREAK).map(one_line).filter(|line| !line.is_empty())
    }

    /// The text in an element as it stands there.
    pub fn raw_text(&self, index: usize) -> &str {
        self.element(index).map_or("", |element| &self.text[element.text.clone()])
    }

    /// What an element says up to where the element `next` begins, if that is inside. Scripts say nothing.
    pub fn said_before(&self, index: usize, next: Option<usize>) -> String {
        let Some(element) = self.element(index) else { return String::new() };
        let next = next.filter(|next| *next < element.end);
        let end = next.and_then(|next| self.element(next)).map_or(element.text.end, |next| next.text.start);
        let (mut said, mut at) = (String::new(), element.text.start);
        let inside = &self.elements[index + 1..next.unwrap_or(element.end)];
        for script in inside.iter().filter(|inner| inner.name == "script") {
            said.push_str(&self.text[at..script.text.start]);
            at = script.text.end;
        }
        said.push_str(&self.text[at..end]);
        said
    }

    /// All text, as it stands there.
    pub fn whole_text(&self) -> &str {
        &self.text
    }

    fn start(&mut self, name: &str, attributes: Attributes) {
        let number = number_of(name);
        if NOT_NESTED.contains(&name) {
            let inner = self.open.iter().rposition(|open| open.is_list).map_or(0, |limit| limit + 1);
            let same = self.open[inner..].iter().position(|open| open.name == number);
            if let Some(same) = same {
                self.close_to(inner + same);
            }
        }
        self.separate(name);
        if name == "br" {
            self.text.push(LINE_BREAK);
        }
        let (index, at, solid) = (self.elements.len(), self.text.len(), self.solid);
        let parent = self.open.last().map(|open| open.index);
        if !VOID.contains(&name) && self.open.len() < PAGE_DEPTH_MAX {
            self.open.push(Open { index, name: number, is_list: LISTS.contains(&name) });
        }
        let name = name.to_owned();
        self.elements.push(Element { name, parent, attributes, end: index + 1, text: at..at, solid: solid..solid });
    }

    fn end(&mut self, name: &str) {
        self.separate(name);
        let number = number_of(name);
        if let Some(depth) = self.open.iter().rposition(|open| open.name == number) {
            self.close_to(depth);
        }
    }

    /// Closes the open elements from `depth` on.
    fn close_to(&mut self, depth: usize) {
        let (count, at) = (self.elements.len(), self.text.len());
        for Open { index, .. } in self.open.drain(depth..) {
            let element = &mut self.elements[index];
            element.end = count;
            element.text.end = at;
            element.solid.end = self.solid;
        }
    }

    /// Words on both sides of an element are apart, unless it only formats them.
    fn separate(&mut self, name: &str) {
        if !FORMATTING.contains(&name) && name != "a" {
            self.text.push(' ');
        }
    }
}

/// A number that tells the name of an element from others.
fn number_of(name: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(name)
}

#[cfg(test)]
mod tests {
    use super::Tree;

    fn outline(html: &str) -> Vec<(String, Option<usize>, String)> {
        let tree = Tree::read(html).unwrap();
        (0..tree.len())
            .map(|index| {
                (tree.element(index).unwrap().name.clone(), tree.element(index).unwrap().parent, tree.text(index))
            })
            .collect()
    }

    fn row(name: &str, parent: Option<usize>, text: &str) -> (String, Option<usize>, String) {
        (name.to_owned(), parent, text.to_owned())
    }

    #[test]
    fn elements_stand_in_what_holds_them() {
        for (html, wanted) in [
            (
                "<ul><li>a<li>b<br>c</ul>d",
                vec![
                    row("ul", None, "a b c"),
                    row("li", Some(0), "a"),
                    row("li", Some(0), "b c"),
                    row("br", Some(2), ""),
                ],
            ),
            ("<p>a<p>b<div>c</x></div>", vec![row("p", None, "a"), row("p", None, "b c"), row("div", Some(1), "c")]),
            ("<b>a</b>b</i><i>c", vec![row("b", None, "a"), row("i", None, "c")]),
            (
                "<tr><td>1<td>2<tr><td>3",
                vec![
                    row("tr", None, "1 2"),
                    row("td", Some(0), "1"),
                    row("td", Some(0), "2"),
                    row("tr", None, "3"),
                    row("td", Some(3), "3"),
                ],
            ),
        ] {
            assert_eq!(outline(html), wanted, "{html}");
        }
    }

    #[test]
    fn depth_and_number_of_elements_are_bounded() {
        assert_eq!(Tree::read(&"<div>".repeat(50_000)).map(|tree| tree.len()), Some(50_000));
        assert!(Tree::read(&"<i>".repeat(300_000)).is_none());
    }
}

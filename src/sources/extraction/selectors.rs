//! The CSS selectors of source files: names, `#id`, `.class`, `[attribute]` with `=`, `^=`, `$=` and `*=`, beside one
//! another, inside of one another, as children (`>`), and several with commas.
//!
//! Duty: text to selector, and which elements of a tree it selects, in time that is bounded. Never here: building a tree.

use super::tree::{Element, Tree};
use crate::bounds::{LINE_BYTES_MAX, cut};
use crate::text::read_from_text;
use outbound::reading;

/// Parts of one selector, one inside of the other.
const PARTS_MAX: usize = 16;

/// A selector.
#[derive(Clone, Debug)]
pub struct Selector {
    alternatives: Vec<Vec<Part>>,
}

/// What one element must be, and how it stands to the one of the part before.
#[derive(Clone, Debug, Default)]
struct Part {
    is_child: bool,
    name: Option<String>,
    tests: Vec<Test>,
}

/// What an attribute must be.
#[derive(Clone, Debug)]
struct Test {
    attribute: String,
    wanted: String,
    /// Whether the value of the attribute meets what is wanted.
    is_met: fn(&str, &str) -> bool,
}

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// Anything beyond the few forms that there are, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let alternatives: Option<Vec<Vec<Part>>> = split_outside(text, ',').into_iter().map(parts).collect();
        let wrong = || format!("`{text}` is no selector of names, #ids, .classes, [attributes], spaces, > and commas");
        alternatives.map(|alternatives| Self { alternatives }).ok_or_else(wrong)
    }

    /// The selector on the elements of `tree`. What each of them is by itself is looked up here, once for all roots.
    pub fn on<'a>(&self, tree: &'a Tree) -> Selection<'a> {
        Selection { tree, alternatives: self.alternatives.iter().map(|parts| Alternative::on(parts, tree)).collect() }
    }
}

/// A selector on the elements of one tree.
pub struct Selection<'a> {
    tree: &'a Tree,
    alternatives: Vec<Alternative>,
}

/// One of its lists of parts; a part is a bit.
struct Alternative {
    /// Of each element the parts that it is by itself, wherever it stands.
    fitting: Vec<u32>,
    /// The parts behind which a child follows.
    before_children: u32,
    parts: usize,
}

impl Selection<'_> {
    /// The elements below `root`, or of the whole tree, that it selects, in order; `None` where that takes more than
    /// `steps`, from which it takes what it needs.
    pub fn select(&self, root: Option<usize>, steps: &mut usize) -> Option<Vec<usize>> {
        let (from, to) = root.map_or((0, self.tree.len()), |root| (root + 1, self.tree.end_of(root)));
        let mut selected: Vec<usize> = Vec::new();
        for alternative in &self.alternatives {
            *steps = steps.checked_sub(to.saturating_sub(from).saturating_mul(alternative.parts))?;
            alternative.add(self.tree, from, to, &mut selected);
        }
        selected.sort_unstable();
        selected.dedup();
        Some(selected)
    }
}

impl Alternative {
    fn on(parts: &[Part], tree: &Tree) -> Self {
        let bits = |is_one: &dyn Fn(&Part) -> bool, parts: &[Part]| {
            parts.iter().enumerate().map(|(number, part)| u32::from(is_one(part)) << number).sum()
        };
        let elements = (0..tree.len()).map_while(|index| tree.element(index)).take_while(|_| reading::goes_on());
        Self {
            fitting: elements.map(|element| bits(&|part| part.fits(element), parts)).collect(),
            before_children: bits(&|part| part.is_child, &parts[1..]),
            parts: parts.len(),
        }
    }

    /// Adds the elements from `from` to before `to` that satisfy all parts. Each element notes which parts end at it, and
    /// which at it or above, so that none is looked at twice.
    fn add(&self, tree: &Tree, from: usize, to: usize, found: &mut Vec<usize>) {
        let last = 1 << (self.parts - 1);
        let mut seen: Vec<(u32, u32)> = Vec::with_capacity(to.saturating_sub(from));
        for index in from..to {
            let element = tree.element(index).filter(|_| reading::goes_on());
            let Some((element, fitting)) = element.zip(self.fitting.get(index)) else { break };
            let parent = element.parent.filter(|parent| *parent >= from).map(|parent| seen[parent - from]);
            let (parent_here, parent_above) = parent.unwrap_or_default();
            let before = parent_here & self.before_children | parent_above & !self.before_children;
            let here = fitting & (before << 1 | 1);
            seen.push((here, parent_above | here));
            if here & last != 0 {
                found.push(index);
            }
        }
    }
}

impl Part {
    fn fits(&self, element: &Element) -> bool {
        self.name.as_ref().is_none_or(|name| *name == element.name) && self.tests.iter().all(|test| test.fits(element))
    }
}

impl Test {
    fn new(attribute: &str, wanted: &str, is_met: fn(&str, &str) -> bool) -> Self {
        Self { attribute: attribute.to_ascii_lowercase(), wanted: wanted.to_owned(), is_met }
    }

    fn fits(&self, element: &Element) -> bool {
        element.attribute(&self.attribute).is_some_and(|value| (self.is_met)(value, &self.wanted))
    }
}

read_from_text!(Selector, Selector::parse);

/// `text` at each `at` that stands in no brackets.
fn split_outside(text: &str, at: char) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (index, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            letter if letter == at && depth == 0 => {
                pieces.push(&text[start..index]);
                start = index + letter.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

fn parts(text: &str) -> Option<Vec<Part>> {
    let spaced = text.replace('>', " > ");
    let words = split_outside(&spaced, ' ').into_iter().filter(|word| !word.is_empty());
    let (mut parts, mut is_child) = (Vec::new(), false);
    for word in words {
        if word == ">" {
            if is_child || parts.is_empty() {
                return None;
            }
            is_child = true;
            continue;
        }
        parts.push(Part { is_child, ..part(word)? });
        is_child = false;
    }
    (!is_child && (1..=PARTS_MAX).contains(&parts.len())).then_some(parts)
}

fn part(word: &str) -> Option<Part> {
    let end = word.find(['#', '.', '[']).unwrap_or(word.len());
    let (name, mut rest) = word.split_at(end);
    let name = (!name.is_empty() && name != "*").then(|| name.to_ascii_lowercase());
    if name.as_deref().is_some_and(|name| !is_name(name)) || word.is_empty() {
        return None;
    }
    let mut part = Part { name, ..Part::default() };
    while let Some(kind) = rest.chars().next() {
        let inside = &rest[kind.len_utf8()..];
        let end = inside.find(['#', '.', '[']).unwrap_or(inside.len());
        let (inside, after) = if kind == '[' { inside.split_once(']')? } else { inside.split_at(end) };
        part.tests.push(match kind {
            '[' => attribute_test(inside)?,
            _ if !is_name(inside) => return None,
            '#' => Test::new("id", inside, |value, wanted| value == wanted),
            _ => Test::new("class", inside, |value, wanted| {
                searched(value).split_ascii_whitespace().any(|class| class == wanted)
            }),
        });
        rest = after;
    }
    Some(part)
}

fn attribute_test(inside: &str) -> Option<Test> {
    let Some((name, value)) = inside.split_once('=') else {
        return is_name(inside).then(|| Test::new(inside, "", |_, _| true));
    };
    let (name, is_met): (&str, fn(&str, &str) -> bool) = match name.char_indices().next_back()? {
        (at, '^') => (&name[..at], |value, wanted| value.starts_with(wanted)),
        (at, '$') => (&name[..at], |value, wanted| value.ends_with(wanted)),
        (at, '*') => (&name[..at], |value, wanted| searched(value).contains(wanted)),
        _ => (name, |value, wanted| value == wanted),
    };
    is_name(name).then(|| Test::new(name, value.trim().trim_matches(['"', '\'']), is_met))
}

/// As much of a value is searched: what selects columns looks at the same elements for each row that they stand in.
fn searched(value: &str) -> &str {
    cut(value, LINE_BYTES_MAX)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
}

#[cfg(test)]
mod tests {
    use scraper::{Html, Selector as Judge};

    use super::Selector;
    use crate::extraction::tree::Tree;

    const PAGE: &str = r#"<html><body><ul class="jobs open" id="list"><li class="job" data-id="1"><a href="/jobs/1">One</a></li>
        <li class="job featured" data-id="2"><div><a href="https://x.example/2.pdf">Two</a></div></li></ul>
        <div class="jobs"><p class="job"><a href="/other">Three</a></p></div></body></html>"#;

    #[test]
    fn elements_are_selected_as_browsers_do() {
        let tree = Tree::read(PAGE).unwrap();
        for text in [
            "li", "LI.job", ".job", "ul.jobs > li", "ul a", "ul > a", "#list .featured a", "a[href]",
            "a[href^='/jobs/']", "a[href$='.pdf']", "a[href*=example]", "li[data-id=\"2\"]", ".jobs .job > a", "p, li",
            "* > a", "body *", ".jobs.open", "div div",
        ] {
            let selected = Selector::parse(text).unwrap().on(&tree).select(None, &mut 100_000).unwrap();
            let mine: Vec<String> = selected.iter().map(|index| tree.text(*index)).collect();
            let (page, judge) = (Html::parse_document(PAGE), Judge::parse(text).unwrap());
            let judged = page
                .select(&judge)
                .map(|element| element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "));
            assert_eq!(mine, judged.collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn only_what_stands_below_the_root_is_selected() {
        let tree = Tree::read(PAGE).unwrap();
        let on = |text: &str| Selector::parse(text).unwrap().on(&tree);
        let list = on("#list").select(None, &mut 1_000).unwrap()[0];
        assert_eq!(on("a").select(Some(list), &mut 1_000).unwrap().len(), 2);
        assert!(on("ul a").select(Some(list), &mut 1_000).unwrap().is_empty());
        assert_eq!(on("a").select(None, &mut 3), None, "that takes more steps");
    }

    #[test]
    fn other_selectors_are_refused() {
        for text in [
            "",
            ",",
            "a,",
            "> a",
            "a >",
            "a > > b",
            "a:hover",
            "a::text",
            "a + b",
            "a[",
            "a[x~=y]",
            "..",
            "#",
            "a b c d e f g h i j k l m n o p q",
        ] {
            assert!(Selector::parse(text).is_err(), "{text}");
        }
    }
}

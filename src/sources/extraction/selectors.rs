//! The CSS selectors of source files: names, `#id`, `.class`, `[attribute]` with `=`, `^=`, `$=` and `*=`, beside one
//! another, inside of one another, as children (`>`), and several with commas.
//!
//! Duty: text to selector, and which elements of a tree it selects, in time that is bounded. Never here: building a tree.

use serde::{Deserialize, Deserializer, de};

use super::tree::{Element, Tree};
use crate::bounds::{LINE_BYTES_MAX, cut};
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

    /// The elements below `root`, or of the whole tree, that it selects, in order; `None` where that takes more than
    /// `steps`, from which it takes what it needs.
    pub fn select(&self, tree: &Tree, root: Option<usize>, steps: &mut usize) -> Option<Vec<usize>> {
        let (from, to) = root.map_or((0, tree.len()), |root| (root + 1, tree.end_of(root)));
        let mut selected: Vec<usize> = Vec::new();
        for parts in &self.alternatives {
            *steps = steps.checked_sub(to.saturating_sub(from).saturating_mul(parts.len()))?;
            selected.extend(matches(parts, tree, from, to));
        }
        selected.sort_unstable();
        selected.dedup();
        Some(selected)
    }
}

/// The elements from `from` to before `to` that satisfy all parts. Each element notes which parts end at it, and which at
/// it or above, so that none is looked at twice.
fn matches(parts: &[Part], tree: &Tree, from: usize, to: usize) -> Vec<usize> {
    let (mut here, mut above) = (vec![0_u32; to - from], vec![0_u32; to - from]);
    let mut found = Vec::new();
    for index in from..to {
        let Some(element) = tree.element(index).filter(|_| reading::goes_on()) else { break };
        let parent = element.parent.filter(|parent| *parent >= from).map(|parent| parent - from);
        let (parent_here, parent_above) = parent.map_or((0, 0), |parent| (here[parent], above[parent]));
        let mut bits = 0_u32;
        for (number, part) in parts.iter().enumerate() {
            let before = if part.is_child { parent_here } else { parent_above };
            let follows = number == 0 || before & (1 << (number - 1)) != 0;
            if follows && part.fits(element) {
                bits |= 1 << number;
            }
        }
        here[index - from] = bits;
        above[index - from] = parent_above | bits;
        if bits & (1 << (parts.len() - 1)) != 0 {
            found.push(index);
        }
    }
    found
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

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

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
            let selected = Selector::parse(text).unwrap().select(&tree, None, &mut 100_000).unwrap();
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
        let list = Selector::parse("#list").unwrap().select(&tree, None, &mut 1_000).unwrap()[0];
        assert_eq!(Selector::parse("a").unwrap().select(&tree, Some(list), &mut 1_000).unwrap().len(), 2);
        assert!(Selector::parse("ul a").unwrap().select(&tree, Some(list), &mut 1_000).unwrap().is_empty());
        assert_eq!(Selector::parse("a").unwrap().select(&tree, None, &mut 3), None, "that takes more steps");
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
